//! D3, "What We Run, and Why", by the line numbers that it shows.

use super::{Passage, bullet, heading, lead, text};

pub(super) const PASSAGES: &[Passage] = &[
    heading(1, 2, "What We Run, and Why"),
    text(4, 7, "machines that are not Dead have instances; Dead ones and strays go"),
    lead(9, 11, "an instance's series and constraints are its machine's"),
    heading(13, 14, "series"),
    text(16, 20, "fixed at creation; a unit's is its application's and its machine's"),
    text(22, 25, "subordinate relations take equal series"),
    heading(27, 28, "constraints"),
    text(30, 32, "what has them; a unit's are not shown"),
    lead(34, 36, "how they are meant to be used"),
    bullet(38, 43, "a unit captures those of its application and model when it is added"),
    bullet(44, 45, "a machine that is added for a unit copies the unit's"),
    bullet(46, 48, "a machine that is added without a unit, as managers are, copies the model's"),
    text(50, 59, "an example, and why nothing is captured later"),
    text(61, 64, "subordinates have none"),
    heading(66, 67, "provisioning errors, as they are"),
    text(69, 77, "a unit whose machine was never provisioned can be removed directly"),
    text(79, 83, "a machine that was never provisioned is left when it is destroyed"),
    heading(85, 86, "provisioning errors, as planned"),
    lead(88, 90, "a note on the plan"),
    text(92, 96, "a failed start leaves no instance id and sets an error"),
    text(98, 100, "a machine that is resolved is tried again"),
    text(102, 106, "its constraints may be replaced"),
];
