//! The findings of all processes together.

use super::{
    Distributed, Exchange, ExploredPart,
    message::{MessageReader, MessageWriter},
    rounds::{round, silence, to_all},
};
use crate::{Stop, explore::Refused};

/// Merges the findings and counts of the other processes into those of this one.
pub(super) fn merge_findings<S: Distributed>(
    space: &S,
    exchange: &dyn Exchange,
    found: &mut ExploredPart<S::Worker>,
    saved: &[u8],
) -> Result<(), Stop> {
    let mut message = MessageWriter::default();
    message.push(found.transitions);
    message.push(found.bytes);
    message.push_bytes(saved);
    let messages = round(exchange, Ok(to_all(exchange, &message)))?;
    found.transitions = 0;
    let read = messages.iter().enumerate().try_for_each(|(process, message)| {
        let mut message = MessageReader::new(message);
        let transitions = message.take()?;
        found.transitions = found.transitions.checked_add(transitions).ok_or(Stop::Peer)?;
        found.bytes = found.bytes.max(message.take()?);
        if process == exchange.process() {
            return Ok(());
        }
        let added = space.add_findings(&mut found.findings, message.rest());
        added.map_err(|Refused| Stop::Peer)
    });
    round(exchange, read.map(|()| silence(exchange))).map(drop)
}
