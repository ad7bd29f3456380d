//! The declaration of variants: each once, with its name in scenarios, its values and their
//! meanings. The word `fix` before a meaning marks a value that was proposed or made since, because
//! the default keeps something for ever.

macro_rules! variants {
    ($($field:ident $name:literal $kind:ident $about:literal {
        $($variant:ident $value:literal $($fix:ident)? $meaning:literal),+ $(,)?
    })+) => {
        $(
            #[doc = $about]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $kind {
                $(#[doc = $meaning] $variant),+
            }

            impl std::fmt::Display for $kind {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.pad(match self { $(Self::$variant => $value),+ })
                }
            }
        )+

        /// The values of all variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Variants {
            $(#[doc = $about] pub $field: $kind),+
        }

        impl Default for Variants {
            fn default() -> Self {
                Self { $($field: variants!(@first $kind $($variant)+)),+ }
            }
        }

        impl Variants {
            /// Every variant.
            pub const LIST: &'static [VariantInfo] = &[
                $(VariantInfo {
                    name: $name,
                    about: $about,
                    values: &[$(($value, $meaning)),+],
                    fixes: &[$($(variants!(@$fix $value),)?)+],
                }),+
            ];

            /// Sets variant `name` to `value`.
            ///
            /// # Errors
            /// If there is no such variant, or it has no such value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), VariantError> {
                match name {
                    $($name => self.$field = match value {
                        $($value => $kind::$variant,)+
                        _ => return Err(VariantError::UnknownValue(vec![$($value),+])),
                    },)+
                    _ => return Err(VariantError::UnknownVariant),
                }
                Ok(())
            }

            /// The position of the value of variant `number` of the list among its values.
            ///
            /// # Panics
            /// If there is no variant of this number.
            pub fn value(&self, number: usize) -> usize {
                [$(self.$field as usize),+][number]
            }

            /// Name and value of each variant that is not at its default.
            pub fn changed(&self) -> Vec<(&'static str, String)> {
                let mut changed = Vec::new();
                let default = Self::default();
                $(if self.$field != default.$field {
                    changed.push(($name, self.$field.to_string()));
                })+
                changed
            }
        }
    };
    (@fix $value:literal) => { $value };
    (@first $kind:ident $first:ident $($rest:ident)*) => { $kind::$first };
}

pub(super) use variants;
