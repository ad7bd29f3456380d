//! Rounds of messages as a timely dataflow.
//!
//! A timely worker cannot leave its thread, and the search has threads of its own. So the worker
//! has a thread that gets the messages of a round to send, and returns the received ones.

use std::{
    cell::RefCell,
    io,
    net::{Shutdown, TcpStream},
    rc::Rc,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use deathwatch_checker::explore::{Exchange, PeerLost};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use timely::{
    WorkerConfig,
    communication::{
        Allocator, Hooks,
        allocator::{ProcessBuilder, zero_copy::initialize::initialize_networking_from_sockets},
    },
    dataflow::{
        InputHandle, ProbeHandle,
        operators::{Exchange as _, Input as _, Inspect as _, Probe as _},
    },
    worker::Worker,
};

use crate::watched::{BEAT, StreamWatch, WatchedStream};

/// The most bytes of a piece of a message. A frame has as many pieces as timely gathers.
const PIECE: usize = 1 << 16;
/// The timeout of a worker that waits for messages, before it checks for lost processes.
const WAIT: Duration = Duration::from_millis(50);
/// The number of waits for a round after which a process that is to stop takes the others for lost:
/// a process that hangs would never end the round.
const LAST_WAITS: usize = 60;
/// The number of steps that a worker still takes after a process was lost, as all messages of the
/// round may have come.
const LAST_STEPS: usize = 10;

/// The number of steps of `WAIT` in a beat, at least.
const STEPS_A_BEAT: u128 = BEAT.as_millis() / WAIT.as_millis();

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Piece {
    round: u64,
    to: u32,
    from: u32,
    /// Its place among the pieces of the message, and their number; a heartbeat has none.
    place: u32,
    pieces: u32,
    bytes: ByteBuf,
}

/// The messages of one round, one for each process; an empty list if this process leaves.
type Messages = Vec<Vec<u8>>;

/// The channels to the worker's thread: for messages to send, closed after the last round, and for
/// the received ones.
type RoundLine = (Option<Sender<Messages>>, Receiver<Result<Messages, PeerLost>>);

/// The connections of this process to all others.
pub struct Cluster {
    process: usize,
    processes: usize,
    line: Mutex<RoundLine>,
    worker: Option<JoinHandle<bool>>,
    traffic: Mutex<Traffic>,
    watch: Arc<StreamWatch>,
    stop: Box<dyn Fn() -> bool + Send + Sync>,
}

/// The number of rounds of a process, and of bytes that it has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub rounds: u64,
    /// The bytes of its messages to other processes.
    pub bytes: u64,
}

impl Cluster {
    /// Starts the threads that carry messages. There is a stream to each other process, and `None`
    /// in the place of this one.
    pub(crate) fn start(process: usize, streams: Vec<Option<TcpStream>>) -> io::Result<Self> {
        let processes = streams.len();
        let (sender, rounds) = channel();
        let (answer, answers) = channel();
        let watch = Arc::new(StreamWatch::default());
        let watched = Arc::clone(&watch);
        let work = move || work(process, streams, &watched, &rounds, &answer);
        let worker = thread::Builder::new().name("cluster".to_owned()).spawn(work)?;
        let line = Mutex::new((Some(sender), answers));
        let traffic = Mutex::default();
        Ok(Self {
            process,
            processes,
            line,
            worker: Some(worker),
            traffic,
            watch,
            stop: Box::new(|| false),
        })
    }

    /// The same connections, with a condition to give rounds up. `stop` is asked only while a round
    /// waits for others; soon after it returns true, the others count as lost.
    #[must_use]
    pub fn stopping(self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { stop: Box::new(stop), ..self }
    }

    /// The process that was lost because it sent nothing for a minute, if one was.
    pub fn silent(&self) -> Option<usize> {
        self.watch.silent()
    }

