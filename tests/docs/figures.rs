//! The figures of README.md, compared with the reports and scenarios that it links to.

use assert_cmd::Command;

use super::{program, read, root};

/// The heading of the findings.
const FOUND: &str = "\n## What we found\n";

/// Each bullet of the findings links to files, and each of its numbers is in one of these.
#[test]
fn what_was_found_is_in_the_files_that_are_named() {
    let readme = read(&root().join("README.md"));
    let (_, found) = readme.split_once(FOUND).expect("README.md says what was found");
    let found = found.split("\n## ").next().unwrap_or_default();
    let mut figures = 0;
    for bullet in found.split("\n- ").skip(1) {
        let links = bullet.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let texts =
            links.filter_map(|link| link.split('#').next()).map(|it| read(&root().join(it)));
        let there: Vec<String> = texts.flat_map(|text| numbers(&text)).collect();
        assert!(!there.is_empty(), "{bullet} leads to a file");
        for number in numbers(&without_links(bullet)) {
            assert!(there.contains(&number), "{number} is in no file that is named in\n{bullet}");
            figures += 1;
        }
    }
    assert!(figures >= 5, "{figures} figures");
}

/// The words under a picture are those of the page that it shows.
#[test]
fn what_is_said_of_the_picture_of_a_sweep_is_on_the_page_of_the_sweep() {
    let guide = read(&root().join("docs/ci.md"));
    let (_, said) = guide.split_once("![The page of a sweep: ").expect("the picture is there");
    let (said, _) = said.split_once('.').expect("it is a sentence");
    let mut command = Command::new(program());
    let run = "simulate scenarios/simulate/relation-scope-bug-by-swarm.toml --keep-going";
    let run = command.current_dir(root()).args(run.split(' '));
    let page = run.args(["--seeds", "0..100", "--format", "html"]).output().expect("it runs");
    let page = String::from_utf8(page.stdout).expect("a page is text");
    assert!(page.contains(said), "\"{said}\" is not on the page");
}

/// A text without the targets of its links.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(')').map_or(part, |(_, after)| after));
    }
    kept
}

/// The whole numbers of a text, without separators of thousands.
fn numbers(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_inside = found.last().is_some_and(|number| !number.is_empty());
        match letter {
            '0'..='9' => found.last_mut().expect("there is one").push(letter),
            ',' | '_' if is_inside && letters.peek().is_some_and(char::is_ascii_digit) => {}
            _ if is_inside => found.push(String::new()),
            _ => {}
        }
    }
    found.retain(|number| !number.is_empty());
    found
}

#[test]
fn numbers_are_whole() {
    assert_eq!(numbers("34 of 5,665,316, states = 5_665_316"), ["34", "5665316", "5665316"]);
    assert_eq!(without_links("[a](b/1.md) 2"), "[a 2");
}
