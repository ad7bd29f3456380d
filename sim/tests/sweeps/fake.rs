//! A fake simulator: the result of a seed is a formula, so that a sweep is quick.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use deathwatch_documents::Sweep;
use deathwatch_scenario::{Problem, replay, scenario::parse};
use deathwatch_simulator::stats::Stats;
use deathwatch_study::{
    journal::Journal,
    simulate::Simulation,
    sweep::{
        self, About, Ended, Options, SeedRange, SeedResult, Seeds, Shard, SweepHeader, Tally,
        Until, Violated,
    },
};
use tempfile::TempDir;

pub(crate) const REMOVED: &str = "a Dying relation is removed";
pub(crate) const COUNTED: &str = "an application counts its relations";

pub(crate) const SCENARIO: &str = r#"
shows = "A world for sweeps."
[world.machines]
0 = { jobs = ["manage-model"] }
[claims]
"a Dying relation is removed" = "violated"
"an application counts its relations" = "holds"
"#;

/// The description of the scenario called `name`.
pub(crate) fn about(name: &str, known: &[u64]) -> About {
    let path = PathBuf::from(format!("{name}.toml"));
    let scenario = parse(&path, SCENARIO).expect("a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let mut about = About::new(&simulation, &replay);
    about.known = known.to_vec();
    about
}

pub(crate) fn header(ranges: &[SeedRange], until: Until) -> SweepHeader {
    let scenarios = vec![about("one", &[500, 3]), about("two", &[])];
    SweepHeader::new(Seeds::new(ranges, &[77]), Shard::WHOLE, until, scenarios)
}

pub(crate) fn changed(header: &SweepHeader, change: impl FnOnce(&mut SweepHeader)) -> SweepHeader {
    let mut header = header.clone();
    change(&mut header);
    header
}

pub(crate) fn shard(header: &SweepHeader, number: u64, of: u64) -> SweepHeader {
    changed(header, |header| header.shard = Shard { number, of })
}

/// The result of `seed`: every fifth violates the claim that is expected to be violated, and the
/// seeds in `wrong` another one.
pub(crate) fn fake(seed: u64, wrong: &[u64]) -> SeedResult {
    let violated = |claim: &str, rule: Option<String>| Violated {
        claim: claim.to_owned(),
        subject: format!("unit mysql/{seed}"),
        step: seed + 1,
        wait_for: None,
        rule,
    };
    let mut violations = Vec::new();
    if seed.is_multiple_of(5) {
        violations.push(violated(REMOVED, Some(format!("rule „{}“", seed % 2))));
    }
    if wrong.contains(&seed) {
        violations.push(violated(COUNTED, None));
    }
    let mut stats = Stats { steps: 100 + seed, ..Stats::default() };
    stats.count_fault("crash");
    stats.removal[2].insert(seed * 1_001);
    SeedResult { seed, end: Ended::Settled, violations, stats, digest: seed << 40 }
}

/// The options of a fake sweep.
pub(crate) struct FakeSweep<'a> {
    pub(crate) jobs: usize,
    pub(crate) wrong: &'a [u64],
    /// The number of seeds after which no seed has a result.
    pub(crate) most: u64,
}

pub(crate) const USUAL: FakeSweep<'static> = FakeSweep { jobs: 1, wrong: &[], most: u64::MAX };

impl FakeSweep<'_> {
    /// Sweeps one scenario; `keep` gets the result of each seed that is run.
    pub(crate) fn run(
        &self,
        header: &SweepHeader,
        at: usize,
        earlier: BTreeMap<u64, SeedResult>,
        keep: impl FnMut(&SeedResult) -> Result<(), Problem>,
    ) -> Result<Sweep, Problem> {
        let plan = header.plan(&header.scenarios[at]);
        let mut tally = Tally::new(&header.scenarios[at], &plan, header.until);
        let (begun, most) = (AtomicU64::new(0), self.most);
        let how = Options { jobs: self.jobs, stop: &|| false, progress: &|_| {} };
        let run = |seed: u64, stop: &(dyn Fn() -> bool + Sync)| {
            if begun.fetch_add(1, Ordering::Relaxed) >= most {
                return None;
            }
            // Some seeds take longer, so that threads overtake each other; some are stopped.
            for _ in 0..seed % 7 * 50 {
                std::thread::yield_now();
                if stop() {
                    return None;
                }
            }
            Some(fake(seed, self.wrong))
        };
        sweep::run(&mut tally, earlier, &how, run, keep)?;
        Ok(tally.document(&[]))
    }

    /// Sweeps all scenarios with a journal.
    pub(crate) fn journaled(
        &self,
        header: &SweepHeader,
        path: &Path,
    ) -> Result<Vec<Sweep>, Problem> {
        let (journal, earlier) = Journal::open(path, header)?;
        let journal = RefCell::new(journal);
        let reports = earlier.into_iter().enumerate().map(|(at, earlier)| {
            self.run(header, at, earlier, |result| journal.borrow_mut().add(at, result))
        });
        reports.collect()
    }

    /// The document of the first scenario, without a journal.
    pub(crate) fn report(&self, header: &SweepHeader) -> Sweep {
        self.run(header, 0, BTreeMap::new(), |_| Ok(())).expect("nothing is kept")
    }
}

/// The text of a changed journal with the right checksums.
pub(crate) fn sealed(text: &str) -> String {
    let seal = |line: &str| match line.rsplit_once(",\"crc32\":\"") {
        Some((body, _)) => {
            format!("{body},\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(body.as_bytes()))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(seal).collect()
}

/// The full contents of the documents of sweeps, as text.
pub(crate) fn all(reports: &[Sweep]) -> String {
    format!("{reports:#?}")
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room for a folder")
}