    /// The rounds of this process so far, and the bytes that it has sent.
    pub fn traffic(&self) -> Traffic {
        *self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connections, once all messages of this process are on their way. All processes call
    /// this after the last round; a process that does not is lost to the others. Returns whether no
    /// process was lost before.
    pub fn finish(mut self) -> bool {
        let has_left = self.line().0.take().is_none();
        let ended = self.worker.take().map(JoinHandle::join);
        !has_left && matches!(ended, Some(Ok(true)))
    }

    fn line(&self) -> MutexGuard<'_, RoundLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for Cluster {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn exchange(&self, messages: Messages) -> Result<Messages, PeerLost> {
        {
            let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
            let others = messages.iter().enumerate().filter(|(to, _)| *to != self.process);
            traffic.bytes += others.map(|(_, message)| message.len() as u64).sum::<u64>();
            traffic.rounds += 1;
        }
        let line = self.line();
        line.0.as_ref().ok_or(PeerLost)?.send(messages).map_err(|_| PeerLost)?;
        let mut waits = 0;
        loop {
            match line.1.recv_timeout(WAIT) {
                Ok(messages) => return messages,
                Err(RecvTimeoutError::Disconnected) => return Err(PeerLost),
                Err(RecvTimeoutError::Timeout) => {
                    waits += usize::from((self.stop)());
                    if waits == LAST_WAITS {
                        self.watch.give_up();
                    }
                }
            }
        }
    }

    fn leave(&self) {
        // The others lack its next messages, and end at once.
        if let Some(sender) = self.line().0.take() {
            drop(sender.send(Vec::new()));
        }
    }
}

/// Carries the messages of rounds until there are no more, or a process is lost. Returns whether
/// none was lost.
fn work(
    process: usize,
    streams: Vec<Option<TcpStream>>,
    watch: &Arc<StreamWatch>,
    rounds: &Receiver<Messages>,
    answers: &Sender<Result<Messages, PeerLost>>,
) -> bool {
    let processes = streams.len();
    let clones = streams.iter().flatten().map(TcpStream::try_clone);
    let Ok(clones) = clones.collect::<io::Result<Vec<TcpStream>>>() else { return false };
    let watched = |(other, stream): (usize, Option<TcpStream>)| {
        stream.map(|stream| WatchedStream::new(stream, [other, process], watch)).transpose()
    };
    let streams = streams.into_iter().enumerate().map(watched);
    let Ok(streams) = streams.collect::<io::Result<Vec<_>>>() else { return false };
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let Ok((mut builders, guard)) =
        initialize_networking_from_sockets(local, streams, process, 1, hooks)
    else {
        return false;
    };
    let builder = builders.pop().expect("there is a builder for each worker");
    let allocator = Allocator::Tcp(builder.build());
    // A polling worker would take time from the threads of the search.
    let config = WorkerConfig::default().idle_spin(Duration::ZERO);
    let mut worker = Worker::new(config, allocator, Some(clock()));
    let (mut input, probe) = (InputHandle::<u64, _>::new(), ProbeHandle::new());
    let received = Rc::new(RefCell::new(Vec::new()));
    let inbox = Rc::clone(&received);
    worker.dataflow(|scope| {
        scope
            .input_from(&mut input)
            .container::<Vec<Piece>>()
            .exchange(|piece| piece.to.into())
            .inspect(move |piece| {
                if piece.pieces > 0 {
                    inbox.borrow_mut().push(piece.clone());
                }
            })
            .probe_with(&probe);
    });
    let (mut is_lost, mut has_left, mut round) = (false, false, 0);
    loop {
        let messages = match rounds.recv_timeout(BEAT) {
            Ok(messages) => messages,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                beats(process, processes).for_each(|piece| input.send(piece));
                input.flush();
                worker.step();
                continue;
            }
        };
        round += 1;
        if messages.is_empty() {
            has_left = true;
            break;
        }
        for (to, message) in messages.iter().enumerate() {
            pieces(round, process, to, message).for_each(|piece| input.send(piece));
        }
        input.advance_to(round);
        let mut last_steps = LAST_STEPS;
        for step in 1.. {
            if !probe.less_than(&round) || last_steps == 0 {
                break;
            }
            // Messages that came before the end of a stream may complete the round.
            last_steps -= usize::from(watch.is_lost());
            worker.step_or_park(Some(WAIT));
            if step % STEPS_A_BEAT == 0 {
                beats(process, processes).for_each(|piece| input.send(piece));
                input.flush();
            }
        }
        is_lost = probe.less_than(&round);
        // A process that has completed the round may have sent the next messages.
        let pieces = received.borrow_mut().extract_if(.., |piece| piece.round <= round).collect();
        let joined = if is_lost { Err(PeerLost) } else { join(pieces, round, processes) };
        is_lost |= joined.is_err();
        if answers.send(joined).is_err() || is_lost {
            break;
        }
    }
    if is_lost {
        std::mem::forget(input);
    } else {
        drop(input);
        // The watch notes a stream that has ended in order, too.
        while worker.has_dataflows() && !watch.is_lost() {
            worker.step_or_park(Some(WAIT));
        }
    }
    if is_lost || has_left {
        // Shut the streams down, so that the others notice.
        for stream in &clones {
            drop(stream.shutdown(Shutdown::Both));
        }
        // Threads that wait for a lost process end only with this process.
        std::mem::forget((worker, probe, guard));
        return false;
    }
    watch.finish();
    drop((worker, probe, guard));
    true
}

