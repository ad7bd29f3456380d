//! The page of known bugs: those of Juju that left entities stuck, each with a world that has it and
//! the same world with the fix.
//!
//! A bug is a pair of scenarios, which names it by its number: `05-dead-while-in-scope` and
//! `05-dead-while-in-scope-fixed`. One pair may serve two numbers, if they are one mechanism. What it
//! takes to have the bug, and to be rid of it, is the difference of their worlds.

mod left_out;

use std::fmt::Write as _;

use deathwatch_model::claims::{Claim, ClaimKind};

pub use self::left_out::{LEFT_OUT, LeftOut};
use super::{
    Answered, Run,
    findings::tell,
    markdown::{
        From, MADE_BY, anchor, command, count, head, in_quotes, link, number, picture, row, say,
    },
    settings::{Settings, peculiar, restored},
};
use deathwatch_scenario::scenario::Expected;

/// The folder of the scenarios that the page is about.
pub const FOLDER: &str = "known-bugs";
/// The number of the last bug.
pub const LAST: u8 = 44;
/// The end of the name of a scenario that shows a fix.
const FIXED: &str = "-fixed";

/// A bug that a pair of scenarios shows.
pub struct KnownBug<'a> {
    /// Its numbers.
    pub numbers: Vec<u8>,
    /// The scenario that has it.
    pub broken: &'a Answered,
    /// The scenario that has the fix.
    pub fixed: &'a Answered,
}

/// The bugs that are shown, in the order of their first numbers; what is no half of a pair is none.
pub fn shown(answered: &[Answered]) -> Vec<KnownBug<'_>> {
    let mine = || answered.iter().filter(|it| it.folder() == FOLDER);
    let pairs = mine().filter_map(|broken| {
        let name = format!("{}{FIXED}", broken.name);
        let fixed = mine().find(|it| it.name == name)?;
        Some(KnownBug { numbers: numbers(broken.short_name()), broken, fixed })
    });
    let mut bugs: Vec<KnownBug<'_>> = pairs.collect();
    bugs.sort_by(|one, other| one.numbers.cmp(&other.numbers));
    bugs
}

/// The numbers that a name begins with.
fn numbers(name: &str) -> Vec<u8> {
    name.split('-').map_while(|part| part.parse().ok()).collect()
}

impl KnownBug<'_> {
    /// The claims that are violated with the bug and not with the fix.
    pub fn claims(&self) -> Vec<&'static Claim> {
        let mut claims = self.broken.claims(Expected::Violated);
        claims.retain(|claim| self.fixed.answer(claim) != Some(Expected::Violated));
        claims
    }

    /// The shortest run that shows what stays, or else what is wrong.
    pub fn run(&self) -> Option<&Run> {
        let claims = self.claims();
        let mine = |run: &&Run| claims.iter().any(|claim| claim.name == run.claim.name);
        let is_less = |run: &&Run| run.claim.kind() != ClaimKind::Leads;
        self.broken.runs.iter().filter(mine).min_by_key(|run| (is_less(run), run.len()))
    }

    /// The name of its section.
    fn title(&self) -> &str {
        self.broken.short_name()
    }

    /// What its number is where it was reported, and the commits that its comment names.
    fn known_as(&self) -> String {
        let notes = self.broken.notes().unwrap_or_default();
        let words = notes.split(' ').map(|word| word.trim_matches([',', ';', ':', '.', '(', ')']));
        words.filter(|word| is_reference(word)).collect::<Vec<_>>().join(", ")
    }

    /// How it ends with the fix.
    fn verdict(&self) -> String {
        match &self.fixed.claims(Expected::Violated)[..] {
            [] => "holds".to_owned(),
            some => format!("holds, but for what is meant: {}", in_quotes(some)),
        }
    }
}

/// Whether a word is the number of a report, or the beginning of a commit's.
fn is_reference(word: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix("lp:").or_else(|| word.strip_prefix('#')).is_some_and(is_number)
        || word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The page.
pub fn page(answered: &[Answered]) -> String {
    let bugs = shown(answered);
    let (shown, out) = (bugs.iter().map(|it| it.numbers.len()).sum(), LEFT_OUT.len());
    let mut page = format!("{MADE_BY}\n\n# Known bugs\n");
    say(
        &mut page,
        &format!(
            "{} of Juju, from 2013 to 2026, that left machines, units, applications or relations \
             stuck. {} here: a variant, a clause that is switched off or an assumption that is not \
             made has the bug, and the same world without it has not. {} left out, each for the \
             reason given.",
            count(shown + out, "known bug", "known bugs"),
            count(shown, "is shown", "are shown"),
            count(out, "is", "are"),
        ),
    );
    table(&mut page, &bugs);
    for bug in &bugs {
        one(&mut page, bug);
    }
    page
}

/// A row for each number.
fn table(page: &mut String, bugs: &[KnownBug<'_>]) {
    let columns = ["#bug", "known as", "mechanism", "what has it", "#steps", "fix", "with the fix"];
    head(page, &columns);
    for bug in 1..=LAST {
        let name = bug.to_string();
        for it in bugs.iter().filter(|it| it.numbers.contains(&bug)) {
            let title = it.title();
            let shows = format!("[{}](#{})", it.broken.scenario.shows, anchor(title));
            let steps = it.run().map_or_else(|| "no run".to_owned(), |run| run.len().to_string());
            let (has, fix) = (peculiarities(it), fixes(it));
            row(page, &[&name, &it.known_as(), &shows, &has, &steps, &fix, &it.verdict()]);
        }
        for it in LEFT_OUT.iter().filter(|it| it.number == bug) {
            let why = format!("left out: {}", it.why);
            row(page, &[&name, it.known_as, it.mechanism, &why, "", "", ""]);
        }
    }
}

fn peculiarities(bug: &KnownBug<'_>) -> String {
    peculiar(&bug.broken.scenario.world, &bug.fixed.scenario.world).join(", ")
}

fn fixes(bug: &KnownBug<'_>) -> String {
    restored(&bug.broken.scenario.world, &bug.fixed.scenario.world).join(", ")
}

fn one(page: &mut String, bug: &KnownBug<'_>) {
    let _ = write!(page, "\n## {}\n", bug.title());
    say(page, &bug.broken.scenario.shows);
    if let Some(notes) = bug.broken.notes() {
        say(page, &notes);
    }
    say(page, &Settings::of(&bug.broken.scenario.world).sentence());
    violated(page, bug);
    say(page, &format!("The fix: {}. {}", fixes(bug), bug.fixed.scenario.shows));
    if let Some(notes) = bug.fixed.notes() {
        say(page, &notes);
    }
    let states = bug.fixed.figures.map(|it| number(it.states)).unwrap_or_default();
    let fixed = link(From::Reports, bug.fixed, bug.fixed.short_name());
    say(page, &format!("{fixed}, all {states} states: {}.", bug.verdict()));
    say(page, &format!("`{}`", command(bug.broken)));
}

/// The claims that the fix is for, and the run.
fn violated(page: &mut String, bug: &KnownBug<'_>) {
    let mut claims = bug.claims();
    let Some(run) = bug.run() else {
        return say(page, &format!("Violated: {}; no run shows it.", in_quotes(&claims)));
    };
    tell(page, bug.broken, run);
    picture(page, run.picture.as_deref());
    claims.retain(|claim| claim.name != run.claim.name);
    if !claims.is_empty() {
        say(page, &format!("Violated as well: {}.", in_quotes(&claims)));
    }
}
