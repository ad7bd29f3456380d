//! Texts about variants and their values, and the errors of setting one.

use super::Variants;

/// The description of a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    pub name: &'static str,
    pub about: &'static str,
    /// The details of which a world needs one for the variant to change anything; none are needed
    /// if it is empty.
    pub needs: &'static [&'static str],
    /// Its values and what each means, the default first.
    pub values: &'static [(&'static str, &'static str)],
    pub fixes: &'static [&'static str],
}

impl VariantInfo {
    /// The variant of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Variants::LIST.iter().find(|it| it.name == name)
    }

    /// The value that it has where a scenario sets none.
    pub fn default(&self) -> &'static str {
        self.values[0].0
    }

    /// Its value of this name, and what that means.
    pub fn value(&self, name: &str) -> Option<(&'static str, &'static str)> {
        self.values.iter().copied().find(|(value, _)| *value == name)
    }
}

impl Variants {
    /// Each variant with its value.
    pub fn values(&self) -> impl Iterator<Item = (&'static VariantInfo, &'static str)> {
        let all = Self::LIST.iter().zip(self.positions());
        all.map(|(info, position)| (info, info.values[position].0))
    }

    /// Each variant that is not at its default, with its value.
    pub fn changed(&self) -> impl Iterator<Item = (&'static VariantInfo, &'static str)> {
        self.values().filter(|(info, value)| *value != info.default())
    }
}

/// The reason why a variant cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// There is no variant of this name.
    UnknownVariant,
    /// The variant has no such value; these are its values.
    UnknownValue(Vec<&'static str>),
}
