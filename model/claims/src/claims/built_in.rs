//! The built-in claims.
//!
//! They are text (`claims/*.toml`), in the expression language of scenarios. Claims about documents
//! and about beliefs of agents are sorted by theme; those about past events
//! (`claims/history/*.toml`) read rows of history, which no agent reads.
//!
//! A release contains the files. A build with debug assertions reads them from the source tree when
//! it runs, so that a change compiles nothing.

use std::sync::LazyLock;

use super::{
    Claim, ClaimKind,
    file::{self, BuiltInClaim, ClaimFileError},
};
use deathwatch_model::world::{Details, World};

struct ClaimFile {
    /// The path of the file, below the root of the project.
    path: &'static str,
    /// The detail that its claims are about, if they need one.
    detail: Option<&'static str>,
    /// The claims, which are read on first use.
    claims: LazyLock<Result<Vec<BuiltInClaim>, ClaimFileError>>,
}

/// The text of the file of this name, read from the source tree.
#[cfg(debug_assertions)]
macro_rules! source {
    ($name:literal) => {
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/claims/", $name, ".toml"))
    };
}

/// The text of the file of this name, which the program contains.
#[cfg(not(debug_assertions))]
macro_rules! source {
    ($name:literal) => {
        Ok(include_str!(concat!("../../claims/", $name, ".toml")))
    };
}

/// Makes the `ClaimFile` of this name; its claims need the detail, if one is given.
macro_rules! file {
    ($name:literal $(about $detail:literal)?) => {
        ClaimFile {
            path: file!(@path $name),
            detail: file!(@detail $($detail)?),
            claims: LazyLock::new(|| {
                file::read(file!(@path $name), file!(@detail $($detail)?), source!($name))
            }),
        }
    };
    (@path $name:literal) => { concat!("model/claims/claims/", $name, ".toml") };
    (@detail $detail:literal) => { Some($detail) };
    (@detail) => { None };
}

/// The files of the claims, the main ones first.
static FILES: [ClaimFile; 19] = [
    file!("leads"),
    file!("always"),
    file!("step"),
    file!("duties"),
    file!("hooks" about "hooks"),
    file!("relations" about "relations"),
    file!("settings" about "settings"),
    file!("charm" about "charm"),
    file!("series" about "series"),
    file!("provisioning" about "provisioning"),
    file!("constraints" about "constraints"),
    file!("workflow" about "workflow"),
    file!("watches" about "workflow"),
    file!("history/charm" about "charm"),
    file!("history/hooks" about "hooks"),
    file!("history/provisioning" about "provisioning"),
    file!("history/relations" about "relations"),
    file!("history/settings" about "settings"),
    file!("history/workflow" about "workflow"),
];

impl ClaimFile {
    fn claims(&'static self) -> impl Iterator<Item = &'static Claim> {
        self.written().iter().map(|it| &it.claim)
    }

    /// The claims as they are written in the file.
    ///
    /// # Panics
    /// If the file is wrong. The command line asks for [`file_errors`] before it asks for claims.
    fn written(&'static self) -> &'static [BuiltInClaim] {
        self.claims.as_ref().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The detail that the claims need and that is not among `details`.
    fn lacks(&self, details: Details) -> Option<&'static str> {
        self.detail.filter(|detail| !details.has(detail))
    }

    /// The file of a built-in claim; `None` for a scenario's own.
    fn of(claim: &Claim) -> Option<&'static Self> {
        let mut files = FILES.iter().filter(|_| !claim.is_own());
        files.find(|file| file.claims().any(|it| it.name == claim.name))
    }
}

/// Mistakes in the files: none in a release, as a test reads all of them.
pub fn file_errors() -> impl Iterator<Item = &'static ClaimFileError> {
    let read_now = FILES.iter().filter(|_| cfg!(debug_assertions));
    read_now.filter_map(|file| file.claims.as_ref().err())
}

/// Every built-in claim: those over history come last.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    FILES.iter().flat_map(ClaimFile::claims)
}

/// Every built-in claim, except those that need a detail that is not among `details`.
pub fn all_with(details: Details) -> impl Iterator<Item = &'static Claim> {
    let files = FILES.iter().filter(move |file| file.lacks(details).is_none());
    files.flat_map(ClaimFile::claims)
}

/// Every built-in claim whose history fields are recorded in `world`.
pub fn all_in(world: &World) -> impl Iterator<Item = &'static Claim> + '_ {
    all().filter(|claim| world.history.has_all(claim.keeps()))
}

