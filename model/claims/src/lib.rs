//! All claims that are built in.
//!
//! Claims about documents and about what an agent believes are predicates of the model
//! (`deathwatch_model::claims`). Claims about what has happened are text (`claims/*.toml`), in the
//! expressions that scenarios use for claims of their own, over rows of history that no agent
//! reads.

mod file;

use std::sync::LazyLock;

use deathwatch_model::{
    claims::{Claim, Formula},
    passages::PassageAnswer,
    world::{Details, World},
};

use self::file::TextFile;

/// Makes the files of claims that are text (`model/claims/claims`), one for each of these details.
macro_rules! files {
    ($($detail:literal),+) => {
        [$(TextFile {
            detail: $detail,
            claims: LazyLock::new(|| {
                let source = include_str!(concat!("../claims/", $detail, ".toml"));
                file::read($detail, source).unwrap_or_else(|error| panic!("{}: {error}", $detail))
            }),
        }),+]
    };
}

/// The files of claims that are text.
static FILES: [TextFile; 6] =
    files!["charm", "hooks", "provisioning", "relations", "settings", "workflow"];

/// Every claim that is built in: those of the model, then those over history.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    Claim::native().chain(FILES.iter().flat_map(|file| file.claims.iter()))
}

/// Every claim that is about something that a world with these details has.
pub fn all_with(details: Details) -> impl Iterator<Item = &'static Claim> {
    let native = Claim::native().filter(move |claim| claim.lacks(details).is_none());
    let files = FILES.iter().filter(move |file| details.has(file.detail));
    native.chain(files.flat_map(|file| file.claims.iter()))
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
        Some(file) => format!("model/claims/claims/{}.toml", file.detail),
        None => format!("model/src/claims/{}", claim.file()),
    }
}

/// The file that an answer is in, below the root of the project.
pub fn file_of(answer: PassageAnswer) -> Option<String> {
    match answer {
        PassageAnswer::Claim(claim) => Some(file(claim)),
        PassageAnswer::Clause(_) | PassageAnswer::Variant(_) | PassageAnswer::Note(_) => {
            answer.file()
        }
    }
}

/// Everything that answers for a passage: clauses, variants, claims, notes.
pub fn answers() -> impl Iterator<Item = PassageAnswer> {
    PassageAnswer::all(all())
}

/// The file of text that a claim is in, if it is in one.
fn of(claim: &Claim) -> Option<&'static TextFile> {
    let is_text = matches!(claim.test, Formula::Own(_)) && !claim.is_own();
    let mut files = FILES.iter().filter(|_| is_text);
    files.find(|file| file.claims.iter().any(|it| it.name == claim.name))
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
        for file in &FILES {
            for claim in file.claims.iter() {
                assert!(!claim.keeps().is_empty(), "{} reads no history", claim.name);
                assert_eq!(lacks(claim, Details::default()), Some(file.detail));
            }
        }
    }
}
