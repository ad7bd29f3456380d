//! Garbled files: whatever is wrong with a file, it is met with a problem and not with a panic.

mod common;

use common::{MIXED, PAIR, good, parse, render};
use deathwatch_sim::replay;

/// A small generator of numbers (a linear congruence), so that garbles are the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(bound).expect("small")).expect("small")
    }
}

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

/// Puts something where it does not belong: a word for another word, or any piece anywhere.
fn garble(source: &mut String, dice: &mut Dice) {
    if dice.below(2) == 0 {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '-';
        let words: Vec<&str> =
            source.split(|letter| !is_word(letter)).filter(|it| !it.is_empty()).collect();
        let (old, new) =
            (words[dice.below(words.len())], words[dice.below(words.len())].to_owned());
        let at = old.as_ptr().addr() - source.as_ptr().addr();
        source.replace_range(at..at + old.len(), &new);
        return;
    }
    let mut at = dice.below(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let end = source[at..].char_indices().nth(dice.below(9));
    source.replace_range(at..end.map_or(at, |(end, _)| at + end), PIECES[dice.below(PIECES.len())]);
}

#[test]
fn a_garbled_file_is_no_reason_to_panic() {
    let steps = "steps = \"\"\"\nclient: begin destroy-unit wordpress/0\nclient: commit => aborted\n\
                 user: destroy-machine 0 => refused: it has units\n\"\"\"\n";
    for world in [PAIR, MIXED] {
        good(&format!("shows = \"A test.\"\n{steps}{world}{REST}"));
    }
    let mut accepted = 0;
    for (seed, world) in (0..10_000).zip([PAIR, MIXED].into_iter().cycle()) {
        let mut dice = Dice(seed);
        let mut source = format!("shows = \"A test.\"\n{steps}{world}{REST}");
        for _ in 0..=dice.below(3) {
            garble(&mut source, &mut dice);
        }
        let problem = match parse(&source) {
            Err(problem) => problem,
            Ok(scenario) => {
                accepted += 1;
                match replay(&scenario) {
                    Err(problem) => problem,
                    Ok(_) => continue,
                }
            }
        };
        assert!(problem.place().is_some(), "{problem}\n{source}");
        assert!(!render(&problem).is_empty());
    }
    assert!(accepted > 100, "{accepted} were good, too few to be a test of replays");
}
