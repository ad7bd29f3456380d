//! Sweeps over a fake simulator: whatever divides or interrupts one, the report is the same.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use deathwatch_model::check::Answer;
use deathwatch_sim::{
    Problem, replay,
    scenario::parse,
    simulate::{Simulation, Stats},
    sweep::{
        self, About, Ended, Header, How, Journal, Plan, Report, SeedRange, SeedResult, Seeds,
        Shard, Tally, Until, Violated,
    },
    verdict::Standing,
};
use tempfile::TempDir;

const REMOVED: &str = "a Dying relation is removed";
const COUNTED: &str = "an application counts its relations";

const SCENARIO: &str = r#"
shows = "A world for sweeps."
[world.machines]
0 = { jobs = ["manage-model"] }
[claims]
"a Dying relation is removed" = "violated"
"an application counts its relations" = "holds"
"#;

/// What a report says of the scenario called `name`.
fn about(name: &str, known: &[u64]) -> About {
    let path = PathBuf::from(format!("{name}.toml"));
    let scenario = parse(&path, SCENARIO).expect("a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let mut about = About::new(&simulation, &replay);
    about.known = known.to_vec();
    about
}

fn header(ranges: &[SeedRange], until: Until) -> Header {
    let scenarios = vec![about("one", &[500, 3]), about("two", &[])];
    Header::new(Seeds::new(ranges, &[77]), Shard::WHOLE, until, scenarios)
}

fn changed(header: &Header, change: impl FnOnce(&mut Header)) -> Header {
    let mut header = header.clone();
    change(&mut header);
    header
}

fn shard(header: &Header, number: u64, of: u64) -> Header {
    changed(header, |header| header.shard = Shard { number, of })
}

/// What came of `seed`: every fifth violates what is expected, those in `wrong` what is not.
fn fake(seed: u64, wrong: &[u64]) -> SeedResult {
    let violated = |claim: &str, diagnosis: String| Violated {
        claim: claim.to_owned(),
        subject: format!("unit mysql/{seed}"),
        step: seed + 1,
        diagnosis,
    };
    let mut violations = Vec::new();
    if seed.is_multiple_of(5) {
        violations.push(violated(REMOVED, format!("mysql/{seed} is in scope „{}“", seed % 2)));
    }
    if wrong.contains(&seed) {
        violations.push(violated(COUNTED, String::new()));
    }
    let mut stats = Stats { steps: 100 + seed, ..Stats::default() };
    stats.struck("crash");
    stats.removal[2].insert(seed * 1_001);
    SeedResult { seed, end: Ended::Settled, violations, stats, digest: seed << 40 }
}

/// How a fake sweep goes.
struct Sweep<'a> {
    jobs: usize,
    wrong: &'a [u64],
    /// No seed is begun after so many.
    most: u64,
}

const USUAL: Sweep<'static> = Sweep { jobs: 1, wrong: &[], most: u64::MAX };

impl Sweep<'_> {
    /// Sweeps one scenario; `keep` is told what comes of each seed that is run.
    fn run(
        &self,
        header: &Header,
        at: usize,
        earlier: BTreeMap<u64, SeedResult>,
        keep: impl FnMut(&SeedResult) -> Result<(), Problem>,
    ) -> Result<Report, Problem> {
        let plan = header.plan(&header.scenarios[at]);
        let mut tally = Tally::new(&header.scenarios[at], &plan, header.until);
        let begun = AtomicU64::new(0);
        let how = How {
            jobs: self.jobs,
            enough: &|| begun.fetch_add(1, Ordering::Relaxed) >= self.most,
            stop: &|| false,
            progress: &|_| {},
        };
        let run = |seed: u64, stop: &(dyn Fn() -> bool + Sync)| {
            // Some take longer, so that threads overtake each other; some are told to stop.
            for _ in 0..seed % 7 * 50 {
                std::thread::yield_now();
                if stop() {
                    return None;
                }
            }
            Some(fake(seed, self.wrong))
        };
        sweep::run(&mut tally, earlier, &how, run, keep)?;
        Ok(Report::of(tally))
    }

    /// Sweeps all scenarios with a journal.
    fn journaled(&self, header: &Header, path: &Path) -> Result<Vec<Report>, Problem> {
        let (journal, earlier) = Journal::open(path, header)?;
        let journal = RefCell::new(journal);
        let reports = earlier.into_iter().enumerate().map(|(at, earlier)| {
            self.run(header, at, earlier, |result| journal.borrow_mut().add(at, result))
        });
        reports.collect()
    }

    /// The report of the first scenario, without a journal.
    fn report(&self, header: &Header) -> Report {
        self.run(header, 0, BTreeMap::new(), |_| Ok(())).expect("nothing is kept")
    }
}

