//! The declaration of rules: each once, with its name, its file, the details that it is about, and
//! its clauses.

macro_rules! rules {
    ($($kind:ident $name:literal $file:literal $(needs $($detail:literal)+)? {
        $($number:literal $says:literal $source:literal)*
    })+) => {
        /// A transaction, a command or an agent of the protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`")] $kind),+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// Its name, the same everywhere.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),+ }
            }

            /// Its file, below `model/src`.
            pub fn file(self) -> &'static str {
                match self { $(Self::$kind => $file),+ }
            }

            /// The details that it is about.
            #[inline]
            pub const fn needs(self) -> &'static [&'static str] {
                match self { $(Self::$kind => &[$($($detail),+)?]),+ }
            }

            /// Whether it is a transaction, and not the duties of an agent.
            pub fn is_operation(self) -> bool {
                self.file().starts_with("ops/")
            }

            /// Its clauses in order.
            pub fn clauses(self) -> &'static [$crate::clause::ClauseInfo] {
                match self {
                    $(Self::$kind => &[
                        $($crate::clause::ClauseInfo { number: $number, says: $says, source: $source }),*
                    ]),+
                }
            }

            /// The rule called `name`.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|rule| rule.name() == name)
            }
        }
    };
}

pub(super) use rules;
