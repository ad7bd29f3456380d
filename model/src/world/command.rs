//! The user's commands: a row for each.
//!
//! The command, its kind, its text and parser, its first transaction, and its weight in simulations
//! are made from its row.

use super::{
    CommandArguments, CommandParameter, Details, WorldBuilder,
    arguments::{IsCommandArgument, arguments},
};
use crate::{
    clause::{Clause, Rule},
    ids::{ApplicationId, Constraints, MachineId, RelationId, UnitId},
    operation::Operation,
};

/// A user command that may be given, in any order with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    pub command: Command,
    /// The greatest number of times; `None` is without limit.
    pub most: Option<u8>,
}

/// The row of a kind of command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// The words before its arguments.
    pub verb: &'static str,
    /// The kinds of its arguments, in order.
    pub takes: &'static [CommandParameter],
    /// The rule of its first transaction. Its name is the key of the command's rate, unless the
    /// command has one of its own.
    pub rule: Rule,
    /// The details that it is about.
    pub needs: &'static [&'static str],
    /// The clause that refuses subordinates. Where it is off, the command is allowed for them.
    pub excludes: Option<Clause>,
    /// The state of its document in which it has an effect.
    pub finds: Finds,
    /// Its weight by default where commands are drawn, relative to those of others.
    pub weight: u16,
    /// Whether it leaves a cleanup document that asks to force a unit or a machine.
    pub forces: bool,
}

/// The state of a document in which a command has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finds {
    /// It does not exist yet.
    Absent,
    Alive,
    Present,
}

/// The first transaction of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FirstTransaction {
    Is(Operation),
    /// The creation of a unit of this application, with any free identifier.
    UnitOf(ApplicationId),
}

/// The rest of a command, after its first transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The application that gets peer relations or units.
    pub application: ApplicationId,
    /// Whether it gets its peer relations.
    pub peers: bool,
    /// The number of units that it gets.
    pub units: u32,
}

/// Makes the commands of rows: variant, arguments, rule, the key of its rate and a needed detail if
/// these differ from the rule's, verb, meaning; the clause of the rule that excludes subordinates,
/// the state of the document, whether it forces that, the weight; the first transaction, and the
/// rest.
macro_rules! commands {
    ($($variant:ident($($argument:ident: $type:ident),+) $rule:ident
        $(by $key:literal needs $detail:literal)?
        $verb:literal $meaning:literal
        excludes $excludes:expr, finds $finds:ident $(and $forces:ident)?, weight $weight:literal,
        $first:expr, $rest:expr;)+) => {
        /// A command of the command line interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            $(#[doc = $meaning] $variant($($type),+)),+
        }

        /// A kind of command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CommandKind {
            $(#[doc = $meaning] $variant),+
        }

        impl CommandKind {
            /// Every kind, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The key of each kind in `[simulate.rates]`, in the same order.
            pub const KEYS: &'static [&'static str] = &[
                $(commands!(@key Rule::$rule.name() $(=> $key)?)),+
            ];

            /// The rows, in the same order.
            const ROWS: &'static [CommandRow] = &[$(CommandRow {
                verb: $verb,
                takes: &[$(<$type as IsCommandArgument>::KIND),+],
                rule: Rule::$rule,
                needs: commands!(@needs Rule::$rule.needs() $(=> $detail)?),
                excludes: match $excludes {
                    None => None,
                    Some(number) => Some(Clause { rule: Rule::$rule, number }),
                },
                finds: Finds::$finds,
                weight: $weight,
                forces: commands!(@forces $($forces)?),
            }),+];
        }

        impl CommandKind {
            /// The command of this kind with these arguments; `None` if it does not take them.
            pub fn with(self, given: CommandArguments) -> Option<Command> {
                let mut given = given.into_iter().flatten();
                let command = match self {
                    $(Self::$variant => Command::$variant(
                        $(<$type as IsCommandArgument>::of(given.next()?)?),+
                    ),)+
                };
                given.next().is_none().then_some(command)
            }
        }

        impl Command {
            /// Its kind.
            pub fn kind(self) -> CommandKind {
                match self { $(Self::$variant(..) => CommandKind::$variant),+ }
            }

            /// Its arguments.
            pub fn arguments(self) -> CommandArguments {
                match self {
                    $(Self::$variant($($argument),+) => {
                        arguments([$(IsCommandArgument::argument($argument)),+])
                    })+
                }
            }

            /// Its first transaction. Two commands that begin alike are one: an application is
            /// deployed once, however many units it is deployed with.
            #[expect(unused_variables, reason = "the first transaction needs not every argument")]
            pub fn first(self) -> FirstTransaction {
                match self { $(Self::$variant($($argument),+) => $first),+ }
            }

            /// The operation that it goes on with; `None` if it has one transaction.
            #[expect(unused_variables, reason = "most commands have no rest")]
            pub fn rest(self) -> Option<Rest> {
                match self { $(Self::$variant($($argument),+) => $rest),+ }
            }
        }
    };
    (@key $of_rule:expr => $key:literal) => { $key };
    (@key $of_rule:expr) => { $of_rule };
    (@needs $of_rule:expr => $detail:literal) => { &[$detail] };
    (@needs $of_rule:expr) => { $of_rule };
    (@forces forces) => { true };
    (@forces) => { false };
}

