//! The diagnosis of a real model on a screen: 80 columns, the answer first.

use deathwatch_documents::diagnosis::{
    Case, Holder, ModelDiagnosis, Simulated, StuckGroup, StuckVerdict, WhatIf, WhatIfGoes,
    WhatIfKind,
};

const COLUMNS: usize = 80;
/// The words before a line, with the space behind them.
const LABEL: usize = 7;
/// The most things and trees of a group that are shown.
const MOST: usize = 12;

/// The most answers of a group that are shown.
const MOST_CASES: usize = 4;

/// A part of the screen, by which it is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenPart {
    StuckVerdict(StuckVerdict),
    /// A word before a line.
    Label,
}

/// The screen of a diagnosis. `paint` colours its parts.
pub fn screen(report: &ModelDiagnosis, paint: &dyn Fn(ScreenPart, &str) -> String) -> String {
    let mut screen = Screen { text: String::new(), paint };
    let destroying = if report.destroying { " (destroying)" } else { "" };
    screen.line(&format!("Juju {}, model {}{destroying}", report.juju, report.model));
    if report.groups.is_empty() {
        screen.verdict(report.verdict, without_groups(report));
    }
    for (number, group) in report.groups.iter().enumerate() {
        if number > 0 {
            screen.line("");
        }
        screen.group(report, group);
    }
    if !report.notes.is_empty() {
        screen.line("");
    }
    for note in &report.notes {
        screen.labelled("note", note);
    }
    screen.text
}

struct Screen<'a> {
    text: String,
    paint: &'a dyn Fn(ScreenPart, &str) -> String,
}

impl Screen<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn verdict(&mut self, verdict: StuckVerdict, says: &str) {
        let (head, rest) = says.split_at(says.find([':', '.']).unwrap_or(says.len()));
        let lines = textwrap::wrap(says, COLUMNS);
        if lines.len() == 1 {
            let painted = (self.paint)(ScreenPart::StuckVerdict(verdict), head);
            self.line(&format!("{painted}{rest}"));
        } else {
            let first =
                lines[0].replacen(head, &(self.paint)(ScreenPart::StuckVerdict(verdict), head), 1);
            self.line(&first);
            lines[1..].iter().for_each(|it| self.line(it));
        }
    }

    /// A text behind a word, wrapped.
    fn labelled(&mut self, label: &str, text: &str) {
        let options = textwrap::Options::new(COLUMNS - LABEL)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for (index, line) in textwrap::wrap(text, options).iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let space = " ".repeat(LABEL.saturating_sub(label.chars().count()));
            let label = if label.is_empty() {
                String::new()
            } else {
                (self.paint)(ScreenPart::Label, label)
            };
            self.line(&format!("{label}{space}{line}"));
        }
    }

    fn group(&mut self, report: &ModelDiagnosis, group: &StuckGroup) {
        self.verdict(shown_verdict(report, group), &headline(report, group));
        if let Some(why) = &group.undecided {
            let why = format!("not searched: {why}; the tree is of what Juju has printed alone");
            self.labelled("open", &why);
            self.labelled("stuck", &group.things.join(", "));
            for line in group.simulated.iter().flat_map(simulated) {
                self.labelled("seeds", &line);
            }
        }
        let is_one = group.cases.len() == 1;
        for (number, case) in group.cases.iter().take(MOST_CASES).enumerate() {
            if !is_one {
                let when = case.when.join("; and ");
                self.labelled(&letter(number), &format!("{when}:"));
            }
            self.case(case, group, report.destroying);
        }
        if group.cases.len() > MOST_CASES {
            let more = group.cases.len() - MOST_CASES;
            let text =
                format!("{more} more answers for other values of these; --format json has all");
            self.labelled("…", &text);
        }
        for tell in &group.tell {
            self.labelled("tell", tell);
        }
        if !group.alike.is_empty() {
            let all = group.alike.join(", ");
            let text = format!("the same is expected of what is like these, not searched: {all}");
            self.labelled("alike", &text);
        }
        for outside in &group.outside {
            self.labelled("also", &format!("held, perhaps, by {outside}, which is not modelled"));
        }
        if group.settled {
            let text = "too many states fit; what seldom matters was taken to be as usual";
            self.labelled("note", text);
        }
    }

    fn case(&mut self, case: &Case, group: &StuckGroup, is_destroying: bool) {
        for broken in &case.broken {
            self.labelled("broken", &format!("Juju's own steps never lead here: {broken}"));
        }
        for holder in case.holders.iter().take(MOST) {
            self.holder(holder, 0);
        }
        if case.holders.len() > MOST {
            self.line(&format!("  and {} more holders", case.holders.len() - MOST));
        }
        if is_destroying {
            self.line("  the model waits for all of these");
        }
        for (index, step) in case.next.iter().enumerate() {
            let label = if index == 0 { "next" } else { "" };
            let colon = if step.who == "you" { ":" } else { "" };
            self.labelled(label, &format!("{}{colon} {}", step.who, step.what));
        }
        if case.verdict == StuckVerdict::Undecided {
            return;
        }
        if !case.then.is_empty() {
            self.labelled("then", &case.then.join("; "));
        }
        self.labelled("goes?", &outlook(case, group));
        for fix in case.what_if.iter().filter_map(|it| fix(case, it)) {
            self.labelled("", &fix);
        }
        for (index, like) in case.like.iter().enumerate() {
            self.labelled(if index == 0 { "like" } else { "" }, like);
        }
    }

    /// A holder with the entities that wait for it, below each other.
    fn holder(&mut self, holder: &Holder, depth: usize) {
        let indent = if depth == 0 { "  ".to_owned() } else { "  ".repeat(depth) + "  └ " };
        let since = match holder.since.as_str() {
            since if depth == 0 && !since.is_empty() => format!("; since {}", to_the_minute(since)),
            _ => String::new(),
        };
        let text = format!("{}  {}{since}", holder.name, holder.says);
        let later = " ".repeat(indent.chars().count() + 2);
        let options = textwrap::Options::new(COLUMNS)
            .initial_indent(&indent)
            .subsequent_indent(&later)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for line in textwrap::wrap(&text, options) {
            self.line(&line);
        }
        for waiting in holder.waiting.iter().take(MOST) {
            self.holder(waiting, depth + 1);
        }
        if holder.waiting.len() > MOST {
            let more = holder.waiting.len() - MOST;
            self.line(&format!("{}  and {more} more", "  ".repeat(depth + 1)));
        }
    }
}

