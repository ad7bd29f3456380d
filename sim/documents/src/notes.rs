//! The mark of claims that read what agents note, wherever a claim is named.

use deathwatch_claims::Claim;

/// The words for such a claim.
pub const READ_OFF_NOTES: &str = "read off the agents' own notes";

/// The mark behind its name where there is no room for them.
pub const NOTED: &str = "†";

/// The name of a claim, with the mark if it reads notes.
pub fn marked(claim: &Claim) -> String {
    with_mark(claim.name, claim.reads_notes())
}

/// A name, with the mark if what it names `reads_notes`.
pub fn with_mark(name: &str, reads_notes: bool) -> String {
    if reads_notes { format!("{name} {NOTED}") } else { name.to_owned() }
}
