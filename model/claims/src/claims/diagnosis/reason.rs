//! The reasons why an entity stays, as a table: each with its name, its text and its passages.

/// Makes the reasons from rows: variant, role, name in documents, text, text with the names of
/// others, and passages.
macro_rules! reasons {
    ($($kind:ident $role:ident $id:literal $says:literal $(as $named:literal)? $source:literal;)+) => {
        /// A reason why an entity stays as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $says] $kind),+
        }

        impl Reason {
            /// Every reason: first those of waiting, then facts, then causes.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// Its row in the table.
            pub fn row(self) -> ReasonRow {
                match self {
                    $(Self::$kind => ReasonRow {
                        role: Role::$role,
                        id: $id,
                        says: $says,
                        named: None$(.or(Some($named)))?,
                        source: $source,
                    }),+
                }
            }
        }
    };
}

/// The row of a reason.
#[derive(Clone, Copy, Debug)]
pub struct ReasonRow {
    pub role: Role,
    /// Its name in documents, which is the same everywhere.
    pub id: &'static str,
    /// The text for the entity that stays, which is "it".
    pub says: &'static str,
    /// The text after "waits for", or for a fact after "is", with "{}" for the others' names;
    /// `None` for a cause.
    pub named: Option<&'static str>,
    /// The passages that it rests on: documents and lines.
    pub source: &'static str,
}

/// The role of a reason in a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The entity waits for another one, which has reasons of its own.
    Waits,
    /// The entity has yet to get or to do something. By itself this holds nothing up.
    Fact,
    /// The end of a chain: the next event does not happen by itself.
    Cause,
}

