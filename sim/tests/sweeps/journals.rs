//! Journals: a sweep goes on where its journal ends, and nobody else's file is touched.

use std::{cell::RefCell, collections::BTreeMap, fs, path::Path};

use deathwatch_sim::{
    sweep::{Journal, SeedRange, SeedResult, Until},
    verdict::Status,
};

use crate::fake::{Sweep, USUAL, all, changed, folder, header, shard};

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
