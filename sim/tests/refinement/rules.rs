//! Worlds with details and random rules: whether they keep to their outlines, which have the same
//! rules, compared with the oracle.

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_model::{
    agents::not_of_outline,
    world::{OwnRuleSet, World},
};
use deathwatch_study::verdict::Engine;

use super::{RefinementCase, SETTINGS, ask, oracle, shown};
use crate::{
    common::{good, parse},
    own_rules::drawn,
};

const DRAWN: u64 = 60;

/// The greatest number of states of a world: larger ones take the oracle too long.
const LARGEST: u64 = 300;

const DETAILS: [&str; 5] = [
    "hooks = true",
    "hooks = true\nrelations = true",
    "provisioning = true",
    "constraints = true",
    "hooks = true\ncharm = true",
];

#[derive(Debug, Default)]
struct OutlineTally {
    keep: usize,
    depart: usize,
    /// Worlds that depart from an outline without the rules.
    forgotten: usize,
}

#[test]
fn the_explorers_agree_with_the_oracle_where_rules_were_drawn() {
    let mut tally = OutlineTally::default();
    for seed in 0..DRAWN {
        let detail = DETAILS[usize::try_from(seed).expect("it is small") % DETAILS.len()];
        let text = format!("{}[detail]\n{detail}\n", drawn(seed));
        let scenario = good(&text);
        let refused = not_of_outline(&scenario.world).is_some();
        // Refinement is refused exactly where the outline cannot have the rules.
        let says = parse(&format!("{text}[check]\nrefines = true\n"));
        assert_eq!(says.is_err(), refused, "seed {seed}\n{text}");
        if refused {
            continue;
        }
        let outline = scenario.world.outline();
        let own = |world: &World| {
            world.own_rules.clauses().map(|(_, it)| it.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(own(&outline), own(&scenario.world));
        let without = outline.changed(|it| it.own_rules = OwnRuleSet::default());
        for (outline, departs) in [(outline, &mut tally.depart), (without, &mut tally.forgotten)] {
            let scenario = good(&text);
            let case =
                RefinementCase { name: "", scenario, outline, hide: World::hide, keeps: true };
            let settings = SearchSettings { max_states: Some(LARGEST), ..SETTINGS };
            let finding = ask(&case, &[], &settings, Engine::Own);
            if finding.answer == CheckAnswer::Undecided {
                break;
            }
            let found = oracle(&case);
            let answer = if found.is_none() { CheckAnswer::Holds } else { CheckAnswer::Violated };
            assert_eq!(finding.answer, answer, "seed {seed}\n{text}");
            assert_eq!(shown(&case, finding), found, "seed {seed}\n{text}");
            let second = ask(&case, &[], &SETTINGS, Engine::Stateright);
            assert_eq!(second.answer, answer, "seed {seed} by stateright\n{text}");
            let counted = if found.is_none() { &mut tally.keep } else { departs };
            *counted += 1;
        }
    }
    assert!(tally.keep >= 20 && tally.depart == 0 && tally.forgotten >= 3, "{tally:?}");
}