commands! {
    Deploy(application: ApplicationId, units: u32) Deploy
        "deploy" "Deploy an application with this many units."
        excludes None, finds Absent, weight 10,
        FirstTransaction::Is(Operation::Deploy(application)),
        Some(Rest { application, peers: true, units });
    DeployConstrained(application: ApplicationId, units: u32, constraints: Constraints) Deploy
        by "deploy-constrained" needs "constraints"
        "deploy --constraints" "Deploy an application with this many units, by these constraints."
        excludes None, finds Absent, weight 10,
        FirstTransaction::Is(Operation::DeployConstrained(application, constraints)),
        Some(Rest { application, peers: true, units });
    AddUnit(application: ApplicationId) AddUnit
        "add-unit" "Add a unit and assign it to a machine."
        excludes Some(1), finds Alive, weight 10,
        FirstTransaction::UnitOf(application), Some(Rest { application, peers: false, units: 0 });
    AddMachine(machine: MachineId) AddMachine
        "add-machine" "Add a machine or a container."
        excludes None, finds Absent, weight 10,
        FirstTransaction::Is(Operation::AddMachine(machine)), None;
    Integrate(relation: RelationId) Integrate
        "integrate" "Integrate two applications."
        excludes None, finds Absent, weight 10,
        FirstTransaction::Is(Operation::Integrate(relation)), None;
    DestroyMachine(machine: MachineId) DestroyMachine
        "destroy-machine" "Destroy a machine."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::DestroyMachine(machine)), None;
    DestroyUnit(unit: UnitId) DestroyUnit
        "destroy-unit" "Destroy a unit."
        excludes Some(4), finds Alive, weight 10,
        FirstTransaction::Is(Operation::DestroyUnit(unit)), None;
    DestroyRelation(relation: RelationId) DestroyRelation
        "destroy-relation" "Destroy a relation."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::DestroyRelation(relation)), None;
    DestroyApplication(application: ApplicationId) DestroyApplication
        "destroy-application" "Destroy an application."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::DestroyApplication(application)), None;
    ForceDestroyUnit(unit: UnitId) ForceDestroyUnit
        "destroy-unit --force" "Destroy a unit by force."
        excludes Some(3), finds Present and forces, weight 10,
        FirstTransaction::Is(Operation::ForceDestroyUnit(unit)), None;
    ForceDestroyMachine(machine: MachineId) ForceDestroyMachine
        "destroy-machine --force" "Destroy a machine by force."
        excludes None, finds Present and forces, weight 10,
        FirstTransaction::Is(Operation::ForceDestroyMachine(machine)), None;
    DestroyModel(machine: MachineId) DestroyModel
        "destroy-model" "Destroy a machine with its containers, as destroy-model does."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::DestroyModel(machine)), None;
    SetConfig(application: ApplicationId) SetConfig
        "set-config" "Change the configuration of an application."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::SetConfig(application)), None;
    UpgradeCharm(application: ApplicationId) UpgradeCharm
        "upgrade-charm" "Change the charm of an application."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::UpgradeCharm(application)), None;
    ForceUpgradeCharm(application: ApplicationId) ForceUpgradeCharm
        "upgrade-charm --force" "Change the charm of an application, even where a unit is in error."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::ForceUpgradeCharm(application)), None;
    Expose(application: ApplicationId) Expose
        "expose" "Let the open ports of an application's units be reached."
        excludes None, finds Alive, weight 10,
        FirstTransaction::Is(Operation::Expose(application)), None;
    Unexpose(application: ApplicationId) Unexpose
        "unexpose" "Let the open ports of an application's units be reached no more."
        excludes None, finds Present, weight 10,
        FirstTransaction::Is(Operation::Unexpose(application)), None;
    Resolved(machine: MachineId) Resolved
        "resolved" "Let the provisioner try a machine again whose start has failed."
        excludes None, finds Present, weight 10,
        FirstTransaction::Is(Operation::Resolved(machine)), None;
    ResolvedConstraints(machine: MachineId, constraints: Constraints) ResolvedConstraints
        "resolved --constraints"
        "Let the provisioner try a machine again whose start has failed, by other constraints."
        excludes None, finds Present, weight 10,
        FirstTransaction::Is(Operation::ResolvedConstraints(machine, constraints)), None;
    SetConstraints(application: ApplicationId, constraints: Constraints) SetConstraints
        "set-constraints" "Set the constraints of an application."
        excludes Some(2), finds Alive, weight 10,
        FirstTransaction::Is(Operation::SetConstraints(application, constraints)), None;
    SetModelConstraints(constraints: Constraints) SetModelConstraints
        "set-model-constraints" "Set the constraints of the model."
        excludes None, finds Present, weight 10,
        FirstTransaction::Is(Operation::SetModelConstraints(constraints)), None;
}

