//! The reachable graph as a file: read back, it has the numbers of states and transitions that
//! `check` reports.

use std::collections::{BTreeMap, BTreeSet};

use assert_cmd::assert::Assert;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, CYCLE, Folder, LARGE, NOT_ASKED, UNDECIDED, bug_as_it_is, json, unit,
};

/// A graph as it is read: its states, and its transitions with their labels.
#[derive(Debug, PartialEq)]
struct ParsedGraph {
    states: BTreeSet<usize>,
    edges: Vec<(usize, String, usize)>,
}

fn aut(text: &str) -> ParsedGraph {
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let header = header.strip_prefix("des (").and_then(|it| it.strip_suffix(')')).expect(header);
    let numbers: Vec<usize> =
        header.split(", ").map(|number| number.parse().expect("a number")).collect();
    let [first, transitions, states] = numbers[..] else { panic!("{header}") };
    let edges: Vec<(usize, String, usize)> = lines
        .map(|line| {
            let inside = line.strip_prefix('(').and_then(|it| it.strip_suffix(')')).expect(line);
            let (from, rest) = inside.split_once(", \"").expect(line);
            let (label, to) = rest.rsplit_once("\", ").expect(line);
            assert!(!label.contains('"'), "{line}");
            (from.parse().expect(line), label.to_owned(), to.parse().expect(line))
        })
        .collect();
    assert_eq!((first, transitions), (0, edges.len()), "{header}");
    let graph = ParsedGraph { states: (0..states).collect(), edges };
    assert!(graph.edges.iter().all(|(from, _, to)| *from < states && *to < states));
    graph
}

fn dot(text: &str) -> ParsedGraph {
    let mut graph = ParsedGraph { states: BTreeSet::new(), edges: Vec::new() };
    let body = text.strip_prefix("digraph states {\n").and_then(|it| it.strip_suffix("}\n"));
    for line in body.expect("a graph").lines().map(str::trim) {
        if line.starts_with("label = ") {
            continue;
        }
        if let Some((from, rest)) = line.split_once(" -> ") {
            let (to, rest) = rest.split_once(" [label = \"").expect(line);
            let (label, _) = rest.split_once('"').expect(line);
            let number = |text: &str| text.parse().expect("a number");
            graph.edges.push((number(from), label.to_owned(), number(to)));
        } else {
            let number = line.split(' ').next().expect("a word");
            graph.states.insert(number.parse().expect("a number"));
        }
    }
    graph
}

/// The numbers of states and transitions that `check` reports.
fn counts(folder: &Folder, file: &str) -> (usize, usize) {
    let run = json(&folder.run(&format!("check {file} --format json")))["runs"][0].clone();
    let number = |key: &str| {
        usize::try_from(run[key].as_u64().expect("it is searched")).expect("it is small")
    };
    (number("states"), number("transitions"))
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check bug.toml --output o.aut --write-graph o.aut").code(NOT_ASKED);
    assert_eq!(folder.names(), ["bug.toml"]);
}

#[test]
fn a_graph_has_what_check_counts() {
    let folder = Folder::new()
        .with("bug.toml", bug_as_it_is())
        .with("round.toml", CYCLE)
        .with("unit.toml", unit());
    for name in ["bug", "round", "unit"] {
        let (states, transitions) = counts(&folder, &format!("{name}.toml"));
        for form in ["aut", "dot"] {
            let line = format!("check {name}.toml --write-graph {name}.{form}");
            folder.run(&line).stderr("");
        }
        let read = aut(&folder.read(&format!("{name}.aut")));
        assert_eq!((read.states.len(), read.edges.len()), (states, transitions), "{name}");
        assert_eq!(dot(&folder.read(&format!("{name}.dot"))), read, "{name}: both are the same");
        let mut reached = BTreeSet::from([0]);
        for (from, _, to) in &read.edges {
            // States are numbered in the order in which they are found.
            assert!(reached.contains(from), "{name}: {from}");
            reached.insert(*to);
        }
        assert_eq!(reached, read.states, "{name}: each state can be reached");
    }
}

#[test]
fn a_counterexample_is_a_path_of_the_graph() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check bug.toml --write-graph bug.aut").code(AS_EXPECTED);
    let graph = aut(&folder.read("bug.aut"));
    let next: BTreeMap<(usize, &str), usize> =
        graph.edges.iter().map(|(from, label, to)| ((*from, label.as_str()), *to)).collect();
    let document = json(&folder.run("replay bug.toml --counterexample --format json"));
    let steps = document["runs"][0]["steps"].as_array().expect("a list").clone();
    let end = steps.iter().fold(0, |at, step| {
        let line = step["line"].as_str().expect("a step");
        *next.get(&(at, line)).unwrap_or_else(|| panic!("{line} leads nowhere from {at}"))
    });
    let moves = |it: &&(usize, String, usize)| it.0 == end && !it.1.starts_with("faults");
    assert_eq!(graph.edges.iter().find(moves), None, "nobody can move at its end");
}

/// Writes a graph of the bug about these claims. `line` is split at spaces.
fn about(folder: &Folder, claims: &[&str], line: &str) -> Assert {
    let claims = claims.iter().flat_map(|claim| ["--claim", claim]);
    let args: Vec<&str> = ["check", "bug.toml"].into_iter().chain(claims).collect();
    folder.command(&args).args(line.split(' ')).assert()
}

