//! The formats: each follows its rules, and no text breaks out of it.

use std::collections::BTreeMap;

use deathwatch_claims::diagnosis::Role;
use deathwatch_documents::{Runs, run::End, schema_of};
use deathwatch_scenario::replay::replay;
use deathwatch_show::{
    report::AnsweredScenario,
    run::{dot, itf, mermaid},
};
use serde_json::Value;

use super::{ROUND, STUCK, judged, round, stuck};
use crate::common::parse;

#[test]
fn documents_satisfy_the_schema() {
    let validator = jsonschema::validator_for(&schema_of::<Runs>("Runs")).expect("a schema");
    for run in [stuck(), round()] {
        let document = Runs::document("replay", vec![run]);
        let errors: Vec<String> =
            validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
        let mut wrong = document.clone();
        wrong["runs"][0]["steps"][0]["outcome"] = "perhaps".into();
        assert!(!validator.is_valid(&wrong));
        let mut more = document;
        more["runs"][0]["header"]["mood"] = "good".into();
        assert!(!validator.is_valid(&more), "nothing else is in it");
    }
}

/// Asserts that a value is well-formed in the Informal Trace Format, as its reader in Python
/// requires.
fn assert_is_itf(value: &Value) {
    match value {
        Value::Bool(_) | Value::String(_) => {}
        Value::Array(list) => list.iter().for_each(assert_is_itf),
        Value::Object(fields) => {
            let special: Vec<&String> = fields.keys().filter(|key| key.starts_with('#')).collect();
            if special.is_empty() {
                for (name, value) in fields {
                    assert_is_identifier(name);
                    assert_is_itf(value);
                }
                return;
            }
            assert_eq!((special.len(), fields.len()), (1, 1), "{value}");
            let inner = &fields[special[0]];
            match special[0].as_str() {
                "#bigint" => {
                    let digits = inner.as_str().expect("a number as text");
                    assert!(digits.parse::<i128>().is_ok(), "{digits}");
                }
                "#set" | "#tup" => inner.as_array().expect("a list").iter().for_each(assert_is_itf),
                "#map" => {
                    for pair in inner.as_array().expect("a list") {
                        let pair = pair.as_array().expect("a pair");
                        assert_eq!(pair.len(), 2, "{inner}");
                        pair.iter().for_each(assert_is_itf);
                    }
                }
                other => panic!("{other} is no form of the format"),
            }
        }
        Value::Null | Value::Number(_) => panic!("{value} is no value of the format"),
    }
}

/// Asserts that a name can be that of a field of a record, which a reader in Python makes an
/// attribute.
fn assert_is_identifier(name: &str) {
    const KEYWORDS: &str = " False None True and as assert async await break class continue def del \
                            elif else except finally for from global if import in is lambda nonlocal \
                            not or pass raise return try while with yield ";
    let is_plain = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let begins = name.chars().next().is_some_and(|it| it.is_ascii_lowercase());
    assert!(is_plain && begins && !KEYWORDS.contains(&format!(" {name} ")), "{name}");
}

