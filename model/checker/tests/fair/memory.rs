//! A decision keeps within its memory, gives it back, and says so where there is too little.

use deathwatch_checker::{MemoryBudget, Stop};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{SEED, cases::RandomCase};

#[test]
fn a_decision_needs_as_much_memory_as_it_counted() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    for _ in 0..300 {
        let case = RandomCase::larger(&mut rng);
        let mut memory = MemoryBudget::unlimited();
        let verdicts = case.verdicts_within(1, &mut memory).unwrap();
        let peak = memory.peak();
        assert!(memory.used() == 0 && peak > case.out.len() as u64, "{peak}");
        let within = |bytes| case.verdicts_within(2, &mut MemoryBudget::of(Some(bytes)));
        assert_eq!(within(peak).unwrap(), verdicts);
        for bytes in [peak - 1, peak / 2, 0] {
            assert_eq!(within(bytes).err(), Some(Stop::Memory), "{bytes} of {peak}");
        }
    }
}
