//! Any file: a scenario, or a problem with a text. One that is read is read again from its own text.
#![no_main]

use std::path::Path;

use deathwatch_scenario::scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match scenario::parse(Path::new("fuzzed.toml"), source) {
        Ok(read) => {
            let again = scenario::reread(&read, source.to_owned()).expect("it was read before");
            assert_eq!(read.start, again.start);
        }
        Err(problem) => assert!(!problem.to_string().is_empty()),
    }
});
