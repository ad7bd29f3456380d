//! A reader of the Hanoi Omega-Automata format, version 1 (<http://adl.github.io/hoaf/>), as far as
//! we write it: explicit labels that are always true, and acceptance conditions of any form.

use std::collections::BTreeSet;

use super::automaton::{
    AcceptanceCondition::{self, All, Any, Finitely, Infinitely},
    Automaton, AutomatonMove,
};

#[derive(Debug)]
pub(crate) struct HoaAutomaton {
    pub(crate) name: String,
    pub(crate) states: usize,
    pub(crate) automaton: Automaton,
}

/// Reads all automata of a text.
///
/// # Panics
/// If it is not in the format.
pub(crate) fn read(text: &str) -> Vec<HoaAutomaton> {
    let mut tokens = Tokens { tokens: tokens(text), at: 0 };
    let mut all = Vec::new();
    while tokens.at < tokens.tokens.len() {
        all.push(automaton(&mut tokens));
    }
    all
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum HoaToken {
    /// The name of a header, or "State".
    Name(String),
    Word(String),
    Text(String),
    Number(usize),
    Sign(char),
    Mark(String),
}

struct Tokens {
    tokens: Vec<HoaToken>,
    at: usize,
}

impl Tokens {
    fn peek(&self) -> &HoaToken {
        self.tokens.get(self.at).expect("the text goes on")
    }

    fn next(&mut self) -> HoaToken {
        self.at += 1;
        self.tokens.get(self.at - 1).expect("the text goes on").clone()
    }

    fn takes(&mut self, token: &HoaToken) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &HoaToken) {
        assert!(self.takes(token), "expected {token:?}, and not {:?}", self.peek());
    }

    fn number(&mut self) -> usize {
        match self.next() {
            HoaToken::Number(number) => number,
            other => panic!("expected a number, and not {other:?}"),
        }
    }

    fn text(&mut self) -> String {
        match self.next() {
            HoaToken::Text(text) => text,
            other => panic!("expected a string, and not {other:?}"),
        }
    }

    /// Acceptance sets between braces, if there are some.
    fn sets(&mut self, count: usize) -> BTreeSet<usize> {
        let mut sets = BTreeSet::new();
        if self.takes(&HoaToken::Sign('{')) {
            while !self.takes(&HoaToken::Sign('}')) {
                let set = self.number();
                assert!(set < count && sets.insert(set), "set {set} of {count}");
            }
        }
        sets
    }
}

fn automaton(tokens: &mut Tokens) -> HoaAutomaton {
    tokens.expect(&HoaToken::Name("HOA".into()));
    tokens.expect(&HoaToken::Word("v1".into()));
    let (mut name, mut states, mut acceptance, mut starts) = (None, None, None, Vec::new());
    loop {
        let header = match tokens.next() {
            HoaToken::Name(name) => name,
            HoaToken::Mark(mark) if mark == "BODY" => break,
            other => panic!("expected a header, and not {other:?}"),
        };
        match header.as_str() {
            "name" => assert_eq!(name.replace(tokens.text()), None, "a second name"),
            "States" => assert_eq!(states.replace(tokens.number()), None, "said twice"),
            "Start" => starts.push(tokens.number()),
            "AP" => assert_eq!(tokens.number(), 0, "there are no propositions"),
            "Acceptance" => {
                let count = tokens.number();
                assert!(acceptance.replace((count, either(tokens, count))).is_none(), "twice");
            }
            other => {
                let is_ours = other.starts_with(|letter: char| letter.is_ascii_lowercase());
                assert!(is_ours, "{other} would mean something");
                while !matches!(tokens.peek(), HoaToken::Name(_) | HoaToken::Mark(_)) {
                    tokens.next();
                }
            }
        }
    }
    let (states, (count, condition)) = (states.expect("States"), acceptance.expect("Acceptance"));
    let moves = body(tokens, states, count);
    assert!(starts.iter().all(|start| *start < states), "{starts:?} of {states}");
    let automaton = Automaton { starts, moves, condition };
    HoaAutomaton { name: name.expect("a name"), states, automaton }
}

/// The moves of all states, each of which is listed at most once.
fn body(tokens: &mut Tokens, states: usize, sets: usize) -> Vec<AutomatonMove> {
    let (mut moves, mut seen) = (Vec::new(), BTreeSet::new());
    while tokens.takes(&HoaToken::Name("State".into())) {
        let from = tokens.number();
        assert!(from < states && seen.insert(from), "state {from} of {states}");
        if let HoaToken::Text(_) = tokens.peek() {
            tokens.next();
        }
        let of_state = tokens.sets(sets);
        while tokens.takes(&HoaToken::Sign('[')) {
            tokens.expect(&HoaToken::Word("t".into()));
            tokens.expect(&HoaToken::Sign(']'));
            let to = tokens.number();
            assert!(to < states, "state {to} of {states}");
            let of_move = tokens.sets(sets);
            moves.push(AutomatonMove { from, to, sets: &of_state | &of_move });
        }
    }
    tokens.expect(&HoaToken::Mark("END".into()));
    assert_eq!(seen.len(), states, "each state has its line");
    moves
}

/// A condition, in which "and" binds more tightly than "or".
fn either(tokens: &mut Tokens, count: usize) -> AcceptanceCondition {
    let mut each = vec![both(tokens, count)];
    while tokens.takes(&HoaToken::Sign('|')) {
        each.push(both(tokens, count));
    }
    if each.len() == 1 { each.remove(0) } else { Any(each) }
}

