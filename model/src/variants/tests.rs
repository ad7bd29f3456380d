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
    assert_eq!(Variants::default().changed(), []);
}
