//! Texts about variants, and the errors of setting one.

/// The description of a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    pub name: &'static str,
    pub about: &'static str,
    /// Its values and what each means, the default first.
    pub values: &'static [(&'static str, &'static str)],
    pub fixes: &'static [&'static str],
}

/// The reason why a variant cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// There is no variant of this name.
    UnknownVariant,
    /// The variant has no such value; these are its values.
    UnknownValue(Vec<&'static str>),
}
