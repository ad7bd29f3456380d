//! Weakening: which claims are violated when a clause is switched off.
//!
//! Every clause is switched off in each of a few small worlds, once altogether and once only its
//! asserts, and every claim is checked again. A clause that no claim notices would be either
//! superfluous or unguarded, so each of those has an explanation (`unnoticed.toml`).

use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use deathwatch_claims::{
    Claim,
    check::{self, CheckAnswer, CheckQuestion, FindingSubject, SearchSettings, Stop},
};
use deathwatch_model::{
    clause::{Clause, Clauses},
    world::Probe,
};
use deathwatch_scenario::{
    replay,
    scenario::{self, SESSIONS, Scenario},
};
use deathwatch_study::{verdict::ScriptFindings, workers};
use toml::Value;

use crate::report::template::data;

/// The text of the reports where an explanation is missing.
pub const UNEXPLAINED: &str = "nobody has said why";

static UNNOTICED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| data(include_str!("unnoticed.toml")));

/// The explanation why no claim notices that `clause` is switched off.
pub fn explanation(clause: Clause) -> &'static str {
    UNNOTICED.get(&clause.to_string()).map_or(UNEXPLAINED, String::as_str)
}

/// The clauses that have an explanation.
pub fn explained() -> impl Iterator<Item = &'static str> {
    UNNOTICED.keys().map(String::as_str)
}

/// The greatest number of states of a weakened world. It may have more than the whole one, but not
/// many more. A search that ends here decides `Always` and `Step` claims only as far as it went.
const MOST_STATES: u64 = 300_000;

/// The part of a clause that is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseCut {
    /// The whole clause, which is never carried out.
    Whole,
    /// Its asserts: its changes are made in any case.
    Asserts,
}

