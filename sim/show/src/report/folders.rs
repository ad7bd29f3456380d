//! A page for each folder of scenarios: every answer, every run, and the fix.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use super::{
    AnsweredScenario, Page, answers,
    fix::fix,
    markdown::anchor,
    settings::{Settings, fixed},
    story,
    template::{render, safe},
};

/// The name of the page of a folder.
pub(crate) fn path(folder: &str) -> String {
    let name = format!("scenarios-{}", folder.replace('/', "-"));
    format!("reports/{}.md", name.trim_end_matches('-'))
}

/// The pages, in the order of the folders.
pub(super) fn pages(all: &[AnsweredScenario]) -> Vec<Page> {
    let mut folders: BTreeMap<&str, Vec<&AnsweredScenario>> = BTreeMap::new();
    for it in all {
        folders.entry(it.folder()).or_default().push(it);
    }
    let page = |(folder, mine): (&str, Vec<&AnsweredScenario>)| {
        let scenarios: Vec<Value> = mine.iter().map(|it| one(it, all)).collect();
        let data = context! { folder, fixed => fixed(), scenarios };
        Page { path: path(folder), text: render(include_str!("pages/folder.md"), data) }
    };
    folders.into_iter().map(page).collect()
}

fn one(it: &AnsweredScenario, all: &[AnsweredScenario]) -> Value {
    let run = it.shortest();
    context! {
        settings => Settings::of(&it.scenario.world).sentence(),
        answers => answers::answers(it),
        anchor => anchor(&it.name),
        runs => it.runs.iter().map(story::run).collect::<Vec<_>>(),
        run => run.map(|run| story::excerpt(it, run, usize::MAX)),
        fix => fix(it, all).map(|fix| safe(fix.text())),
        ..story::scenario(it)
    }
}
