//! Texts about variants, and why one cannot be set.

/// The description of a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// Its name in scenarios.
    pub name: &'static str,
    /// The question that it decides.
    pub about: &'static str,
    /// Its values and what each means, the default first.
    pub values: &'static [(&'static str, &'static str)],
    /// Its values that are fixes.
    pub fixes: &'static [&'static str],
}

/// The reason why a variant cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// There is no variant of this name.
    UnknownVariant,
    /// The variant has no such value; these are the ones it has.
    UnknownValue(Vec<&'static str>),
}
