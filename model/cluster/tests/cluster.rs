//! Clusters of a few processes, each in a thread of its own, on loopback.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

use deathwatch_checker::explore::{Exchange as _, PeerLost};
use deathwatch_cluster::{
    Cluster, ConnectError, HostAddress, Member, TurnedAway, connect, free_addresses,
};

/// Addresses with unused ports, as many as `processes`.
fn free(processes: usize) -> Vec<HostAddress> {
    free_addresses(processes).unwrap()
}

/// Connects the processes at `addresses`, each with the question and secret that `question` gives.
fn connected(
    addresses: &[HostAddress],
    question: impl Fn(usize) -> (Vec<String>, Vec<u8>) + Sync,
) -> Vec<Result<Cluster, ConnectError>> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (is_over, question) = (&is_over, &question);
        let start = |process| {
            scope.spawn(move || {
                let (question, secret) = question(process);
                let found = connect(&Member {
                    addresses,
                    process,
                    secret: &secret,
                    question: &question,
                    stop: &|| is_over.load(Ordering::Relaxed),
                    turned_away: &|_, _| (),
                });
                if found.is_err() {
                    is_over.store(true, Ordering::Relaxed);
                }
                found
            })
        };
        let threads: Vec<_> = (0..addresses.len()).map(start).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

fn same(_: usize) -> (Vec<String>, Vec<u8>) {
    (vec!["the same".to_owned()], b"secret".to_vec())
}

#[test]
fn messages_of_many_rounds_come_to_whom_they_are_for() {
    for processes in [2, 4] {
        let members = connected(&free(processes), same);
        thread::scope(|scope| {
            for (me, member) in members.into_iter().enumerate() {
                scope.spawn(move || {
                    let member = member.unwrap();
                    assert_eq!((member.process(), member.processes()), (me, processes));
                    for round in 0..40 {
                        let message = |from: usize, to: usize| {
                            let byte = u8::try_from(round * 5 + from * 3 + to).unwrap();
                            vec![byte; (round * round * 997 * (from + 1)) % 300_000]
                        };
                        let sent = (0..processes).map(|to| message(me, to)).collect();
                        let expected: Vec<_> = (0..processes).map(|it| message(it, me)).collect();
                        assert!(member.exchange(sent).unwrap() == expected);
                    }
                    assert!(member.finish(), "none is lost");
                });
            }
        });
    }
}

/// Lets three processes make rounds, and process 1 end after three; returns whether each has
/// finished. A process that waits for ever is an error.
fn ended_by_one(end: impl Fn(Cluster) -> bool + Copy + Send + 'static) -> Vec<bool> {
    let members = connected(&free(3), same);
    let (sender, ended) = channel();
    for (me, member) in members.into_iter().enumerate() {
        let sender = sender.clone();
        thread::spawn(move || {
            let member = member.unwrap();
            for _ in 0..3 {
                member.exchange(vec![vec![1]; 3]).unwrap();
            }
            let is_finished = if me == 1 {
                end(member)
            } else {
                assert_eq!(member.exchange(vec![vec![1]; 3]), Err(PeerLost));
                assert_eq!(member.exchange(vec![vec![1]; 3]), Err(PeerLost));
                member.finish()
            };
            sender.send((me, is_finished)).unwrap();
        });
    }
    let mut all = vec![None; 3];
    for _ in 0..3 {
        let (process, is_finished) = ended.recv_timeout(Duration::from_secs(60)).unwrap();
        all[process] = Some(is_finished);
    }
    all.into_iter().flatten().collect()
}

#[test]
fn a_process_that_is_lost_ends_the_rounds_of_the_others() {
    // It ends its connections while the others go on.
    let ended = ended_by_one(Cluster::finish);
    assert_eq!([ended[0], ended[2]], [false; 2]);
}

#[test]
fn a_process_that_leaves_ends_the_rounds_of_all() {
    let ended = ended_by_one(|member| {
        member.leave();
        assert_eq!(member.exchange(vec![vec![1]; 3]), Err(PeerLost));
        member.finish()
    });
    assert_eq!(ended, [false; 3]);
}

#[test]
fn who_does_not_belong_to_the_others_is_told_why() {
    let other = |process: usize, same: &str, other: &str| {
        if process == 1 { other.to_owned() } else { same.to_owned() }
    };
    let found = connected(&free(3), |process| {
        (vec!["program 1".to_owned(), other(process, "world a", "world b")], Vec::new())
    });
    let shown: Vec<String> =
        found.iter().map(|it| it.as_ref().err().unwrap().to_string()).collect();
    assert!(shown.iter().any(|it| it.contains("world a") && it.contains("world b")), "{shown:?}");
    let found =
        connected(&free(2), |process| (vec![], other(process, "secret", "guess").into_bytes()));
    // Process 0 turns it away and waits on.
    let shown: Vec<String> =
        found.iter().map(|it| it.as_ref().err().unwrap().to_string()).collect();
    assert_eq!(shown[0], "process 1 did not come");
    assert!(shown[1].contains("does not know the secret"), "{shown:?}");
}

#[test]
fn strangers_are_turned_away_and_hinder_nobody() {
    let addresses = free(2);
    let turned_away = Mutex::new(Vec::new());
    let (question, secret) = same(0);
    let join = |process| {
        let turned_away = |_: &str, why| turned_away.lock().unwrap().push((process, why));
        connect(&Member {
            addresses: &addresses,
            process,
            secret: &secret,
            question: &question,
            stop: &|| false,
            turned_away: &turned_away,
        })
        .map_err(|it| it.to_string())
    };
    thread::scope(|scope| {
        let first = scope.spawn(|| join(0));
        let stranger = || loop {
            match TcpStream::connect(&addresses[0]) {
                Ok(stream) => break stream,
                Err(_) => thread::sleep(Duration::from_millis(10)),
            }
        };
        // Neither a silent stranger nor a slow one keeps others waiting.
        let _silent = stranger();
        let mut slow = stranger();
        for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 4096], b"x"] {
            drop(stranger().write_all(garbage));
        }
        // A stranger with the right mark learns nothing of the question.
        let mut guess = stranger();
        guess.write_all(b"deathwatch/2....").unwrap();
        guess.write_all(&[1; 32 + 32 + 99]).unwrap();
        let mut told = Vec::new();
        drop(guess.read_to_end(&mut told));
        assert_eq!(told.len(), 16 + 32, "a mark and a random number");
        slow.write_all(b"d").unwrap();
        let second = join(1).unwrap();
        let first = first.join().unwrap().unwrap();
        let mut turned_away = turned_away.lock().unwrap();
        turned_away.retain(|(_, why)| *why == TurnedAway::Secret);
        assert_eq!(*turned_away, [(0, TurnedAway::Secret)]);
        let other = scope.spawn(move || {
            second.exchange(vec![vec![1]; 2]).unwrap();
            second.finish();
        });
        first.exchange(vec![vec![2]; 2]).unwrap();
        first.finish();
        other.join().unwrap();
    });
}