reasons! {
    Assigned Waits "assigned" "a unit is assigned to it" as "{} assigned to it"
        "D2:211; D2:299";
    Container Waits "container" "it has a container" as "its container {}"
        "D2:215-217";
    UnitOf Waits "unit-of" "it has a unit" as "{}"
        "D1:189-196; D2:265-269; D2:301";
    RelationOf Waits "relation-of" "it is in a relation" as "{}"
        "D1:189-196; D2:265-269; D2:305";
    InScope Waits "in-scope" "a unit is in its scope" as "{}"
        "D1:147-148; D2:287-289; D2:303";
    Subordinate Waits "subordinate" "it has a subordinate" as "its subordinate {}"
        "D2:229; D2:247; D2:297";
    Deployer Waits "deployer" "its deployer does not act" as "its deployer, {}"
        "D1:101-103; D2:251; D2:355-357; D2:373-377";
    Host Waits "host" "the machine that it is a container on has no instance that runs" as "its host, {}"
        "D2:215; D2:385";

    HasScope Fact "has-scope" "it has a scope to leave" as "in scope of {}"
        "D1:91-95; D2:229; D2:245";
    NotDeployed Fact "not-deployed" "it is not deployed" as "not deployed"
        "D2:353-355; D2:373-375";
    NoInstance Fact "no-instance" "it has no instance" as "without an instance"
        "D2:385-387";

    ScopeUnknown Cause "scope-unknown"
        "its agent does not know that it is in a scope, as it has no directory for that on its disk"
        "D1:18-26; D2:71";
    NotRedeployed Cause "not-redeployed"
        "it is not deployed, and a unit that is not Alive is not deployed again"
        "D1:18-26; D2:355; D2:375";
    NoMachine Cause "no-machine" "it has no machine, so nobody deploys or removes it"
        "D1:101-103; D2:47; D2:225; D2:373-377";
    RelationHookFailed Cause "relation-hook-failed"
        "its hook for leaving a relation failed and nobody has resolved it" "D1:93-95; D2:119";
    StopHookFailed Cause "stop-hook-failed" "its stop hook failed and nobody has resolved it"
        "D1:93-95; D2:119; D4:241-246";
    UnitHookFailed Cause "unit-hook-failed" "a hook of its own failed and nobody has resolved it"
        "D1:93-95; D2:119; D4:17-22";
    HookDue Cause "hook-due" "a hook of its own is due and does not run" "D4:163-177";
    CharmDue Cause "charm-due" "its charm directory is to be written" "D4:64-69; D4:97-98";
    AgentCrashed Cause "agent-crashed" "its agent has crashed and is not restarted" "D1:31-37; D2:75";
    HardwareUnnoticed Cause "hardware-unnoticed" "its hardware has failed and nobody has noticed"
        "D1:27-30; D2:73";
    StartFailed Cause "start-failed" "it has no instance, as its start failed and nobody has resolved that"
        "D3:92-100";
    NoOwnAgent Cause "no-own-agent" "it has no instance, so no agent of its own can act" "D1:67; D2:217";
    NotItsDuty Cause "not-its-duty" "it hosts no units, and so its agent does not set it Dead"
        "D2:217; D2:371-381";
    NoManager Cause "no-manager" "no manager machine's agent runs, so there is no provisioner"
        "D1:72-73; D2:219; D2:383-389";
    NoCleaner Cause "no-cleaner" "the settings of its units are left, and there is no cleaner to delete them"
        "D1:131-137; D2:155-157";
    NoSuchUnits Cause "count-without-unit" "it counts units, but has none" "D1:110-112; D2:267";
    NoSuchRelations Cause "count-without-relation" "it counts relations, but is in none"
        "D1:155-163; D2:269";
    NoSuchScopes Cause "count-without-scope" "it counts units in scope, but there is none"
        "D1:147-148; D2:289";
    Unreferenced Cause "unreferenced" "nothing refers to it, so nobody will ever remove it"
        "D1:189-196; D2:265-269";
    NobodyInScope Cause "nobody-in-scope" "no unit is in its scope, so nobody will ever remove it"
        "D1:147-148; D2:285-289";

    ErrorFinal Cause "error-final" "its workflow is in an error state, and no transition leaves one"
        "D5:9-14; D5:18";
    CutOff Cause "cut-off" "its agent has lost its connection to the store" "D5:22-24";
    StartingUp Cause "starting-up"
        "its agent has not established its presence and read the state of its workflow" "D5:20; D5:30-32";
    NotReplicated Cause "not-replicated" "the store has not recorded the state of its workflow" "D5:24";
    BroughtToRun Cause "brought-to-run"
        "it is Dying and does not run, and its agent is to bring it to run all the same"
        "D5:11-13; D5:20";
    NotWatching Cause "not-watching" "its agent has yet to set the watch in a relation, for the first time or again"
        "D5:43; D5:56; D5:66-67";
    EventMissed Cause "event-missed"
        "somebody came or went while its agent had no watch set, and it looks only at what a watch tells"
        "D5:66-67";
    SeenForgotten Cause "seen-forgotten"
        "its agent has lost with its process whom it had seen in a relation, so it does not miss who has gone"
        "D5:58; D5:66; D5:68";
    SettingsUnwatched Cause "settings-unwatched"
        "its agent does not watch the settings of a unit that has joined" "D5:57; D5:69";
    EventDropped Cause "event-dropped"
        "the settings of a unit changed before its agent had noted it as seen, or while it did not watch them"
        "D5:58; D5:67; D5:69";
}

impl Reason {
    /// The reason called `id`.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.row().id == id)
    }

    pub fn role(self) -> Role {
        self.row().role
    }
}

/// A set of reasons, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reasons(u64);

const _: () = assert!(Reason::ALL.len() <= 64, "a set has a bit for each reason");

impl Reasons {
    /// Its reasons, in their order.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        Reason::ALL.iter().copied().filter(move |reason| self.0 & 1 << *reason as u32 != 0)
    }
}

impl FromIterator<Reason> for Reasons {
    fn from_iter<T: IntoIterator<Item = Reason>>(reasons: T) -> Self {
        Self(reasons.into_iter().fold(0, |set, reason| set | 1 << reason as u32))
    }
}
