//! Several processes, each in a thread of its own.

use std::{
    sync::{Condvar, Mutex, MutexGuard},
    thread,
    time::Duration,
};

use deathwatch_checker::explore::{Exchange, PeerLost};

/// Messages of a round, by receiver and then by sender.
pub(crate) type AllMessages = Vec<Vec<Vec<u8>>>;

/// The damage that a test does to the messages of a round.
pub(crate) type Damage<'d> = dyn Fn(usize, &mut AllMessages) -> Result<(), PeerLost> + Sync + 'd;

/// The time that a process waits for the others: no test takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A table on which processes leave messages for each other.
struct MessageTable<'d> {
    processes: usize,
    damage: &'d Damage<'d>,
    rounds: Mutex<Rounds>,
    changed: Condvar,
}

/// The rounds of a table: messages are left, and then they are taken.
#[derive(Default)]
struct Rounds {
    round: usize,
    messages: AllMessages,
    left: usize,
    taken: usize,
    is_over: bool,
}

impl MessageTable<'_> {
    /// Waits for as long as no process leaves and `is_early`.
    fn wait(&self, is_early: impl Fn(&Rounds) -> bool) -> Result<MutexGuard<'_, Rounds>, PeerLost> {
        let rounds = self.rounds.lock().unwrap();
        let is_early = |rounds: &mut Rounds| !rounds.is_over && is_early(rounds);
        let (rounds, waited) = self.changed.wait_timeout_while(rounds, PATIENCE, is_early).unwrap();
        assert!(!waited.timed_out(), "a process waits for ever");
        if rounds.is_over { Err(PeerLost) } else { Ok(rounds) }
    }
}

/// A process that shares the table with the others.
struct ThreadExchange<'t>(usize, &'t MessageTable<'t>);

impl Exchange for ThreadExchange<'_> {
    fn process(&self) -> usize {
        self.0
    }

    fn processes(&self) -> usize {
        self.1.processes
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PeerLost> {
        let Self(process, table) = self;
        // Nobody leaves anything before all have taken what was left.
        let mut rounds = table.wait(|it| it.left == table.processes)?;
        for (to, message) in messages.into_iter().enumerate() {
            rounds.messages[to][*process] = message;
        }
        rounds.left += 1;
        if rounds.left == table.processes {
            let Rounds { round, messages, taken, is_over, .. } = &mut *rounds;
            *is_over = (table.damage)(*round, messages).is_err();
            (*round, *taken) = (*round + 1, 0);
            table.changed.notify_all();
        }
        drop(rounds);
        let mut rounds = table.wait(|it| it.left < table.processes)?;
        let none = vec![Vec::new(); table.processes];
        let mine = std::mem::replace(&mut rounds.messages[*process], none);
        rounds.taken += 1;
        if rounds.taken == table.processes {
            rounds.left = 0;
            table.changed.notify_all();
        }
        Ok(mine)
    }

    fn leave(&self) {
        self.1.rounds.lock().unwrap().is_over = true;
        self.1.changed.notify_all();
    }
}

/// Does `work` in each of this number of processes.
pub(crate) fn in_processes<T: Send>(
    processes: usize,
    damage: &Damage<'_>,
    work: impl Fn(&dyn Exchange) -> T + Sync,
) -> Vec<T> {
    let messages = vec![vec![Vec::new(); processes]; processes];
    let rounds = Mutex::new(Rounds { messages, ..Rounds::default() });
    let table = MessageTable { processes, damage, rounds, changed: Condvar::new() };
    thread::scope(|scope| {
        let (table, work) = (&table, &work);
        let start = |process| scope.spawn(move || work(&ThreadExchange(process, table)));
        let threads: Vec<_> = (0..processes).map(start).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other disturbances lose a process")]
pub(crate) fn intact(_: usize, _: &mut AllMessages) -> Result<(), PeerLost> {
    Ok(())
}
