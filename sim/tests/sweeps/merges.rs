//! Merging: shards make the whole, or the missing ones are named.

use std::fs;

use deathwatch_documents::Status;
use deathwatch_study::sweep::{self, SeedRange, Shard, Until};

use super::fake::{FakeSweep, USUAL, all, folder, header, sealed, shard};

#[test]
fn shards_make_the_whole() {
    for until in [Until::End, Until::FirstSurprise] {
        for wrong in [&[] as &[u64], &[41, 44], &[3]] {
            let whole = header(&[SeedRange::new(0, 50)], until);
            let folder = folder();
            let sweep = FakeSweep { jobs: 2, wrong, ..USUAL };
            let path = |name: &str| folder.path().join(name);
            let reports = sweep.journaled(&whole, &path("whole")).expect("it can be written");
            let mut shards = Vec::new();
            for number in [3, 1, 2] {
                let part = shard(&whole, number, 3);
                shards.push(path(&number.to_string()));
                sweep.journaled(&part, shards.last().expect("one")).expect("it can be written");
            }
            let merged = sweep::merge(&shards).expect("they are of one sweep");
            assert_eq!(all(&merged.sweeps), all(&reports), "{until:?} {wrong:?}");
            shards.push(path("whole"));
            let merged = sweep::merge(&shards).expect("what is there twice is the same");
            assert_eq!(all(&merged.sweeps), all(&reports));
        }
    }
}

#[test]
fn a_shard_does_not_know_what_another_one_finds() {
    let whole = header(&[SeedRange::new(0, 4)], Until::End);
    let part = shard(&whole, 2, 5);
    let report = USUAL.report(&part);
    assert_eq!((report.seeds, report.status), (1, Status::Undecided));
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
    assert_eq!(merged.sweeps[1].missing, ["1", "4", "7"].map(str::to_owned));
    assert_eq!(merged.sweeps[1].status, Status::Undecided);

    let text = fs::read_to_string(path(1)).expect("text");
    let text = sealed(&text.replace("\"steps\":106", "\"steps\":107"));
    fs::write(path(4), text).expect("written");
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