const REMOVED: &str = "a Dying unit is removed";

#[test]
fn an_automaton_has_the_states_in_which_a_claim_is_owed() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    about(&folder, &[REMOVED], "--write-graph bug.hoa");
    about(&folder, &[REMOVED], "--write-graph mysql.hoa --subject mysql/0");
    let line = ["check", "bug.toml", "--claim", REMOVED, "--write-graph", "unit.hoa", "--subject"];
    let _ = folder.command(&line).arg("unit mysql/0").assert();
    folder.run("check bug.toml --write-graph bug.aut").code(AS_EXPECTED);
    let (whole, one) = (folder.read("bug.hoa"), folder.read("mysql.hoa"));
    assert_eq!(one, folder.read("unit.hoa"), "a subject may be named with its kind");
    assert!(whole.contains(&one), "each subject has an automaton of its own:\n{whole}");
    assert_eq!(whole.matches("HOA: v1\n").count(), 2, "there are two units:\n{whole}");
    let relation = "a Dying relation is removed";
    about(&folder, &[relation], "--write-graph bug.hoa").code(AS_EXPECTED);
    let (text, graph) = (folder.read("bug.hoa"), aut(&folder.read("bug.aut")));
    assert!(text.contains("Acceptance: ") && text.contains(" Fin(0) & Inf(1)"), "{text}");
    // The name of a state is its number in the whole graph, and a step has its line in a comment.
    let mut names: Vec<usize> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("State: ")) {
        let [_, name, _] = line.split('"').collect::<Vec<_>>()[..] else { panic!("{line}") };
        names.push(name.parse().expect(line));
    }
    assert!(names.len() > 5 && names.is_sorted(), "{names:?}");
    let (mut at, mut steps) = (0, 0);
    for line in text.lines().skip_while(|line| *line != "--BODY--") {
        if let Some(state) = line.strip_prefix("State: ") {
            let (index, _) = state.split_once(' ').expect(line);
            at = names[index.parse::<usize>().expect(line)];
        } else if let Some(step) = line.strip_prefix("[t] ") {
            let (to, step) = step.split_once(' ').expect(line);
            let (_, step) = step.split_once("/* ").expect(line);
            let step = step.strip_suffix(" */").expect(line);
            let to = names[to.parse::<usize>().expect(line)];
            let edge = (at, step.to_owned(), to);
            let ends = step == "nothing more happens" && at == to;
            assert!(ends || graph.edges.contains(&edge), "{edge:?}");
            steps += 1;
        }
    }
    assert!(steps > 5, "{text}");
}

#[test]
fn an_automaton_is_about_one_claim_about_what_must_follow() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let started = "everything starts Alive";
    let hoa = "--write-graph bug.hoa";
    let cases: [(&[&str], &str, &str); 7] = [
        (&[], hoa, "it is about one claim"),
        (&[REMOVED, started], hoa, "it is about one claim"),
        (&[started], hoa, "of the kind step"),
        (&[REMOVED], "--write-graph bug.hoa --subject redis/0", "no subject \"redis/0\""),
        (&[REMOVED], "--write-graph bug.hoa --subject mysql/00", "did you mean `mysql/0`"),
        (&[REMOVED], "--write-graph bug.aut --subject mysql/0", "only .hoa is about one"),
        (&[REMOVED], "--subject mysql/0", "--write-graph"),
    ];
    for (claims, line, why) in cases {
        about(&folder, claims, line).code(NOT_ASKED).stderr(predicate::str::contains(why));
    }
    assert_eq!(folder.names(), ["bug.toml"]);
}

#[test]
fn a_graph_does_not_depend_on_the_threads() {
    let folder = Folder::new().with("round.toml", CYCLE);
    for threads in ["1", "4"] {
        let line = format!("check round.toml --threads {threads} --write-graph {threads}.aut");
        folder.run(&line);
    }
    assert_eq!(folder.read("1.aut"), folder.read("4.aut"));
}

#[test]
fn a_graph_is_written_whole_or_not_at_all() {
    let folder = Folder::new()
        .with("large.toml", LARGE)
        .with("bug.toml", bug_as_it_is())
        .with("old.aut", "old")
        .with("bad.toml", "shows = 1\n");
    let told = predicate::str::contains("no graph is written");
    let line = "check large.toml --max-states 1000 --write-graph old.aut";
    folder.run(line).code(UNDECIDED).stderr(told);
    for (line, why) in [
        ("check bug.toml --write-graph bug.svg", ".dot, .aut or .hoa"),
        ("check bug.toml --write-graph bug", ".dot, .aut or .hoa"),
        ("check bug.toml large.toml --write-graph old.aut", "these are 2 scenarios"),
        ("check bug.toml --write-graph bug.toml/bug.dot", "it would not be in a folder"),
        ("check bad.toml --write-graph old.aut", "shows"),
    ] {
        folder.run(line).code(NOT_ASKED).stderr(predicate::str::contains(why));
    }
    assert_eq!(folder.read("old.aut"), "old");
    assert_eq!(folder.names(), ["bad.toml", "bug.toml", "large.toml", "old.aut"]);
}
