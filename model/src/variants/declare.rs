//! The declaration of variants: each once, with its name in scenarios, its values and their
//! meanings. After `needs` stand the details of which one at least must be on for it to matter. The
//! word `fix` before a meaning marks a value that was proposed or made since, because
//! the default keeps something for ever.

macro_rules! variants {
    ($($field:ident $name:literal $kind:ident $(needs [$($detail:literal),+])? $about:literal {
        $($variant:ident $value:literal $($fix:ident)? $meaning:literal),+ $(,)?
    })+) => {
        $(
            #[doc = $about]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $kind {
                $(#[doc = $meaning] $variant),+
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
                    needs: &[$($($detail),+)?],
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

            /// The positions of all values, each among those of its variant.
            pub fn positions(&self) -> [usize; Self::LIST.len()] {
                [$(self.$field as usize),+]
            }
        }
    };
    (@fix $value:literal) => { $value };
    (@first $kind:ident $first:ident $($rest:ident)*) => { $kind::$first };
}

pub(super) use variants;
