//! Sweeps over a fake simulator: however a sweep is divided or interrupted, the report is the same.

mod fake;
mod journals;
mod merges;

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use deathwatch_documents::{Outcome, Status};
use deathwatch_scenario::Problem;
use deathwatch_study::sweep::{self, Options, SeedRange, Seeds, Shard, SweepPlan, Tally, Until};

use fake::{FakeSweep, USUAL, about, all, fake, header};

#[test]
fn a_report_does_not_depend_on_the_number_of_jobs() {
    for until in [Until::End, Until::FirstSurprise] {
        for wrong in [&[] as &[u64], &[41], &[20, 41, 42], &[77]] {
            let header = header(&[SeedRange::new(0, 60)], until);
            let one = FakeSweep { wrong, ..USUAL }.report(&header);
            for jobs in [2, 3, 8] {
                let many = FakeSweep { jobs, wrong, ..USUAL }.report(&header);
                assert_eq!(all(&[many]), all(std::slice::from_ref(&one)), "{jobs} jobs");
            }
        }
    }
}

#[test]
fn the_first_surprise_in_the_order_of_the_plan_ends_a_sweep() {
    let header = header(&[SeedRange::new(0, 60)], Until::FirstSurprise);
    let report = FakeSweep { jobs: 4, wrong: &[30, 20, 3], ..USUAL }.report(&header);
    assert_eq!((report.ended_by, report.seeds), (Some(3), 2), "the known seeds come first");
    let report = FakeSweep { jobs: 4, wrong: &[30, 20], ..USUAL }.report(&header);
    // 500, 3, 77, then 0 to 20 but for 3.
    assert_eq!((report.ended_by, report.seeds, report.missing.len()), (Some(20), 23, 0));
    assert_eq!(report.status, Status::Unexpected);
    assert_eq!(report.surprising_seeds(), [20]);
}

#[test]
fn what_is_expected_decides_how_a_sweep_stands() {
    let status = |ranges: &[SeedRange], sweep: FakeSweep<'_>| {
        let mut header = header(ranges, Until::End);
        header.scenarios[0].known = vec![3];
        let report = sweep.report(&header);
        (report.status, report.answer)
    };
    let all_seeds = [SeedRange::new(0, 60)];
    let violated = Outcome::Violated;
    assert_eq!(status(&all_seeds, USUAL), (Status::AsExpected, violated));
    let wrong = FakeSweep { wrong: &[8], ..USUAL };
    assert_eq!(status(&all_seeds, wrong), (Status::Unexpected, violated));
    let few_seeds = [SeedRange::new(1, 4)];
    assert_eq!(status(&few_seeds, USUAL), (Status::Unexpected, Outcome::Holds));
    let cut = FakeSweep { most: 3, ..USUAL };
    assert_eq!(status(&few_seeds, cut), (Status::Undecided, Outcome::Undecided));
}

#[test]
fn a_panic_is_not_swallowed() {
    let about = about("one", &[]);
    let plan = SweepPlan::new(&[], &Seeds::new(&[SeedRange::new(0, 1 << 40)], &[]), Shard::WHOLE);
    let mut tally = Tally::new(&about, &plan, Until::End);
    let how = Options { jobs: 3, stop: &|| false, progress: &|_| {} };
    let run = |seed: u64, _: &(dyn Fn() -> bool + Sync)| {
        assert_ne!(seed, 40, "a defect of ours");
        Some(fake(seed, &[]))
    };
    let sweep = || sweep::run(&mut tally, BTreeMap::new(), &how, run, |_| Ok::<(), Problem>(()));
    assert!(catch_unwind(AssertUnwindSafe(sweep)).is_err(), "and it ends");
}