/// A clock for the worker, which without one polls and never parks.
#[expect(clippy::disallowed_types, reason = "nothing that is sent depends on it")]
fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

/// The heartbeats of a process to all others.
fn beats(from: usize, processes: usize) -> impl Iterator<Item = Piece> {
    let number = |it: usize| u32::try_from(it).expect("processes are few");
    (0..processes).filter(move |to| *to != from).map(move |to| Piece {
        round: 0,
        to: number(to),
        from: number(from),
        place: 0,
        pieces: 0,
        bytes: ByteBuf::new(),
    })
}

/// The pieces of a message, at least one.
fn pieces(round: u64, from: usize, to: usize, message: &[u8]) -> impl Iterator<Item = Piece> + '_ {
    let number = |it: usize| u32::try_from(it).expect("messages are of one batch");
    let pieces = message.len().div_ceil(PIECE).max(1);
    let (from, to) = (number(from), number(to));
    (0..pieces).map(move |place| {
        let bytes = &message[place * PIECE..message.len().min((place + 1) * PIECE)];
        let (place, pieces) = (number(place), number(pieces));
        Piece { round, to, from, place, pieces, bytes: ByteBuf::from(bytes.to_vec()) }
    })
}

/// The messages of a round, joined from their pieces, one message from each process. An error if
/// any piece is missing or there twice, as from a process that has ended in between.
fn join(mut received: Vec<Piece>, round: u64, processes: usize) -> Result<Messages, PeerLost> {
    received.sort_by_key(|piece| (piece.from, piece.place));
    let (mut messages, mut pieces) = (vec![Vec::new(); processes], received.into_iter().peekable());
    for (process, message) in messages.iter_mut().enumerate() {
        let (mut place, mut expected) = (0, 1);
        while let Some(piece) = pieces.next_if(|piece| piece.from as usize == process) {
            if piece.round != round || piece.place != place || piece.bytes.len() > PIECE {
                return Err(PeerLost);
            }
            message.extend(piece.bytes);
            (place, expected) = (place + 1, piece.pieces);
        }
        if place != expected {
            return Err(PeerLost);
        }
    }
    if pieces.next().is_some() { Err(PeerLost) } else { Ok(messages) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_joined_of_their_pieces_and_of_nothing_else() {
        let message: Vec<u8> =
            (0..PIECE * 2 + 5).map(|it| u8::try_from(it % 251).unwrap()).collect();
        let sent = |from, message| pieces(4, from, 0, message);
        let mut all: Vec<Piece> =
            sent(1, &message).chain(sent(0, &[7])).chain(sent(2, &[])).collect();
        assert_eq!(all.len(), 5);
        all.swap(0, 2);
        assert_eq!(join(all.clone(), 4, 3), Ok(vec![vec![7], message, Vec::new()]));
        assert_eq!(join(all.clone(), 3, 3), Err(PeerLost), "they are of another round");
        for place in 0..5 {
            let mut torn = all.clone();
            torn.remove(place);
            assert_eq!(join(torn, 4, 3), Err(PeerLost));
        }
        let mut twice = all.clone();
        twice.push(all[1].clone());
        assert_eq!(join(twice, 4, 3), Err(PeerLost));
        assert_eq!(join(all, 4, 1), Err(PeerLost), "there is no such process");
    }
}
