//! Tests of the table of variants.

use super::*;

#[test]
fn a_variant_takes_each_of_its_values_and_no_other() {
    for variant in Variants::LIST {
        let mut variants = Variants::default();
        let all = variant.values.iter();
        all.for_each(|(value, _)| variants.set(variant.name, value).expect("listed"));
        assert!(matches!(variants.set(variant.name, "?"), Err(VariantError::UnknownValue(_))));
    }
    assert_eq!(Variants::default().set("?", "?"), Err(VariantError::UnknownVariant));
    assert_eq!(Variants::default().changed().count(), 0);
}

#[test]
fn a_value_that_says_that_it_is_a_fix_is_marked_as_one() {
    for variant in Variants::LIST {
        for (value, meaning) in variant.values {
            let says_so = meaning.contains("our fix") || meaning.contains("proposed fix");
            let is_marked = variant.fixes.contains(value);
            assert!(is_marked || !says_so, "{} = {value} is a fix", variant.name);
        }
        assert!(!variant.fixes.contains(&variant.values[0].0), "what is as written is no fix");
    }
}