/// All that a report says.
fn all(reports: &[Report]) -> String {
    format!("{reports:#?}")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room for a folder")
}

#[test]
fn a_report_does_not_depend_on_the_number_of_jobs() {
    for until in [Until::End, Until::FirstSurprise] {
        for wrong in [&[] as &[u64], &[41], &[20, 41, 42], &[77]] {
            let header = header(&[SeedRange::new(0, 60)], until);
            let one = Sweep { wrong, ..USUAL }.report(&header);
            for jobs in [2, 3, 8] {
                let many = Sweep { jobs, wrong, ..USUAL }.report(&header);
                assert_eq!(all(&[many]), all(std::slice::from_ref(&one)), "{jobs} jobs");
            }
        }
    }
}

#[test]
fn the_first_surprise_in_the_order_of_the_plan_ends_a_sweep() {
    let header = header(&[SeedRange::new(0, 60)], Until::FirstSurprise);
    let report = Sweep { jobs: 4, wrong: &[30, 20, 3], ..USUAL }.report(&header);
    assert_eq!((report.ended_by, report.seeds), (Some(3), 2), "the known seeds come first");
    let report = Sweep { jobs: 4, wrong: &[30, 20], ..USUAL }.report(&header);
    // 500, 3, 77, then 0 to 20 but for 3.
    assert_eq!((report.ended_by, report.seeds, report.missing.len()), (Some(20), 23, 0));
    assert_eq!(report.standing, Standing::Unexpected);
    assert_eq!(report.surprising_seeds(), [20]);
}

#[test]
fn what_is_expected_decides_how_a_sweep_stands() {
    let standing = |ranges: &[SeedRange], sweep: Sweep<'_>| {
        let mut header = header(ranges, Until::End);
        header.scenarios[0].known = vec![3];
        let report = sweep.report(&header);
        (report.standing, report.answer)
    };
    let all_seeds = [SeedRange::new(0, 60)];
    let violated = Answer::Violated;
    assert_eq!(standing(&all_seeds, USUAL), (Standing::AsExpected, violated));
    let wrong = Sweep { wrong: &[8], ..USUAL };
    assert_eq!(standing(&all_seeds, wrong), (Standing::Unexpected, violated));
    let few_seeds = [SeedRange::new(1, 4)];
    assert_eq!(standing(&few_seeds, USUAL), (Standing::Unexpected, Answer::Holds));
    let cut = Sweep { most: 3, ..USUAL };
    assert_eq!(standing(&few_seeds, cut), (Standing::Undecided, Answer::Inconclusive));
}

#[test]
fn a_sweep_goes_on_wherever_its_journal_ends() {
    for until in [Until::End, Until::FirstSurprise] {
        let header = header(&[SeedRange::new(0, 7)], until);
        let sweep = Sweep { jobs: 2, wrong: &[5], ..USUAL };
        let folder = folder();
        let whole = folder.path().join("whole.jsonl");
        let undisturbed = all(&sweep.journaled(&header, &whole).expect("it can be written"));
        let text = fs::read(&whole).expect("it was written");
        let torn = folder.path().join("torn.jsonl");
        for end in (0..text.len()).step_by(37).chain([text.len() - 1, text.len()]) {
            fs::write(&torn, &text[..end]).expect("written");
            let resumed = sweep.journaled(&header, &torn).expect("it goes on");
            assert_eq!(all(&resumed), undisturbed, "{end} of {} bytes", text.len());
            let again = sweep.journaled(&header, &torn).expect("it is whole");
            assert_eq!(all(&again), undisturbed, "after {end} bytes, and again");
        }
    }
}

