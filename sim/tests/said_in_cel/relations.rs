//! The built-in claims about the detail `relations`, said in CEL.

use super::claims::{
    CelClaim,
    CelFormula::{Always, Ends, Step},
};

/// What is said of whom a unit sees, and of what its hooks read.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim(
        "whoever is seen has settings",
        "sighting",
        Always(
            "it.seen.all(x, settings_document(it.relation, x).exists
            && settings_document(it.relation, x).has_settings)",
        ),
    ),
    CelClaim(
        "changed follows joined in the end",
        "sighting",
        Ends(
            "unit(it.unit).life == 'alive' && relation(it.relation).life == 'alive'
            && it.unit in relation(it.relation).in_scope && it.changed_due != 'none'",
        ),
    ),
    CelClaim(
        "after the last change of settings a changed hook runs",
        "sighting",
        Ends(
            "unit(it.unit).life == 'alive' && relation(it.relation).life == 'alive'
            && it.unit in relation(it.relation).in_scope && size(it.stale) > 0",
        ),
    ),
    CelClaim(
        "what a hook has read of a unit's settings was there at one time",
        "sighting",
        Always("size(it.read_mixed) == 0"),
    ),
    CelClaim(
        "what a hook reads is there as it reads it",
        "sighting",
        Step(
            "after.read.all(x,
                x in before.read && (!(x in before.read_old) || x in after.read_old)
                || settings_document(after.relation, x).exists
                    && settings_document(after.relation, x).has_settings
                    && !(x in after.read_old))",
        ),
    ),
];
