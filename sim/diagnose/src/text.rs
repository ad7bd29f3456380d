//! The screen: 80 columns, the answer first.

use crate::report::{Case, Group, Holder, Report, Verdict};

/// The width of the screen.
const COLUMNS: usize = 80;
/// The words before a line, with the space behind them.
const LABEL: usize = 7;
/// The most things and trees of a group that are shown.
const MOST: usize = 12;

/// A part of the screen, by which it is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The answer.
    Verdict(Verdict),
    /// A word before a line.
    Label,
}

/// The screen of a report. `paint` colours its parts.
pub fn screen(report: &Report, paint: &dyn Fn(Part, &str) -> String) -> String {
    let mut screen = Screen { text: String::new(), paint };
    let destroying = if report.destroying { " (destroying)" } else { "" };
    screen.line(&format!("Juju {}, model {}{destroying}", report.juju, report.model));
    if report.groups.is_empty() {
        screen.verdict(Verdict::GoesByItself, "NOTHING IS STUCK: everything that is shown is Alive.");
    }
    for (number, group) in report.groups.iter().enumerate() {
        if number > 0 {
            screen.line("");
        }
        screen.group(group, report.destroying);
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
    paint: &'a dyn Fn(Part, &str) -> String,
}

impl Screen<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn verdict(&mut self, verdict: Verdict, says: &str) {
        let (head, rest) = says.split_at(says.find([':', '.']).unwrap_or(says.len()));
        let lines = textwrap::wrap(says, COLUMNS);
        if lines.len() == 1 {
            let painted = (self.paint)(Part::Verdict(verdict), head);
            self.line(&format!("{painted}{rest}"));
        } else {
            let first = lines[0].replacen(head, &(self.paint)(Part::Verdict(verdict), head), 1);
            self.line(&first);
            lines[1..].iter().for_each(|it| self.line(it));
        }
    }

    /// A text behind a word, wrapped.
    fn labelled(&mut self, label: &str, text: &str) {
        let options = textwrap::Options::new(COLUMNS - LABEL).break_words(false);
        for (index, line) in textwrap::wrap(text, options).iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let space = " ".repeat(LABEL.saturating_sub(label.len()));
            let label = if label.is_empty() {
                String::new()
            } else {
                (self.paint)(Part::Label, label)
            };
            self.line(&format!("{label}{space}{line}"));
        }
    }

    fn group(&mut self, group: &Group, is_destroying: bool) {
        self.verdict(group.verdict, &headline(group));
        for broken in &group.broken {
            self.labelled("broken", broken);
        }
        if let Some(why) = &group.undecided {
            self.labelled("open", why);
            self.labelled("stuck", &group.things.join(", "));
        }
        let is_one = group.cases.len() == 1;
        for (number, case) in group.cases.iter().enumerate() {
            if !is_one {
                let letter = char::from(b'a' + u8::try_from(number.min(25)).unwrap_or(25));
                let when = case.when.join("; and ");
                self.labelled(&format!("({letter})"), &format!("{when}:"));
            }
            self.case(case, group, is_destroying);
        }
        for tell in &group.tell {
            self.labelled("tell", tell);
        }
        if !group.alike.is_empty() {
            let all = group.alike.join(", ");
            let text = format!("the same is expected of what is like these, not searched: {all}");
            self.labelled("alike", &text);
        }
        if group.settled {
            let text = "there are too many states that fit; what seldom matters was taken as usual";
            self.labelled("note", text);
        }
    }

    fn case(&mut self, case: &Case, group: &Group, is_destroying: bool) {
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
        if !case.then.is_empty() {
            self.labelled("then", &case.then.join("; "));
        }
        self.labelled("goes?", &goes(case, group));
        for fix in &case.fixes {
            self.labelled("", fix);
        }
        for (index, like) in case.like.iter().enumerate() {
            self.labelled(if index == 0 { "like" } else { "" }, like);
        }
    }

    /// A holder with what waits for it, below each other.
    fn holder(&mut self, holder: &Holder, depth: usize) {
        let indent = if depth == 0 { "  ".to_owned() } else { "  ".repeat(depth) + "  └ " };
        let since = match holder.since.rsplit_once(':') {
            Some((since, _)) if depth == 0 => format!("; since {since}"),
            _ => String::new(),
        };
        let text = format!("{}  {}{since}", holder.name, holder.says);
        let later = " ".repeat(indent.chars().count() + 2);
        let options = textwrap::Options::new(COLUMNS)
            .initial_indent(&indent)
            .subsequent_indent(&later)
            .break_words(false);
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

/// The first line of a group.
fn headline(group: &Group) -> String {
    let count = group.things.len() + group.alike.len();
    let holders = group.cases.first().map_or(0, |it| it.holders.len());
    let things = |count: usize| if count == 1 { "1 thing".to_owned() } else { format!("{count} things") };
    let held = format!("{} stuck, {holders} of which hold the rest", things(count));
    let held = if count == 1 { "1 thing is stuck".to_owned() } else { held };
    match group.verdict {
        Verdict::GoesByItself => {
            format!("NOTHING IS STUCK: {} on the way out by itself.", things(count))
        }
        Verdict::UntilYouAct => format!("STUCK until you act: {held}."),
        Verdict::ForEver => format!("STUCK for ever: nobody can take the next step. {held}."),
        Verdict::Depends => format!("DEPENDS on what Juju did not print: {}.", group.things.join(", ")),
        Verdict::Undecided => format!("NOT DECIDED: {} not Alive.", things(count)),
        Verdict::Inconsistent => {
            "INCONSISTENT: no run of the protocol leads to what is shown.".to_owned()
        }
    }
}

/// Whether it goes, in one sentence.
fn goes(case: &Case, group: &Group) -> String {
    let following = if case.following == 1 { "1 state" } else { &format!("{} states", case.following) };
    let of = if group.cases.len() == 1 { "every state that fits" } else { "each such state" };
    let fits = format!("in {of} ({})", case.states);
    match case.verdict {
        Verdict::GoesByItself => {
            format!("yes, by itself, {fits}, unless a hook fails or an agent stops for good")
        }
        Verdict::UntilYouAct => {
            let mut needs: Vec<String> = case
                .goes
                .iter()
                .flat_map(|it| it.needs.iter().map(|set| set.join(" and ")))
                .collect();
            needs.sort();
            needs.dedup();
            format!("yes if {}; never otherwise, {fits} ({following} follow)", needs.join(", or "))
        }
        _ => {
            let never: Vec<&str> = case
                .goes
                .iter()
                .filter(|it| !it.by_itself && it.needs.is_empty())
                .map(|it| it.thing.as_str())
                .collect();
            let force = "short of force";
            format!("no, {fits}, {force}: {}", never.join(", "))
        }
    }
}
