//! All claims that are built in.
//!
//! Claims about documents and about what an agent believes are predicates of this crate, by theme.
//! Claims about what has happened are text (`claims/*.toml`), in the expressions that scenarios use
//! for claims of their own, over rows of history that no agent reads.

use std::sync::LazyLock;

use super::{
    Claim, always, charm, constraints, duties, file, hooks, leads, provisioning, relations, series,
    settings, step, watches, workflow,
};
use deathwatch_model::world::{Details, World};

/// A file of claims.
struct ClaimFile {
    /// Its place, below `model/claims`.
    path: &'static str,
    /// The detail that they are about, if they are about one.
    detail: Option<&'static str>,
    claims: Claims,
}

/// The claims of a file.
enum Claims {
    /// Predicates, and the names of those that read what an agent notes.
    Native(&'static [Claim], &'static [&'static str]),
    /// Texts, which are read when somebody asks for them.
    Text(LazyLock<Vec<Claim>>),
}

/// Makes the file of the predicates of a module; the detail that they are about, unless all worlds
/// have what they are about, and where some read what an agent notes, the word `noted`.
macro_rules! native {
    ($module:ident $(about $detail:literal $($noted:ident)?)?) => {
        ClaimFile {
            path: concat!("src/claims/", stringify!($module), ".rs"),
            detail: native!(@detail $($detail)?),
            claims: Claims::Native($module::CLAIMS, native!(@noted $module $($($noted)?)?)),
        }
    };
    (@detail $detail:literal) => { Some($detail) };
    (@detail) => { None };
    (@noted $module:ident noted) => { $module::NOTED };
    (@noted $module:ident) => { &[] };
}

/// Makes the file of the texts about a detail, after which it is called.
macro_rules! text {
    ($detail:literal) => {
        ClaimFile {
            path: concat!("claims/", $detail, ".toml"),
            detail: Some($detail),
            claims: Claims::Text(LazyLock::new(|| {
                let source = include_str!(concat!("../../claims/", $detail, ".toml"));
                file::read($detail, source).unwrap_or_else(|error| panic!("{}: {error}", $detail))
            })),
        }
    };
}

/// The files of the claims, the main ones first.
static FILES: [ClaimFile; 19] = [
    native!(leads),
    native!(always),
    native!(step),
    native!(duties),
    native!(hooks about "hooks" noted),
    native!(relations about "relations" noted),
    native!(settings about "settings" noted),
    native!(charm about "charm" noted),
    native!(series about "series"),
    native!(provisioning about "provisioning"),
    native!(constraints about "constraints"),
    native!(workflow about "workflow" noted),
    native!(watches about "workflow" noted),
    text!("charm"),
    text!("hooks"),
    text!("provisioning"),
    text!("relations"),
    text!("settings"),
    text!("workflow"),
];

impl ClaimFile {
    fn claims(&'static self) -> &'static [Claim] {
        match &self.claims {
            Claims::Native(claims, _) => claims,
            Claims::Text(claims) => claims,
        }
    }

    /// The detail that they are about and that a world with these details has not.
    fn lacks(&self, details: Details) -> Option<&'static str> {
        self.detail.filter(|detail| !details.has(detail))
    }

    /// The file that a claim is in, unless it is a scenario's own.
    fn of(claim: &Claim) -> Option<&'static Self> {
        let mut files = FILES.iter().filter(|_| !claim.is_own());
        files.find(|file| file.claims().iter().any(|it| it.name == claim.name))
    }
}

/// Every claim that is built in: predicates, then those over history.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    FILES.iter().flat_map(ClaimFile::claims)
}

/// Every claim that is about something that a world with these details has.
pub fn all_with(details: Details) -> impl Iterator<Item = &'static Claim> {
    let files = FILES.iter().filter(move |file| file.lacks(details).is_none());
    files.flat_map(ClaimFile::claims)
}

/// Every claim of whose history `world` keeps what it reads.
pub fn all_in(world: &World) -> impl Iterator<Item = &'static Claim> + '_ {
    all().filter(|claim| world.history.has_all(claim.keeps()))
}

/// The claim called `name`.
pub fn named(name: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.name == name)
}

impl Claim {
    /// Every claim that is a predicate of this crate, the main ones first.
    pub fn native() -> impl Iterator<Item = &'static Self> {
        let files = FILES.iter().filter(|file| matches!(file.claims, Claims::Native(..)));
        files.flat_map(ClaimFile::claims)
    }

    /// The detail that it is about and that a world with these details has not.
    pub fn lacks(&self, details: Details) -> Option<&'static str> {
        ClaimFile::of(self)?.lacks(details)
    }

    /// Whether it reads what the agent of a unit notes: where that forgets something, so does the
    /// claim. What has happened is for claims over history to say.
    pub fn reads_notes(&self) -> bool {
        ClaimFile::of(self).is_some_and(|file| match file.claims {
            Claims::Native(_, noted) => noted.contains(&self.name),
            Claims::Text(_) => false,
        })
    }

    /// The file that it is in, below the root of the project, unless it is a scenario's own.
    pub fn file(&self) -> Option<String> {
        ClaimFile::of(self).map(|file| format!("model/claims/{}", file.path))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_claims_have_one_name() {
        let names: BTreeSet<&str> = all().map(|claim| claim.name).collect();
        assert_eq!(names.len(), all().count());
    }

    #[test]
    fn claims_that_read_notes_are_claims_of_their_file() {
        for file in &FILES {
            let Claims::Native(claims, noted) = file.claims else { continue };
            for name in noted {
                assert!(claims.iter().any(|it| it.name == *name), "{}: {name}", file.path);
            }
        }
    }

    #[test]
    fn every_claim_that_is_text_reads_history_of_its_detail() {
        for file in &FILES {
            let Claims::Text(claims) = &file.claims else { continue };
            for claim in claims.iter() {
                assert!(!claim.keeps().is_empty(), "{} reads no history", claim.name);
                assert_eq!(claim.lacks(Details::default()), file.detail);
            }
        }
    }
}