/// The letter of a case, as in "(a)".
pub(crate) fn letter(number: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(number.min(25)).unwrap_or(25));
    format!("({letter})")
}

/// The sentence for a model in which all entities are Alive, as far as is known.
pub(crate) fn without_groups(report: &ModelDiagnosis) -> &'static str {
    match report.verdict {
        StuckVerdict::GoesByItself => "NOTHING IS STUCK: everything is Alive.",
        _ => "NOT DECIDED: nothing that is shown is stuck, and not all lives are shown.",
    }
}

/// The verdict that the first line of a group tells. Where the whole is open though each group goes
/// by itself, something that is not shown leaves it open, and so the line is open, too.
pub(crate) fn shown_verdict(report: &ModelDiagnosis, group: &StuckGroup) -> StuckVerdict {
    let is_open = report.verdict == StuckVerdict::Undecided
        && report.groups.iter().all(|it| it.verdict == StuckVerdict::GoesByItself);
    if is_open { report.verdict } else { group.verdict }
}

/// The first line of a group.
pub(crate) fn headline(report: &ModelDiagnosis, group: &StuckGroup) -> String {
    let count = group.things.len() + group.alike.len();
    let holders = group.cases.first().map_or(&[][..], |it| &it.holders[..]);
    let waiting: usize = holders.iter().map(below).sum();
    let others =
        if waiting == 1 { "1 other thing".to_owned() } else { format!("{waiting} others") };
    let held = match (holders, waiting) {
        ([], _) => things(count),
        ([one], 0) => one.name.clone(),
        ([one], _) => format!("{} holds {others}", one.name),
        ([one, other], 0) => format!("{} and {}", one.name, other.name),
        ([one, other], _) => format!("{} and {} hold {others}", one.name, other.name),
        (some, 0) => format!("{} holders", some.len()),
        (some, _) => format!("{} holders, which hold {others}", some.len()),
    };
    match shown_verdict(report, group) {
        StuckVerdict::GoesByItself => {
            let are = if count == 1 {
                "is on its way out, and goes"
            } else {
                "are on their way out, and go"
            };
            format!("NOTHING IS STUCK: {} {are} without you.", things(count))
        }
        StuckVerdict::UntilYouAct => format!("STUCK until you act: {held}."),
        StuckVerdict::ForEver => format!("STUCK for ever: {held}; nobody can take the next step."),
        StuckVerdict::Depends => {
            let whether = match &group.things[..] {
                [one] => format!("whether {one} goes"),
                all => format!("whether these go: {}", all.join(", ")),
            };
            format!("DEPENDS on what Juju did not print: {whether}.")
        }
        StuckVerdict::Undecided if group.undecided.is_none() => {
            format!("NOT DECIDED: as far as it is known {} without you.", things_go(count))
        }
        StuckVerdict::Undecided => format!("NOT DECIDED: {} not Alive.", things(count)),
        StuckVerdict::Inconsistent => {
            "INCONSISTENT: the documents of the model disagree; taken as they are:".to_owned()
        }
    }
}

/// The number of things that wait for a holder, directly or not.
fn below(holder: &Holder) -> usize {
    holder.waiting.iter().map(|it| 1 + below(it)).sum()
}

