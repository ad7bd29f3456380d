//! Any file as what Juju prints: read, or refused.
#![no_main]

use deathwatch_diagnose::Juju;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for name in ["status.json", "status.yaml"] {
        let _ = Juju::read(&[(name.to_owned(), bytes.to_vec())]);
    }
});