/// The claims that notice that a clause is switched off.
#[derive(Clone, Debug)]
pub struct Noticed {
    pub clause: Clause,
    /// The part that is switched off.
    pub cut: ClauseCut,
    /// The violated claims, in the order of all claims, each with the worlds that show it.
    pub broken: Vec<(&'static Claim, Vec<String>)>,
    /// The violations among them that need two users: claims that the same world keeps if one user
    /// gives the same commands, each with its worlds. Of asserts only.
    pub races: Vec<(&'static Claim, Vec<String>)>,
    /// The worlds that became too large to be decided.
    pub undecided: Vec<String>,
}

/// Switches each clause off in each world and checks every claim. `progress` gets the number of
/// worlds that are done, and of all. `None` if `stop` said so.
///
/// # Panics
/// If a search panics.
pub fn weaken(
    threads: usize,
    stop: &(dyn Fn() -> Option<Stop> + Sync),
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<Vec<Noticed>> {
    let worlds: Vec<Whole> =
        worlds().into_iter().map(|it| Whole::of(it, stop)).collect::<Option<_>>()?;
    let cuts: Vec<(Clause, ClauseCut)> = Clause::all()
        .flat_map(|clause| [(clause, ClauseCut::Whole), (clause, ClauseCut::Asserts)])
        .collect();
    let jobs: Vec<(usize, usize)> = (0..cuts.len())
        .flat_map(|cut| (0..worlds.len()).map(move |world| (cut, world)))
        .filter(|(cut, world)| worlds[*world].asked.contains(cuts[*cut].0))
        .collect();
    let losses = workers::all(threads, jobs.len(), &|begun| progress(begun, jobs.len()), |job| {
        let (cut, world) = jobs[job];
        // Once it is to stop, what is left takes no time.
        stop().is_none().then(|| worlds[world].without(cuts[cut], stop))?
    });
    let done: BTreeMap<(usize, usize), Loss> =
        jobs.iter().zip(losses).map(|(job, loss)| Some((*job, loss?))).collect::<Option<_>>()?;
    let noticed = |(index, (clause, cut)): (usize, &(Clause, ClauseCut))| {
        let mine = done.range((index, 0)..(index + 1, 0)).map(|((_, world), it)| (*world, it));
        gather(*clause, *cut, &worlds, &mine.collect::<Vec<_>>())
    };
    Some(cuts.iter().enumerate().map(noticed).collect())
}

fn gather(clause: Clause, cut: ClauseCut, worlds: &[Whole], losses: &[(usize, &Loss)]) -> Noticed {
    let name = |world: usize| worlds[world].name.clone();
    let shown = |violated: fn(&Loss) -> &[&'static str]| -> Vec<(&'static Claim, Vec<String>)> {
        let worlds = |claim: &'static Claim| -> Vec<String> {
            let mine = losses.iter().filter(|(_, loss)| violated(loss).contains(&claim.name));
            mine.map(|(world, _)| name(*world)).collect()
        };
        let all = deathwatch_claims::all().map(|claim| (claim, worlds(claim)));
        all.filter(|(_, worlds)| !worlds.is_empty()).collect()
    };
    Noticed {
        clause,
        cut,
        broken: shown(|loss| &loss.broken),
        races: shown(|loss| &loss.races),
        undecided: losses.iter().filter(|it| it.1.undecided).map(|it| name(it.0)).collect(),
    }
}

/// A world with all its clauses.
struct Whole {
    name: String,
    scenario: Scenario,
    /// The clauses that are read in the script or in any run that follows. Without another clause
    /// the world is the same, so it need not be searched again.
    asked: Clauses,
    /// The claims that do not hold in it anyway.
    broken: Vec<&'static str>,
    /// The same world with one user, if it has more.
    alone: Option<Box<Whole>>,
}

/// The effects of switching a clause off.
struct Loss {
    broken: Vec<&'static str>,
    /// The broken claims that are not broken with one user.
    races: Vec<&'static str>,
    undecided: bool,
}

impl Whole {
    fn of((name, scenario): (String, Scenario), stop: &Stopper<'_>) -> Option<Self> {
        let claims = deathwatch_claims::all_with(scenario.world.detail);
        let scenario = scenario.keeping(claims);
        let probe = Probe::default();
        let mut probed = scenario.clone();
        probed.world = scenario.world.probed(&probe);
        let loss = ask(&probed, stop)?;
        // Where not every run was searched, somebody may ask about any clause in the others.
        let asked = if loss.undecided { Clause::all().collect() } else { probe.take() };
        let alone = match with_one_user(&scenario) {
            Some(alone) => Some(Box::new(Self::of((name.clone(), alone), stop)?)),
            None => None,
        };
        Some(Self { name, scenario, asked, broken: loss.broken, alone })
    }

    fn without(&self, (clause, cut): (Clause, ClauseCut), stop: &Stopper<'_>) -> Option<Loss> {
        let mut scenario = self.scenario.clone();
        scenario.world = scenario.world.changed(|world| match cut {
            ClauseCut::Whole => world.without.insert(clause),
            ClauseCut::Asserts => world.unasserted.insert(clause),
        });
        let mut loss = ask(&scenario, stop)?;
        loss.broken.retain(|claim| !self.broken.contains(claim));
        if let (Some(alone), ClauseCut::Asserts) = (&self.alone, cut) {
            let by_one = alone.without((clause, cut), stop)?;
            // What is not decided is not said to need two.
            if !by_one.undecided {
                let races = loss.broken.iter().filter(|claim| !by_one.broken.contains(claim));
                loss.races = races.copied().collect();
            }
        }
        Some(loss)
    }
}

type Stopper<'a> = dyn Fn() -> Option<Stop> + Sync + 'a;

/// The claims that do not hold in a scenario: in its script, up to a step that is not possible
/// without the clause, and in all that can follow.
fn ask(scenario: &Scenario, stop: &Stopper<'_>) -> Option<Loss> {
    let claims = || deathwatch_claims::all_with(scenario.world.detail);
    let replay = replay::replay(scenario).unwrap_or_else(|impossible| impossible.reached);
    let shown = ScriptFindings::of(scenario, &replay, claims());
    let mut broken: Vec<&str> = shown.violated().map(|claim| claim.name).collect();
    let question = CheckQuestion {
        world: &scenario.world,
        start: &replay.state,
        claims: claims().collect(),
        witnesses: Vec::new(),
        refines: None,
    };
    let settings =
        SearchSettings { max_states: Some(MOST_STATES), stop, ..SearchSettings::without_limits(1) };
    let report = check::check(&question, &settings).expect("the worlds are small");
    for finding in &report.findings {
        if let (FindingSubject::Claim(claim), CheckAnswer::Violated) =
            (finding.asked, finding.answer)
        {
            broken.push(claim.name);
        }
    }
    let undecided = match report.stopped {
        None => false,
        Some(Stop::States) => true,
        Some(_) => return None,
    };
    Some(Loss { broken, races: Vec::new(), undecided })
}

macro_rules! worlds {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../../../../scenarios/weakening/", $name, ".toml")))),+] };
}

/// The worlds by name.
///
/// # Panics
/// If one of them is not a scenario.
pub fn worlds() -> Vec<(String, Scenario)> {
    let worlds = worlds![
        "relation" "races" "counts" "subordinate" "redeployed" "deployer" "hooks" "unit-hooks"
        "hooks-by-name" "charm" "charm-in-error" "charm-commands" "configuration"
        "relations" "settings" "entering" "lost-settings"
        "machines" "creation" "kept" "force" "forced-out" "left-behind" "directories" "reconciled"
        "readings" "mends"
        "refused" "refused-peer"
        "two-clients-on-machines" "two-clients-on-applications" "two-clients-on-relations"
        "two-users-on-applications" "two-users-on-machines" "two-users-on-units"
        "destroy-model" "versions" "provisioning" "strays-come-last"
        "failed-starts" "other-constraints" "workflow" "watches"
        "series" "series-with-unit" "constraints" "constraints-with-unit" "constraints-late"
        "constraints-deployed" "constraints-asserted" "constraints-asserted-with-unit"
    ];
    let read = |(name, source): (&str, &str)| {
        let scenario = scenario::parse(Path::new(name), source);
        (name.to_owned(), scenario.unwrap_or_else(|problem| panic!("{name}: {problem}")))
    };
    worlds.into_iter().map(read).collect()
}

/// The same world with one user; `None` if it has no more.
///
/// # Panics
/// Never: a scenario is one without this key, too.
fn with_one_user(scenario: &Scenario) -> Option<Scenario> {
    let mut table = scenario.table();
    table.get_mut("user").and_then(Value::as_table_mut)?.remove(SESSIONS)?;
    Some(scenario.with_table(&table).expect("one user is always possible"))
}
