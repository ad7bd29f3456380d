//! Journals: a sweep goes on where its journal ends, and leaves other files alone.

use std::{cell::RefCell, collections::BTreeMap, fs, path::Path};

use deathwatch_documents::Status;
use deathwatch_scenario::Expected;
use deathwatch_study::{
    journal::Journal,
    sweep::{self, SeedRange, SeedResult, Until},
};

use super::fake::{FakeSweep, USUAL, all, changed, folder, header, sealed, shard};
use crate::common::cases;

#[test]
fn a_sweep_goes_on_wherever_its_journal_ends() {
    for until in [Until::End, Until::FirstSurprise] {
        let header = header(&[SeedRange::new(0, 7)], until);
        let sweep = FakeSweep { jobs: 2, wrong: &[5], ..USUAL };
        let folder = folder();
        let whole = folder.path().join("whole.jsonl");
        let undisturbed = all(&sweep.journaled(&header, &whole).expect("it can be written"));
        let text = fs::read(&whole).expect("it was written");
        let torn = folder.path().join("torn.jsonl");
        for end in (0..text.len()).step_by(cases(149, 37)).chain([text.len() - 1, text.len()]) {
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
    let cut = FakeSweep { most: 8, ..USUAL }.journaled(&header, &path).expect("it can be written");
    assert_eq!((cut[0].seeds, cut[0].status), (8, Status::Undecided));
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

/// Further seeds are written after the earlier results, wherever these end.
#[test]
fn a_journal_grows_to_more_seeds() {
    for until in [Until::End, Until::FirstSurprise] {
        let few = header(&[SeedRange::new(0, 7)], until);
        let more = header(&[SeedRange::new(0, 12)], until);
        let sweep = FakeSweep { jobs: 2, wrong: &[9], ..USUAL };
        let folder = folder();
        let path = folder.path().join("journal.jsonl");
        let at_once = all(&sweep.journaled(&more, &path).expect("it can be written"));
        fs::remove_file(&path).expect("it was written");
        let before = all(&sweep.journaled(&few, &path).expect("it can be written"));
        let text = fs::read(&path).expect("it was written");
        let begin = text.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        for end in (begin..text.len()).step_by(cases(149, 37)).chain([text.len() - 1, text.len()]) {
            fs::write(&path, &text[..end]).expect("written");
            assert_eq!(all(&sweep.journaled(&more, &path).expect("it grows")), at_once, "{end}");
            let grown = fs::read(&path).expect("it is there");
            let [first, _] =
                Journal::open(&path, &more).expect("it has grown").1.try_into().unwrap();
            assert!(first.contains_key(&6), "{end}");
            assert_eq!(all(&sweep.journaled(&more, &path).expect("it is whole")), at_once);
            assert_eq!(fs::read(&path).expect("it is there"), grown);
            let merged = sweep::merge(std::slice::from_ref(&path)).expect("it is a journal");
            assert_eq!(all(&merged.sweeps), at_once, "{end}");
            let error = sweep.journaled(&few, &path).expect_err("it has more").to_string();
            assert!(error.ends_with("is of another sweep"), "{error}");
        }
        // A torn line about further seeds does not count.
        let grown = fs::read(&path).expect("it is there");
        let line = grown[text.len()..].iter().position(|byte| *byte == b'\n').expect("a line");
        for end in [1, line / 2, line] {
            fs::write(&path, &grown[..text.len() + end]).expect("written");
            assert_eq!(all(&sweep.journaled(&few, &path).expect("it is cut off")), before);
        }
    }
}

#[test]
fn a_journal_of_another_sweep_is_left_alone() {
    let wanted = header(&[SeedRange::new(0, 7)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    USUAL.journaled(&wanted, &path).expect("it can be written");
    let ours = fs::read_to_string(&path).expect("text");
    let version = format!("\"deathwatch\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let [first, last] = [ours.lines().next(), ours.lines().last()].map(|it| it.expect("a line"));
    let texts = [
        ("hello", "is not a journal"),
        ("hello\n", "is not a journal"),
        ("{\"deathwatch\": \"0.1.0\", \"command\": \"simulate\"}\n", "is not a journal"),
        (
            &sealed("{\"deathwatch\":\"0.1.0\",\"journal\":5,\"crc32\":\"\n"),
            "is of an older layout",
        ),
        (
            &sealed("{\"deathwatch\":\"0.1.0\",\"answers\":3,\"crc32\":\"\n"),
            "is of an older layout",
        ),
        (&sealed(&ours.replace(&version, "\"deathwatch\":\"0.0.7\"")), "is of version 0.0.7"),
        (&sealed(&ours.replace("\"layout\":9", "\"layout\":10")), "line 1"),
        (&sealed(&ours.replace("\"layout\":9", "\"layout\":8")), "is of an older layout"),
        (&sealed(&ours.replace("\"of\":\"simulate\"", "\"of\":\"check\"")), "is not a journal"),
        ("{\"deathwatch\":\"0.1.0\",\"journal\":1}\n", "no checksums"),
        (&(ours.clone() + "nonsense\n"), "is damaged"),
        (&sealed(&(ours.clone() + "{\"scenario\":0,\"crc32\":\"\n")), "makes no sense"),
        (
            &sealed(&(ours.clone() + &last.replace("\"crash\":1", "\"crash\":2") + "\n")),
            "contradicts line",
        ),
        (&sealed(&ours.replace("\"seed\":6", "\"seed\":6000")), "does not belong to it"),
        (
            &sealed(&(ours.clone() + &first.replace("\"0..7\"", "\"0..6\"") + "\n")),
            "does not follow from what was asked before",
        ),
        (
            &sealed(&(ours.clone() + &first.replace("\"0..7\"", "\"0..7\",\"3..4\"") + "\n")),
            "its seeds overlap",
        ),
    ];
    for (text, says) in texts {
        fs::write(&path, text).expect("written");
        let error = USUAL.journaled(&wanted, &path).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), text, "nothing is overwritten");
    }
    let mut others = vec![header(&[SeedRange::new(0, 6)], Until::End)];
    others.push(header(&[SeedRange::new(1, 8)], Until::End));
    others.push(changed(&wanted, |it| it.scenarios[0].set.push("a=b".to_owned())));
    others.push(header(&[SeedRange::new(0, 7)], Until::FirstSurprise));
    others.push(shard(&wanted, 1, 2));
    others.push(changed(&wanted, |it| it.verify = true));
    others.push(changed(&wanted, |it| it.scenarios.truncate(1)));
    others.push(changed(&wanted, |it| it.scenarios[0].known.truncate(1)));
    others.push(changed(&wanted, |it| it.scenarios[1].known.push(3)));
    others.push(changed(&wanted, |it| it.scenarios[0].claims.truncate(1)));
    others.push(changed(&wanted, |it| it.scenarios[1].claims.reverse()));
    others.push(changed(&wanted, |it| it.scenarios[1].claims[0].1 = Expected::Vacuous));
    others.push(changed(&wanted, |it| it.scenarios[1].failures.push("line 3: no".to_owned())));
    for other in others {
        fs::write(&path, &ours).expect("written");
        let error = USUAL.journaled(&other, &path).expect_err("another sweep").to_string();
        assert!(error.ends_with("is of another sweep"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), ours);
    }
}

/// A flipped bit is found, both by going on and by merging, or costs the last seed.
#[test]
fn a_changed_bit_is_found_or_costs_the_last_seed() {
    let header = header(&[SeedRange::new(0, 3)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    let reports = USUAL.journaled(&header, &path).expect("it can be written");
    let ours = fs::read(&path).expect("it was written");
    let mut refused = 0;
    for bit in (0..ours.len() * 8).step_by(37).chain(ours.len() * 8 - 16..ours.len() * 8) {
        let mut bytes = ours.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).expect("written");
        match sweep::merge(std::slice::from_ref(&path)) {
            Err(_) => refused += 1,
            Ok(merged) => {
                // The end of the last line is gone, and with it the seed.
                assert_eq!(bit / 8, ours.len() - 1, "bit {bit}");
                assert_eq!(all(&merged.sweeps[..1]), all(&reports[..1]));
                assert_eq!(merged.sweeps[1].seeds + 1, reports[1].seeds);
            }
        }
    }
    assert!(refused > ours.len() / 5, "{refused} of {} bits", ours.len() * 8);
}

#[test]
fn a_header_that_no_sweep_would_write_is_refused() {
    let header = header(&[SeedRange::new(0, 7), SeedRange::new(10, 20)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    USUAL.journaled(&header, &path).expect("it can be written");
    let ours = fs::read_to_string(&path).expect("text");
    let huge =
        format!("[{}\"0..9223372036854775807\"]", "\"0..9223372036854775807\",".repeat(5000));
    for (old, new) in [
        ("[\"0..7\",\"10..20\"]", "[\"0..7\",\"0..7\",\"0..7\"]"),
        ("[\"0..7\",\"10..20\"]", "[\"10..20\",\"0..7\"]"),
        ("[\"0..7\",\"10..20\"]", "[\"0..12\",\"10..20\"]"),
        ("[\"0..7\",\"10..20\"]", "[\"0..10\",\"10..20\"]"),
        ("[\"0..7\",\"10..20\"]", "[\"9..9\"]"),
        ("[\"0..7\",\"10..20\"]", &huge),
        ("\"singles\":[77]", "\"singles\":[77,77]"),
        ("\"singles\":[77]", "\"singles\":[18446744073709551615]"),
        ("\"known\":[500,3]", "\"known\":[500,3,500]"),
        ("\"known\":[500,3]", "\"known\":[18446744073709551615]"),
        ("\"shard\":\"1/1\"", "\"shard\":\"2/1\""),
        ("\"shard\":\"1/1\"", "\"shard\":\"0/0\""),
    ] {
        let text = sealed(&ours.replace(old, new));
        assert_ne!(text, ours, "{old}");
        fs::write(&path, &text).expect("written");
        let error = sweep::merge(std::slice::from_ref(&path)).err().expect(new).to_string();
        assert!(error.contains("line 1 of the journal"), "{new}: {error}");
        USUAL.journaled(&header, &path).expect_err(new);
        assert_eq!(fs::read_to_string(&path).expect("text"), text, "nothing is overwritten");
    }
}

#[test]
fn a_journal_is_open_once() {
    let header = header(&[SeedRange::new(0, 7)], Until::End);
    let folder = folder();
    let path = folder.path().join("journal.jsonl");
    let (first, _) = Journal::open(&path, &header).expect("it can be written");
    let text = fs::read_to_string(&path).expect("text");
    for other in [&header, &changed(&header, |it| it.verify = true)] {
        let error = Journal::open(&path, other).expect_err("it is open").to_string();
        assert!(error.contains("is in use by another process"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), text);
    }
    drop(first);
    Journal::open(&path, &header).expect("it was closed");
}

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_is_an_error() {
    let header = header(&[SeedRange::new(0, 7)], Until::End);
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("written");
    let inside = file.join("journal.jsonl");
    for (path, says) in [
        (Path::new("/dev/full"), "failed to write the journal /dev/full"),
        (folder.path(), "it is a folder"),
        (&inside, "it would not be in a folder"),
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
    let sweep = FakeSweep { jobs: 3, ..USUAL };
    sweep.run(&header, 0, BTreeMap::new(), keep).expect_err("it could not be kept");
    assert_eq!(left, 0, "nothing is kept afterwards");
}