#[test]
fn a_finished_seed_is_not_run_again() {
    let header = header(&[SeedRange::new(0, 20)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    let cut = Sweep { most: 8, ..USUAL }.journaled(&header, &path).expect("it can be written");
    assert_eq!((cut[0].seeds, cut[0].standing), (8, Standing::Undecided));
    let (_, earlier) = Journal::open(&path, &header).expect("it is a journal");
    let ran = RefCell::new(Vec::new());
    let [first, _] = earlier.try_into().expect("two scenarios");
    let keep = |result: &SeedResult| {
        ran.borrow_mut().push(result.seed);
        Ok(())
    };
    let report = USUAL.run(&header, 0, first, keep).expect("it goes on");
    assert_eq!((report.seeds, ran.borrow().len()), (22, 14));
    assert!(!ran.borrow().contains(&77));
}

#[test]
fn a_journal_of_another_sweep_is_left_alone() {
    let wanted = header(&[SeedRange::new(0, 7)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    USUAL.journaled(&wanted, &path).expect("it can be written");
    let ours = fs::read_to_string(&path).expect("text");
    let version = format!("\"deathwatch\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let last = ours.lines().last().expect("a line");
    let texts = [
        ("hello", "is not a journal"),
        ("hello\n", "is not a journal"),
        ("{\"deathwatch\": \"0.1.0\", \"command\": \"simulate\"}\n", "is not a journal"),
        (&ours.replace(&version, "\"deathwatch\":\"0.0.7\""), "is of version 0.0.7"),
        (&ours.replace("\"journal\":1", "\"journal\":9"), "line 1"),
        (&(ours.clone() + "nonsense\n"), "makes no sense"),
        (&(ours.clone() + &last.replace("\"crash\":1", "\"crash\":2") + "\n"), "contradicts line"),
        (&ours.replace("\"seed\":6", "\"seed\":6000"), "does not belong to it"),
    ];
    for (text, says) in texts {
        fs::write(&path, text).expect("written");
        let error = USUAL.journaled(&wanted, &path).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), text, "nothing is overwritten");
    }
    let mut others = vec![header(&[SeedRange::new(0, 8)], Until::End)];
    others.push(header(&[SeedRange::new(0, 7)], Until::FirstSurprise));
    others.push(shard(&wanted, 1, 2));
    others.push(changed(&wanted, |it| it.verify = true));
    others.push(changed(&wanted, |it| it.scenarios.truncate(1)));
    for other in others {
        fs::write(&path, &ours).expect("written");
        let error = USUAL.journaled(&other, &path).expect_err("another sweep").to_string();
        assert!(error.ends_with("is of another sweep"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), ours);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_is_an_error() {
    let header = header(&[SeedRange::new(0, 7)], Until::End);
    let folder = folder();
    let missing = folder.path().join("missing/journal.jsonl");
    for (path, says) in [
        (Path::new("/dev/full"), "failed to write the journal /dev/full"),
        (folder.path(), "it is a folder"),
        (&missing, "there is no such file or folder"),
    ] {
        let error = USUAL.journaled(&header, path).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    USUAL.journaled(&header, Path::new("/dev/null")).expect("nobody reads it");
}

#[test]
fn a_failed_write_ends_a_sweep() {
    let header = header(&[SeedRange::new(0, 60)], Until::End);
    let mut left = 5;
    let full = Journal::open(Path::new("/"), &header).expect_err("it is a folder");
    let keep = |_: &SeedResult| {
        left -= 1;
        if left > 0 { Ok(()) } else { Err(full.clone()) }
    };
    let sweep = Sweep { jobs: 3, ..USUAL };
    sweep.run(&header, 0, BTreeMap::new(), keep).expect_err("it could not be kept");
    assert_eq!(left, 0, "nothing is kept afterwards");
}

#[test]
fn shards_make_the_whole() {
    for until in [Until::End, Until::FirstSurprise] {
        for wrong in [&[] as &[u64], &[41, 44], &[3]] {
            let whole = header(&[SeedRange::new(0, 50)], until);
            let folder = folder();
            let sweep = Sweep { jobs: 2, wrong, ..USUAL };
            let path = |name: &str| folder.path().join(name);
            let reports = sweep.journaled(&whole, &path("whole")).expect("it can be written");
            let mut shards = Vec::new();
            for number in [3, 1, 2] {
                let part = shard(&whole, number, 3);
                shards.push(path(&number.to_string()));
                sweep.journaled(&part, shards.last().expect("one")).expect("it can be written");
            }
            let merged = sweep::merge(&shards).expect("they are of one sweep");
            assert_eq!(all(&merged.reports), all(&reports), "{until:?} {wrong:?}");
            shards.push(path("whole"));
            let merged = sweep::merge(&shards).expect("what is there twice is the same");
            assert_eq!(all(&merged.reports), all(&reports));
        }
    }
}

#[test]
fn a_shard_does_not_know_what_another_one_finds() {
    let whole = header(&[SeedRange::new(0, 4)], Until::End);
    let part = shard(&whole, 2, 5);
    let report = USUAL.report(&part);
    assert_eq!((report.seeds, report.standing), (1, Standing::Undecided));
}

#[test]
fn what_is_missing_or_contradictory_is_named() {
    let whole = header(&[SeedRange::new(0, 9)], Until::End);
    let folder = folder();
    let path = |number: u64| folder.path().join(number.to_string());
    for number in 1..=3 {
        let part = shard(&whole, number, 3);
        USUAL.journaled(&part, &path(number)).expect("it can be written");
    }
    let merged = sweep::merge(&[path(1), path(3)]).expect("they are of one sweep");
    assert_eq!(merged.missing, [Shard { number: 2, of: 3 }]);
    assert_eq!(merged.reports[1].missing, ["1", "4", "7"].map(str::to_owned));
    assert_eq!(merged.reports[1].standing, Standing::Undecided);

    let text = fs::read_to_string(path(1)).expect("text");
    fs::write(path(4), text.replace("\"steps\":106", "\"steps\":107")).expect("written");
    let error = sweep::merge(&[path(1), path(2), path(4)]).err().expect("they contradict");
    let error = error.to_string();
    assert!(error.contains("/1:") && error.contains("/4:"), "{error}");
    assert!(error.contains("contradict each other about seed 6 of one"), "{error}");

    let other = header(&[SeedRange::new(0, 10)], Until::End);
    USUAL.journaled(&other, &path(5)).expect("it can be written");
    let error = sweep::merge(&[path(1), path(5)]).err().expect("they differ").to_string();
    assert!(error.contains("are of different sweeps"), "{error}");
    fs::write(path(6), "{}").expect("written");
    for bad in [6, 7] {
        sweep::merge(&[path(1), path(bad)]).err().expect("it is no journal");
    }
}

#[test]
fn a_panic_is_not_swallowed() {
    let about = about("one", &[]);
    let plan = Plan::new(&[], &Seeds::new(&[SeedRange::new(0, 1 << 40)], &[]), Shard::WHOLE);
    let mut tally = Tally::new(&about, &plan, Until::End);
    let how = How { jobs: 3, enough: &|| false, stop: &|| false, progress: &|_| {} };
    let run = |seed: u64, _: &(dyn Fn() -> bool + Sync)| {
        assert_ne!(seed, 40, "a defect of ours");
        Some(fake(seed, &[]))
    };
    let sweep = || sweep::run(&mut tally, BTreeMap::new(), &how, run, |_| Ok::<(), Problem>(()));
    assert!(catch_unwind(AssertUnwindSafe(sweep)).is_err(), "and it ends");
}
