//! The declaration of rules: each once, with its name, its file, the details that it needs, and its
//! clauses.

macro_rules! rules {
    ($($kind:ident $name:literal $file:literal $(needs $($detail:literal)+)? {
        $($number:literal $says:literal $source:literal)*
    })+) => {
        /// A transaction, a command or an agent of the protocol; or all rules of a scenario's own,
        /// each of them a clause.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`")] $kind,)+
            /// The rules of a scenario's own.
            Own,
        }

        impl Rule {
            /// Every rule of the protocol.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The number of rules, with those of a scenario's own as one.
            pub const COUNT: usize = Self::ALL.len() + 1;

            /// Its name, the same everywhere.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ Self::Own => "rule" }
            }

            /// Its file, below `model/src`.
            pub fn file(self) -> &'static str {
                match self { $(Self::$kind => $file,)+ Self::Own => "agents/own_rules.rs" }
            }

            /// The details that it is about.
            #[inline]
            pub const fn needs(self) -> &'static [&'static str] {
                match self { $(Self::$kind => &[$($($detail),+)?],)+ Self::Own => &[] }
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
                    ],)+
                    Self::Own => &$crate::clause::own::CLAUSES,
                }
            }

            /// The rule called `name`.
            pub fn named(name: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied().chain([Self::Own]);
                all.find(|rule| rule.name() == name)
            }
        }
    };
}

pub(super) use rules;
