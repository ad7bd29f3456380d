//! Files of built-in claims, which builds with debug assertions read as they run. A mistake in one
//! is reported like one in a scenario.

use deathwatch_claims::{ClaimFileError, Mistake, file_errors};

use super::problem::problem;
use crate::{
    problem::{Problem, Text},
    scenario::{not_understood::not_understood, value::Located},
};

/// Checks that the claims that are built in can be used, of which every scenario asks.
///
/// # Errors
/// A problem for each file that cannot be. There is none in a release.
pub fn built_in() -> Result<(), Vec<Problem>> {
    let problems: Vec<Problem> = file_errors().map(in_file).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn in_file(error: &ClaimFileError) -> Problem {
    let text = Text::new(error.path, error.source.clone());
    match &*error.mistake {
        Mistake::Unreadable(_) => Problem::new(error.to_string())
            .with_help("a debug build reads claims from the folder in which it was built"),
        Mistake::Toml(error) => not_understood(&text, error),
        Mistake::Part(error) => problem(&text, &error.span, error),
        Mistake::Expression(value, span, error) => {
            let string = Located { value: value.clone(), span: span.clone() };
            problem(&text, &text.inside(&string, &error.span), error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The report on a file whose only claim, on the third line, has these lines.
    fn report(lines: &str) -> [String; 2] {
        let source = format!("[[claim]]\nsource = \"D1:1\"\n{lines}");
        let error = ClaimFileError::of("a.toml", &source).expect("it is wrong");
        let problem = in_file(&error);
        [problem.position().expect("it is in the file"), problem.to_string()]
    }

    #[test]
    fn a_mistake_is_told_with_its_position() {
        for (lines, position, message) in [
            ("name = \"x\"\nalways = 'true'\nalway = 1", "a.toml:5:1", "unknown key `alway`"),
            ("name = \"x\"\nalways = 'true", "a.toml:4:15", "a string is not closed"),
            ("always = 'true'", "a.toml:1:1", "missing key `name`"),
            (
                "name = \"x\"\neach = 'unit'\nalways = \"\"\"\ntrue\n&& it.unit\"\"\"",
                "a.toml:7:7",
                "a row `unit` has no field `unit`",
            ),
            ("name = \"x\"\nalways = '1 +'", "a.toml:4:14", "the end is unexpected"),
            (
                "name = \"x\"\neach = 'units'\nalways = 'true'",
                "a.toml:4:8",
                "there are no rows of the kind `units`",
            ),
            ("name = \"x\"", "a.toml:3:8", "this claim says nothing"),
            (
                "name = \"x\"\nalways = 'true'\nreachable = 'true'",
                "a.toml:3:8",
                "this claim says two things",
            ),
            (
                "name = \"x\"\neach = ['unit', 'machine']\nleads = { from = '!it.exists' }",
                "a.toml:3:8",
                "this claim is about 2 kinds of rows",
            ),
            (
                "name = \"x\"\neach = []\nalways = 'true'",
                "a.toml:3:8",
                "this claim is about 0 kinds of rows",
            ),
            (
                "name = \"x\"\nstep = 'true'\n[[claim.part]]\nstep = 'true'",
                "a.toml:3:8",
                "this claim says something beside its parts",
            ),
        ] {
            assert_eq!(report(lines), [position, message], "{lines}");
        }
    }
}
