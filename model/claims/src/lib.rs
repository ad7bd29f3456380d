//! All claims that are built in.
//!
//! Claims about documents and about what an agent believes are predicates of the model
//! (`deathwatch_model::claims`). Claims about what has happened are text (`claims/*.toml`), in the
//! expressions that scenarios use for claims of their own, over rows of history that no agent reads.

mod file;

use std::sync::LazyLock;

use deathwatch_model::{
    claims::Claim,
    passages::Answer,
    world::{Details, World},
};

use self::file::TextFile;

/// The files of claims that are text, below `model/claims/claims`.
const SOURCES: &[(&str, &str)] = &[
    ("charm.toml", include_str!("../claims/charm.toml")),
    ("hooks.toml", include_str!("../claims/hooks.toml")),
    ("provisioning.toml", include_str!("../claims/provisioning.toml")),
    ("relations.toml", include_str!("../claims/relations.toml")),
    ("settings.toml", include_str!("../claims/settings.toml")),
    ("workflow.toml", include_str!("../claims/workflow.toml")),
];

/// The claims of these files.
static FILES: LazyLock<Vec<TextFile>> = LazyLock::new(|| {
    let read = |(name, source): &(&'static str, &'static str)| {
        TextFile::read(name, source).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    SOURCES.iter().map(read).collect()
});

/// Every claim that is built in: those of the model, then those over history.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    Claim::native().chain(FILES.iter().flat_map(|file| &file.claims))
}

/// Every claim that is about something that a world with these details has.
pub fn all_with(details: Details) -> impl Iterator<Item = &'static Claim> {
    all().filter(move |claim| lacks(claim, details).is_none())
}

/// Every claim of whose history `world` keeps what it reads.
pub fn all_in(world: &World) -> impl Iterator<Item = &'static Claim> + '_ {
    all().filter(|claim| world.history.has_all(claim.keeps()))
}

/// The claim called `name`.
pub fn named(name: &str) -> Option<&'static Claim> {
    all().find(|claim| claim.name == name)
}

/// The detail that a claim is about and that a world with these details has not.
pub fn lacks(claim: &Claim, details: Details) -> Option<&'static str> {
    match of(claim) {
        Some(file) => (!details.has(file.detail)).then_some(file.detail),
        None => claim.lacks(details),
    }
}

/// The file that a claim is in, below the root of the project.
pub fn file(claim: &Claim) -> String {
    match of(claim) {
        Some(file) => format!("model/claims/claims/{}", file.name),
        None => format!("model/src/claims/{}", claim.file()),
    }
}

/// The file that an answer is in, below the root of the project.
pub fn file_of(answer: Answer) -> Option<String> {
    match answer {
        Answer::Claim(claim) => Some(file(claim)),
        Answer::Clause(_) | Answer::Variant(_) | Answer::Note(_) => answer.file(),
    }
}

/// Everything that answers for a passage: clauses, variants, claims, notes.
pub fn answers() -> impl Iterator<Item = Answer> {
    Answer::all(all())
}

/// The file of text that a claim is in, if it is in one.
fn of(claim: &Claim) -> Option<&'static TextFile> {
    FILES.iter().find(|file| file.claims.iter().any(|it| it.name == claim.name))
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
    fn every_claim_that_is_text_reads_history_of_its_detail() {
        for file in FILES.iter() {
            let mut details = Details::default();
            assert!(details.set(file.detail, true), "{}: no such detail", file.name);
            for claim in &file.claims {
                assert!(!claim.keeps().is_empty(), "{} reads no history", claim.name);
                assert_eq!(lacks(claim, Details::default()), Some(file.detail));
            }
        }
    }
}