/// The built-in claim called `name`.
pub fn named(name: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.name == name)
}

impl Claim {
    /// Every built-in claim that reads no history, the main ones first.
    pub fn without_history() -> impl Iterator<Item = &'static Self> {
        all().filter(|claim| claim.keeps().is_empty())
    }

    /// The claims that an entity which is destroyed or forced gets removed.
    pub fn removals() -> impl Iterator<Item = &'static Self> {
        FILES[0].claims().inspect(|claim| debug_assert_eq!(claim.kind(), ClaimKind::Leads))
    }

    /// The detail that the claim needs and that is not among `details`.
    pub fn lacks(&self, details: Details) -> Option<&'static str> {
        ClaimFile::of(self)?.lacks(details)
    }

    /// Whether the claim reads the notes of a unit's agent. If the agent forgets, the claim cannot
    /// tell; claims over history can.
    pub fn reads_notes(&self) -> bool {
        self.texts().iter().any(|it| it.reads.notes)
    }

    /// The claim over history that means the same and reads no notes, if there is one.
    pub fn by_history(&self) -> Option<&'static Self> {
        let written = FILES.iter().flat_map(ClaimFile::written).filter(|_| !self.is_own());
        let mut instead = written.filter(|it| it.instead_of.iter().any(|name| name == self.name));
        instead.next().map(|it| &it.claim)
    }

    /// The path of its file, below the root of the project; `None` for a scenario's own.
    pub fn file(&self) -> Option<String> {
        ClaimFile::of(self).map(|file| file.path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_can_be_read() {
        assert_eq!(FILES.iter().filter_map(|file| file.claims.as_ref().err()).count(), 0);
    }

    #[test]
    fn no_two_claims_have_one_name() {
        let names: BTreeSet<&str> = all().map(|claim| claim.name).collect();
        assert_eq!(names.len(), all().count());
    }

    #[test]
    fn claims_over_history_are_in_files_of_their_own() {
        for file in &FILES {
            let is_history = file.path.contains("/history/");
            for claim in file.claims() {
                assert_eq!(claim.keeps().is_empty(), !is_history, "{}", claim.name);
                assert_eq!(claim.lacks(Details::default()), file.detail);
            }
        }
    }

    /// The readings of a hook and the state of a unit's workflow are kept by its agent alone.
    /// Whether they existed, were installed, or were tried often enough is recorded in history.
    #[test]
    fn of_notes_claims_over_history_read_only_what_nobody_else_keeps() {
        let over_history = all().filter(|claim| !claim.keeps().is_empty() && claim.reads_notes());
        let names: Vec<&str> = over_history.map(|claim| claim.name).collect();
        let notes = [
            "what is read in one execution of a hook is what was there at some moment of it",
            "an Alive unit whose agent is deployed comes to run",
            "no error state comes before as many tries as the world says",
        ];
        assert_eq!(names, notes);
    }

    #[test]
    fn claims_over_history_stand_in_the_place_of_claims_that_read_notes() {
        for (file, written) in
            FILES.iter().flat_map(|file| file.written().iter().map(move |it| (file, it)))
        {
            for name in &written.instead_of {
                let noted = named(name).unwrap_or_else(|| panic!("no claim: {name}"));
                assert!(noted.reads_notes(), "{name}");
                assert_eq!(noted.lacks(Details::default()), file.detail, "{name}");
                assert!(!written.claim.keeps().is_empty(), "{}", written.claim.name);
                assert_eq!(
                    noted.by_history().map(|it| it.name),
                    Some(written.claim.name),
                    "{name}"
                );
            }
        }
    }

    /// A claim that reads a field of an agent's notes is marked, under every name of the field.
    #[test]
    fn a_claim_that_reads_notes_is_known_by_its_text() {
        let is_marked = |name: &str| named(name).expect("there is such a claim").reads_notes();
        assert!(is_marked("the install hook runs once, before any other hook"), "a field");
        assert!(is_marked("a unit sees every related one that stays"), "a list that follows");
        assert!(is_marked("a unit in error runs no hook"), "a value that follows");
        assert!(!is_marked("no hook of a Dead unit runs"), "a step");
        assert!(!is_marked("a hook runs only where the charm directory is whole"), "a folder");
        assert_eq!(Claim::removals().filter(|claim| claim.reads_notes()).count(), 0);
    }
}
