//! The headers of the operations, compared with the table of clauses.

use deathwatch_claims::passages::PassageAnswer;
use deathwatch_model::clause::{Clause, Rule};

use super::{read, root};

/// A header lists each clause of its file's rules, by number and in the words of the table;
/// additions come after them, and mark the clauses that are ours.
#[test]
fn the_header_of_an_operation_says_its_clauses() {
    let operations = Rule::ALL.iter().filter(|rule| rule.is_operation());
    let mut files: Vec<&str> = operations.map(|rule| rule.file()).collect();
    files.dedup();
    for file in files {
        let rules = Rule::ALL.iter().filter(|rule| rule.file() == file);
        let clauses: Vec<(String, bool)> = rules.copied().flat_map(clauses).collect();
        let bullets = bullets(&read(&root().join("model/src").join(file)));
        assert_eq!(
            bullets.len(),
            clauses.len(),
            "{file} has a bullet for each clause: {bullets:?}"
        );
        for (bullet, (clause, is_ours)) in bullets.iter().zip(&clauses) {
            let says = bullet.strip_prefix(clause.as_str());
            let is_whole = says.is_some_and(|more| more.is_empty() || more.starts_with(' '));
            assert!(is_whole, "{file} says\n  {bullet}\nand the table of clauses\n  {clause}");
            let says_so = says.is_some_and(|more| more.starts_with(" (Ours: "));
            assert_eq!(says_so, *is_ours, "{file} says whether this is ours:\n  {bullet}");
        }
    }
}

/// The beginnings of a rule's bullets, and whether each clause is ours.
fn clauses(rule: Rule) -> impl Iterator<Item = (String, bool)> {
    rule.clauses().iter().map(move |info| {
        let clause = Clause { rule, number: info.number };
        (format!("{}. {}", info.number, info.says), PassageAnswer::Clause(clause).is_ours())
    })
}

/// The numbered bullets of the comment at the head of a file, each in one line.
fn bullets(text: &str) -> Vec<String> {
    let mut bullets: Vec<String> = Vec::new();
    let mut is_inside = false;
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let is_numbered =
            line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
        is_inside = is_numbered || is_inside && line.starts_with(' ');
        match bullets.last_mut() {
            _ if is_numbered => bullets.push(line.to_owned()),
            Some(bullet) if is_inside => {
                bullet.push(' ');
                bullet.push_str(line.trim());
            }
            _ => {}
        }
    }
    bullets
}