fn both(tokens: &mut Tokens, count: usize) -> AcceptanceCondition {
    let mut each = vec![one(tokens, count)];
    while tokens.takes(&HoaToken::Sign('&')) {
        each.push(one(tokens, count));
    }
    if each.len() == 1 { each.remove(0) } else { All(each) }
}

fn one(tokens: &mut Tokens, count: usize) -> AcceptanceCondition {
    let kind = match tokens.next() {
        HoaToken::Sign('(') => {
            let inside = either(tokens, count);
            tokens.expect(&HoaToken::Sign(')'));
            return inside;
        }
        HoaToken::Word(kind) => kind,
        other => panic!("expected a condition, and not {other:?}"),
    };
    tokens.expect(&HoaToken::Sign('('));
    let set = tokens.number();
    assert!(set < count, "set {set} of {count}");
    tokens.expect(&HoaToken::Sign(')'));
    match kind.as_str() {
        "Inf" => Infinitely(set),
        "Fin" => Finitely(set),
        _ => panic!("expected Inf or Fin, and not {kind}"),
    }
}

fn tokens(text: &str) -> Vec<HoaToken> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let taken = if rest.starts_with("/*") {
            comment(rest)
        } else if let Some(mark) = ["BODY", "END"].iter().find(|it| is_mark(rest, it)) {
            tokens.push(HoaToken::Mark((*mark).to_owned()));
            mark.len() + 4
        } else if first == '"' {
            let (text, length) = string(rest);
            tokens.push(HoaToken::Text(text));
            length
        } else if first.is_ascii_digit() {
            let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            tokens.push(HoaToken::Number(rest[..digits].parse().expect("a number")));
            digits
        } else if length > 0 && rest[length..].starts_with(':') {
            tokens.push(HoaToken::Name(rest[..length].to_owned()));
            length + 1
        } else if length > 0 {
            tokens.push(HoaToken::Word(rest[..length].to_owned()));
            length
        } else {
            assert!("[]{}()&|!".contains(first), "{first} means nothing here");
            tokens.push(HoaToken::Sign(first));
            1
        };
        rest = rest[taken..].trim_start();
    }
    tokens
}

fn is_mark(text: &str, mark: &str) -> bool {
    text.strip_prefix("--")
        .and_then(|it| it.strip_prefix(mark))
        .is_some_and(|it| it.starts_with("--"))
}

/// The length of a comment in bytes. Comments may be nested.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = text.get(at..).filter(|rest| !rest.is_empty()).expect("a comment ends");
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(0, char::len_utf8);
        }
    }
}

/// A string, and its length in the text.
fn string(text: &str) -> (String, usize) {
    let (mut read, mut is_escaped) = (String::new(), false);
    for (at, letter) in text.char_indices().skip(1) {
        match (is_escaped, letter) {
            (false, '\\') => is_escaped = true,
            (false, '"') => return (read, at + 1),
            (_, letter) => {
                read.push(letter);
                is_escaped = false;
            }
        }
    }
    panic!("a string ends");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An automaton as another tool may write it: comments, a formula, state and edge sets.
    const FOREIGN: &str = r#"
        HOA: v1 /* a comment /* in a comment */ */
        name: "a \"name\""
        States: 3 Start: 0 Start: 2 AP: 0
        acc-name: Rabin 1
        Acceptance: 3 (Fin(0) & Inf(1)) | Inf(2)
        --BODY--
        State: 0 "first" {0} [t] 1
        State: 1 [t] 0 {1} [t] 1 {1 2}
        State: 2
        --END--
    "#;

    #[test]
    fn what_others_write_is_read() {
        let all = read(&format!("{FOREIGN}{FOREIGN}"));
        let [first, _] = &all[..] else { panic!("there are two") };
        assert_eq!((first.name.as_str(), first.states), ("a \"name\"", 3));
        assert_eq!(first.automaton.starts, [0, 2]);
        let rabin = Any(vec![All(vec![Finitely(0), Infinitely(1)]), Infinitely(2)]);
        assert_eq!(first.automaton.condition, rabin);
        let sets: Vec<Vec<usize>> =
            first.automaton.moves.iter().map(|it| it.sets.iter().copied().collect()).collect();
        assert_eq!(sets, [vec![0], vec![1], vec![1, 2]]);
    }

    #[test]
    fn emptiness_is_a_matter_of_the_condition() {
        // The loop from 0 to 1 and back meets 0 and 1, and the one at 1 meets 1 and 2.
        for (condition, accepts) in [
            ("Inf(0) & Inf(1) & Inf(2)", true),
            ("Fin(0) & Inf(1)", true),
            ("Fin(0) & Fin(2)", false),
            ("Fin(1)", false),
            ("Fin(2) & (Fin(0) | Inf(1))", true),
            ("Fin(2) & (Fin(1) | Fin(0))", false),
            ("Fin(0) & (Fin(1) | Inf(2))", true),
            ("(Fin(0) | Fin(1)) & Fin(2)", false),
            ("(Fin(0) | Inf(2)) & (Fin(2) | Inf(0))", true),
        ] {
            let text = FOREIGN.replace("(Fin(0) & Inf(1)) | Inf(2)", condition);
            assert_eq!(read(&text)[0].automaton.accepts_some_run(), accepts, "{condition}");
        }
        let unreached = FOREIGN.replace("Start: 0", "");
        assert!(!read(&unreached)[0].automaton.accepts_some_run());
    }
}
