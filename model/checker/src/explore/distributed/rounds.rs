//! Rounds of messages: each process sends one to each process, and all stop in the same round.

use super::{
    Exchange, PeerLost,
    message::{MessageReader, MessageWriter, open},
};
use crate::Stop;

/// Sends the messages that a step of this process has made, one for each process, and returns those
/// of all processes. If the step failed in some process, all return the reason of the first such
/// one. A process that cannot read a message ends the rounds of all.
pub(crate) fn round(
    exchange: &dyn Exchange,
    made: Result<Vec<MessageWriter>, Stop>,
) -> Result<Vec<Vec<u8>>, Stop> {
    let stop = made.as_ref().err().copied();
    let messages = made.unwrap_or_else(|_| silence(exchange));
    assert_eq!(messages.len(), exchange.processes(), "there is a message for each process");
    let messages = messages.into_iter().map(|message| message.into_bytes(stop));
    let answers = exchange.exchange(messages.collect());
    let mut answers = answers.map_err(|PeerLost| Stop::Peer)?;
    let is_whole = answers.len() == exchange.processes();
    let read = answers.iter_mut().try_for_each(open);
    let read = if is_whole { read } else { Err(Stop::Peer) };
    if read == Err(Stop::Peer) {
        exchange.leave();
    }
    read.map(|()| answers)
}

/// The numbers that process 0 passes. All processes call this; the others' numbers are ignored.
///
/// # Errors
/// If a process was lost.
pub fn said_by_first(exchange: &dyn Exchange, numbers: &[u64]) -> Result<Vec<u64>, Stop> {
    let mut message = MessageWriter::default();
    for number in numbers {
        message.push(*number);
    }
    let messages = round(exchange, Ok(to_all(exchange, &message)))?;
    let (mut said, mut numbers) = (MessageReader::new(&messages[0]), Vec::new());
    while !said.is_empty() {
        numbers.push(said.take().inspect_err(|_| exchange.leave())?);
    }
    Ok(numbers)
}

/// An empty message for each process.
pub(crate) fn silence(exchange: &dyn Exchange) -> Vec<MessageWriter> {
    vec![MessageWriter::default(); exchange.processes()]
}

/// The same message for each process.
pub(crate) fn to_all(exchange: &dyn Exchange, message: &MessageWriter) -> Vec<MessageWriter> {
    vec![message.clone(); exchange.processes()]
}
