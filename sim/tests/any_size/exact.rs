//! Precision of views: the number that occur in states of instances. A view that occurs in none of
//! these may belong to a larger instance, or to no state at all.

use deathwatch_claims::check::Views;
use deathwatch_scenario::replay;
use indexmap::IndexSet;

use super::{SETTINGS, at_home, reached, shipped};

/// Counts the views that occur in instances of up to `most` units of each application, and all
/// views.
fn occurring(address: &str, most: usize) -> [usize; 2] {
    let scenario = shipped(address);
    let start = replay(&scenario).expect("every step is possible").state;
    let Ok(mut views) = Views::of(&scenario.world, &start, None, &SETTINGS) else {
        panic!("it is a template")
    };
    let types = u32::try_from(views.types()).expect("they are few");
    let mut occur = IndexSet::new();
    for number in 0..most.pow(types) {
        let sizes: Vec<usize> = (0..types).map(|of| 1 + number / most.pow(of) % most).collect();
        let instance = views.instance(&sizes).expect("it is a template");
        for state in reached(&instance, usize::MAX) {
            let state = at_home(&instance, &state);
            for view in views.views_of(&instance, &state).expect("it is a template") {
                assert!(views.has(&view), "{view:?} of {sizes:?}: {address}");
                occur.insert(view);
            }
        }
    }
    [occur.len(), views.len()]
}

#[test]
fn each_view_is_one_of_a_state_of_a_small_instance() {
    for (address, views) in [
        ("relation-scope-bug/1-as-written.toml#", 722),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#", 968),
    ] {
        assert_eq!(occurring(address, 2), [views; 2], "{address}");
    }
}

#[test]
#[ignore = "takes minutes in a release build"]
fn each_view_is_one_of_a_state_of_two_units_a_side() {
    for (variant, views) in [("remote-scope", 14_471), ("leave-when-detected", 19_791)] {
        let address = format!("relation-scope-bug/7-two-units-a-side-as-written.toml#{variant}");
        assert_eq!(occurring(&address, 2), [views; 2], "{address}");
    }
}
