//! A page for each folder of scenarios: every answer, every run, and the fix.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use super::{
    Answered, Page, answers,
    findings::fixed_by,
    fix::fix,
    markdown::{From, command, link},
    settings::{Settings, fixed},
    story,
    template::render,
};

/// The name of the page of a folder.
pub(crate) fn path(folder: &str) -> String {
    let name = format!("scenarios-{}", folder.replace('/', "-"));
    format!("reports/{}.md", name.trim_end_matches('-'))
}

/// The pages, in the order of the folders.
pub(super) fn pages(all: &[Answered]) -> Vec<Page> {
    let mut folders: BTreeMap<&str, Vec<&Answered>> = BTreeMap::new();
    for it in all {
        folders.entry(it.folder()).or_default().push(it);
    }
    let page = |(folder, mine): (&str, Vec<&Answered>)| {
        let scenarios: Vec<Value> = mine.iter().map(|it| one(it, all)).collect();
        let data = context! { folder, fixed => fixed(), scenarios };
        Page { path: path(folder), text: render(include_str!("pages/folder.md"), data) }
    };
    folders.into_iter().map(page).collect()
}

fn one(it: &Answered, all: &[Answered]) -> Value {
    let violated = it.runs.iter().map(|run| {
        context! { claim => run.claim.name, source => run.claim.source, steps => run.len() as u64 }
    });
    let run = it.shortest();
    let fix = fix(it, all).map(|it| fixed_by(&it)).unwrap_or_default();
    context! {
        name => it.name.clone(),
        link => Value::from_safe_string(link(From::Reports, it, it.short_name())),
        shows => it.scenario.shows.clone(),
        notes => it.notes().unwrap_or_default(),
        settings => Settings::of(&it.scenario.world).sentence(),
        answers => answers::answers(it),
        states => it.figures.map(|it| it.states).unwrap_or_default(),
        violated => violated.collect::<Vec<_>>(),
        run => run.map(|run| story::told(it, run, usize::MAX)),
        fix => Value::from_safe_string(fix),
        command => command(it),
    }
}
