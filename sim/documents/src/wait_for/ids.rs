//! Reasons, their parts and kinds of roots, by their names in documents.

use deathwatch_claims::diagnosis::{Reason, Role, RootKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The part of a reason in a diagnosis.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RoleName {
    /// It waits for another entity.
    Waits,
    /// It has something yet to get or to do.
    Fact,
    /// It leads to nothing else.
    Cause,
}

/// Makes a module that reads and writes a value by its name.
macro_rules! by_name {
    ($module:ident $of:ident, $write:expr, $read:expr, $what:literal) => {
        pub(super) mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

            use super::$of;

            pub(crate) fn serialize<S: Serializer>(it: &$of, to: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$of) -> String = $write;
                write(it).serialize(to)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$of, D::Error> {
                let read: fn(&str) -> Option<$of> = $read;
                let name = String::deserialize(from)?;
                read(&name).ok_or_else(|| D::Error::custom(concat!("there is no such ", $what)))
            }
        }
    };
}

by_name!(reason Reason, |it| it.row().id.to_owned(), Reason::named, "reason");
by_name!(kind RootKind, RootKind::to_string, RootKind::named, "kind of root");

/// Roles, which are an enumeration of documents, too.
pub(super) mod role {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{Role, RoleName};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(it: &Role, to: S) -> Result<S::Ok, S::Error> {
        let name = match it {
            Role::Waits => RoleName::Waits,
            Role::Fact => RoleName::Fact,
            Role::Cause => RoleName::Cause,
        };
        name.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Role, D::Error> {
        Ok(match RoleName::deserialize(from)? {
            RoleName::Waits => Role::Waits,
            RoleName::Fact => Role::Fact,
            RoleName::Cause => Role::Cause,
        })
    }
}