/// A time of Juju, as in "03 Mar 2026 04:05:06Z", without its seconds. An offset from UTC stays, as
/// the operator compares it with her clock; another text stays as it is.
fn to_the_minute(time: &str) -> String {
    let Some((hours, rest)) = time.split_once(':') else { return time.to_owned() };
    let Some((minutes, seconds)) = rest.split_once(':') else { return time.to_owned() };
    let offset = seconds.trim_start_matches(|it: char| it.is_ascii_digit());
    format!("{hours}:{minutes}{}", if offset == "Z" { "" } else { offset })
}

fn things(count: usize) -> String {
    if count == 1 { "1 thing".to_owned() } else { format!("{count} things") }
}

fn things_go(count: usize) -> String {
    if count == 1 { "1 thing goes".to_owned() } else { format!("{count} things go") }
}

/// The sentences about the runs that were drawn.
pub(crate) fn simulated(simulated: &Simulated) -> Vec<String> {
    let Simulated { fitting, states, runs, by_itself, put_right, stays } = simulated;
    let mut lines = vec![format!(
        "simulated, which proves nothing: of {runs} runs from {states} of the {fitting} states that \
         Juju's output allows, all goes by itself in {by_itself}, and in {put_right} if hook errors are resolved, \
         agents started and broken machines terminated"
    )];
    if !stays.is_empty() {
        lines.push(format!("stays in some of these all the same: {}", stays.join(", ")));
    }
    lines
}

/// The fix where nothing else helps: another Juju, or force.
fn fix(case: &Case, what_if: &WhatIf) -> Option<String> {
    if case.verdict == StuckVerdict::UntilYouAct {
        return None;
    }
    let tried = tried(what_if);
    let helps = match what_if.goes {
        WhatIfGoes::Yes => "yes",
        WhatIfGoes::No => "no",
        WhatIfGoes::InSomeStates => "in some of these states, not in others",
        WhatIfGoes::Undecided => "not decided",
    };
    match what_if.kind {
        WhatIfKind::Nothing | WhatIfKind::Act => None,
        WhatIfKind::Upgrade => {
            let searched = |states| format!(" ({states} searched)");
            let searched = what_if.following.map(searched).unwrap_or_default();
            let doing = &what_if.doing;
            Some(format!("with a Juju in which {doing}: {helps}{tried}{searched}"))
        }
        WhatIfKind::Force => Some(format!("with {}: {helps}{tried}", what_if.how.join(", "))),
    }
}

/// The states in which it was tried, if not all.
pub(crate) fn tried(what_if: &WhatIf) -> String {
    let tried = |it: usize| format!(" in the {it} states that were tried");
    what_if.tried.map(tried).unwrap_or_default()
}

/// The sentence that tells whether the case can be freed.
pub(crate) fn outlook(case: &Case, group: &StuckGroup) -> String {
    let allows = "that Juju's output allows";
    let fits = match (group.cases.len(), case.states) {
        (_, many) if group.settled => format!("in the {many} states that were tried"),
        (1, 1) => format!("in the only state {allows}"),
        (1, 2) => format!("in both states {allows}"),
        (1, many) => format!("in all {many} states {allows}"),
        (_, 1) => "in the only such state".to_owned(),
        (_, 2) => "in both such states".to_owned(),
        (_, many) => format!("in all {many} such states"),
    };
    match case.verdict {
        StuckVerdict::GoesByItself => {
            format!("yes, by itself, {fits}, unless a hook fails or an agent stops for good")
        }
        StuckVerdict::UntilYouAct => {
            let mut needs: Vec<String> = case
                .goes
                .iter()
                .flat_map(|it| it.needs.iter().map(|set| set.join(" and ")))
                .collect();
            needs.sort();
            needs.dedup();
            let needs = needs.join(", or ");
            format!("yes if {needs}, not without that; {fits} ({} searched)", case.following)
        }
        _ => {
            let never = case.goes.iter().filter(|it| !it.by_itself && it.needs.is_empty());
            let never: Vec<&str> = never.map(|it| it.thing.as_str()).collect();
            let stays = if never.len() == 1 { "this stays" } else { "these stay" };
            let never = never.join(", ");
            if case.next.iter().any(|it| it.who == "you") {
                return format!("no, not before that, {fits}; {stays}: {never}");
            }
            format!("no, whatever you do in this Juju short of force, {fits}; {stays}: {never}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::to_the_minute;

    #[test]
    fn a_time_has_no_seconds_and_keeps_its_offset() {
        for (time, shown) in [
            ("03 Mar 2026 04:05:06Z", "03 Mar 2026 04:05"),
            ("03 Mar 2026 04:05:06+05:30", "03 Mar 2026 04:05+05:30"),
            ("03 Mar 2026 04:05:06-07:00", "03 Mar 2026 04:05-07:00"),
            ("yesterday", "yesterday"),
            ("04:05", "04:05"),
        ] {
            assert_eq!(to_the_minute(time), shown);
        }
    }
}