#[test]
fn traces_keep_to_the_informal_trace_format() {
    for run in [stuck(), round()] {
        let trace = itf(&run);
        assert_eq!(trace["#meta"]["format"], "ITF");
        let vars: Vec<&str> =
            trace["vars"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let states = trace["states"].as_array().expect("a list");
        let mut shapes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (number, state) in states.iter().enumerate() {
            let state = state.as_object().expect("an object");
            assert_eq!(state["#meta"]["index"], number);
            let mut names: Vec<&str> = state.keys().map(String::as_str).collect();
            names.retain(|name| *name != "#meta");
            assert_eq!(names, vars, "a state has each variable");
            for name in vars.iter().copied() {
                assert_is_identifier(name);
                assert_is_itf(&state[name]);
                let rows = state[name]["#map"].as_array();
                for row in rows.into_iter().flatten() {
                    let fields: Vec<String> =
                        row[1].as_object().expect("a record").keys().cloned().collect();
                    let known = shapes.entry(name).or_insert_with(|| fields.clone());
                    assert_eq!(*known, fields, "records of {name} have one type");
                }
            }
        }
        match run.end {
            End::Cycle { from, to } => {
                assert_eq!((trace["loop"].as_u64(), states.len()), (Some(from as u64), to));
            }
            End::Quiescent | End::Open => {
                assert!(trace.get("loop").is_none() && states.len() == run.states.len());
            }
        }
    }
}

#[test]
fn diagrams_have_an_arrow_for_each_step() {
    for run in [stuck(), round()] {
        let drawn = mermaid(&run);
        assert!(drawn.starts_with("sequenceDiagram\n"), "{drawn}");
        for step in &run.steps {
            let begins = format!(": {}. ", step.number);
            assert_eq!(drawn.lines().filter(|line| line.contains(&begins)).count(), 1, "{drawn}");
        }
        let loops = drawn.matches("    loop ").count();
        assert_eq!(loops, usize::from(matches!(run.end, End::Cycle { .. })), "{drawn}");
        let graph = dot(&run);
        assert_eq!(graph.matches(" -> s").count(), run.steps.len(), "{graph}");
        let waits = run.answers[0].wait_for.as_ref().expect("something is stuck");
        let edges = graph.lines().filter(|line| line.trim_start().starts_with("w0_"));
        let edges = edges.filter(|line| line.contains(" -> ")).count();
        assert_eq!(edges, waits.edges.len(), "{graph}");
        let roots: usize = waits.roots.iter().map(|root| root.entities.len()).sum();
        let doubled = graph.matches("peripheries = 2").count();
        let last = usize::from(run.end == End::Quiescent);
        assert!(roots > 0 && (1..=roots).contains(&(doubled - last)), "{graph}");
        if let End::Cycle { from, to } = run.end {
            assert!(graph.contains(&format!("s{} -> s{from} [", to - 1)), "{graph}");
        }
    }
}

#[test]
fn stories_have_a_picture_of_their_steps() {
    for (source, script) in [(STUCK, 0), (ROUND, 1)] {
        let scenario = parse(source).expect("a scenario");
        let replay = replay(&scenario).expect("it is possible");
        let verdict = judged(&scenario, &replay);
        let answered = AnsweredScenario::searched("story".to_owned(), scenario, &replay, verdict);
        let run = answered.shortest().expect("a claim is violated");
        let picture = run.picture.as_deref().expect("it is short");
        let arrows = picture.lines().filter(|line| line.trim_start().starts_with('a'));
        let arrows = arrows.filter(|line| line.contains(">>") || line.contains("-x")).count();
        assert_eq!(arrows, script + run.len(), "{picture}");
        assert_eq!(picture.matches("so far the script").count(), script, "{picture}");
    }
}

#[test]
fn text_from_files_does_not_break_out_of_diagrams() {
    let mut run = stuck();
    let nasty =
        "x\"]; end\nparticipant z\r%%{init: {}}%% #35; <script>alert(1)</script> \\\" \u{202e}";
    for step in &mut run.steps {
        step.act.actor = nasty.to_owned();
        step.act.action = nasty.to_owned();
        step.act.line = nasty.to_owned();
        step.said = vec![nasty.to_owned()];
        step.clauses = vec![nasty.to_owned()];
    }
    for answer in &mut run.answers {
        answer.claim = nasty.to_owned();
    }
    run.header.scenario = nasty.to_owned();
    let waits = run.answers[0].wait_for.as_mut().expect("something is stuck");
    waits.nodes.iter_mut().for_each(|it| it.condition = nasty.to_owned());
    waits.edges.iter_mut().for_each(|it| it.text = nasty.to_owned());
    let drawn = mermaid(&run);
    for bad in ["<script", "%%", "{init", "\"", "\r", "\u{202e}", "\nparticipant", "#35;"] {
        let count = drawn.matches(bad).count();
        assert!(bad == "#35;" || count == 0, "{bad:?} in {drawn}");
    }
    // Lines for the kind, the participants, the arrows and the notes.
    let lines = 1 + 2 + 2 * run.steps.len() + 1 + run.answers.len();
    assert_eq!(drawn.lines().count(), lines, "{drawn}");
    assert!(drawn.lines().all(|line| line.replace("<br/>", "").chars().all(|it| it != '<')));
    let graph = dot(&run);
    let (run_of, waits) = graph.split_once("    subgraph ").expect("something is stuck");
    assert_eq!(run_of.lines().count(), 5 + 2 * run.steps.len(), "{graph}");
    let graph_of = run.answers[0].wait_for.as_ref().expect("something is stuck");
    let others = graph_of.edges.iter().filter(|it| it.role != Role::Waits).count();
    let lines = 3 + graph_of.nodes.len() + graph_of.edges.len() + others + 2;
    assert_eq!(waits.lines().count(), lines, "{graph}");
    for line in graph.lines().filter(|line| line.contains("label")) {
        let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
        assert_eq!(quotes, 2, "{line}");
    }
}
