//! Malformed files: whatever is wrong with a file, reading it gives a problem and does not panic.

mod common;

use common::{MIXED, PAIR, dice, good, parse, render};
use deathwatch_sim::{dice::Dice, replay};

const REST: &str = r#"
[user]
"destroy-unit wordpress/0" = 2
"deploy mysql 1" = "unlimited"
[faults]
hardware-failure = ["1"]
[switch-off]
clauses = ["unit-agent.9"]
[expect]
dying = ["wordpress/0"]
in-scope = { "wordpress:db mysql:server" = [] }
cleanups = ["force machine 1"]
"#;

const PIECES: [&str; 16] = [
    "\"",
    "\"\"\"",
    "'",
    "\\",
    "\\u00e9",
    "\n",
    "\r\n",
    "=",
    "=>",
    "é",
    "0",
    "99999999999999999999",
    "-",
    ": ",
    "[",
    "{ ",
];

/// Replaces a word by another word of the file, or any few characters by a piece.
fn mutate(source: &mut String, dice: &mut Dice) {
    if dice.index(2) == 0 {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '-';
        let words: Vec<&str> =
            source.split(|letter| !is_word(letter)).filter(|it| !it.is_empty()).collect();
        let (old, new) =
            (words[dice.index(words.len())], words[dice.index(words.len())].to_owned());
        let at = old.as_ptr().addr() - source.as_ptr().addr();
        source.replace_range(at..at + old.len(), &new);
        return;
    }
    let mut at = dice.index(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let end = source[at..].char_indices().nth(dice.index(9));
    source.replace_range(at..end.map_or(at, |(end, _)| at + end), PIECES[dice.index(PIECES.len())]);
}

#[test]
fn a_malformed_file_gives_a_problem() {
    let steps = "steps = \"\"\"\nclient: begin destroy-unit wordpress/0\nclient: commit => aborted\n\
                 user: destroy-machine 0 => refused: it has units\n\"\"\"\n";
    for world in [PAIR, MIXED] {
        good(&format!("shows = \"A test.\"\n{steps}{world}{REST}"));
    }
    let mut accepted = 0;
    for (seed, world) in (0..10_000).zip([PAIR, MIXED].into_iter().cycle()) {
        let mut dice = dice(seed);
        let mut source = format!("shows = \"A test.\"\n{steps}{world}{REST}");
        for _ in 0..=dice.index(3) {
            mutate(&mut source, &mut dice);
        }
        let problem = match parse(&source) {
            Err(problem) => problem,
            Ok(scenario) => {
                accepted += 1;
                match replay(&scenario) {
                    Err(impossible) => impossible.problem,
                    Ok(_) => continue,
                }
            }
        };
        assert!(problem.position().is_some(), "{problem}\n{source}");
        assert!(!render(&problem).is_empty());
    }
    assert!(accepted > 100, "{accepted} were good, too few to be a test of replays");
}