impl CommandRow {
    /// The option in `verb` that is written before the last argument; `None` if it is written
    /// directly behind the verb, or if there is none.
    pub fn option(&self) -> Option<&'static str> {
        let (_, option) = self.verb.split_once(' ')?;
        self.takes.last()?.option().filter(|it| *it == option)
    }
}

impl CommandKind {
    pub fn row(self) -> &'static CommandRow {
        &Self::ROWS[self as usize]
    }

    /// The key of its rate in `[simulate.rates]`.
    pub fn key(self) -> &'static str {
        Self::KEYS[self as usize]
    }

    pub fn named(verb: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.row().verb == verb)
    }

    /// The detail that it needs and that a world with these details lacks.
    pub fn lacks(self, details: Details) -> Option<&'static str> {
        self.row().needs.iter().copied().find(|detail| !details.has(detail))
    }
}

impl FirstTransaction {
    /// The first transaction of the commands that `operation` may begin.
    pub(super) fn of(operation: Operation, world: &WorldBuilder) -> Self {
        if let Operation::AddUnit(unit) | Operation::AddUnitOn(unit, _) = operation {
            Self::UnitOf(world.unit(unit).application)
        } else {
            Self::Is(operation)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_kinds_share_a_verb_or_the_key_of_a_rate() {
        let kinds = || CommandKind::ALL.iter();
        let verbs: BTreeSet<&str> = kinds().map(|kind| kind.row().verb).collect();
        let keys: BTreeSet<&str> = kinds().map(|kind| kind.key()).collect();
        assert_eq!((verbs.len(), keys.len()), (CommandKind::ALL.len(), CommandKind::ALL.len()));
    }

    #[test]
    fn what_excludes_subordinates_is_a_clause() {
        for kind in CommandKind::ALL {
            assert!(kind.row().excludes.is_none_or(|clause| clause.info().is_some()), "{kind:?}");
        }
    }
}
