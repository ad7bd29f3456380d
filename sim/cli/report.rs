//! `deathwatch report`: makes `reports/` and the table in `PROTOCOL.md` again, or compares them.

use std::{collections::BTreeMap, fs, path::PathBuf};

use clap::builder::PossibleValuesParser;
use deathwatch_documents::Status;
use deathwatch_scenario::{
    Problem,
    escape::{escape, escape_lines},
    scenario::display,
};
use deathwatch_show::report::{
    self, AnsweredScenario, Figures, Page, Report, ReportInputs, ReportPart,
    assumptions::{self, AssumptionAnswers},
    simulation::SimulationRows,
    weaken,
};
use deathwatch_study::verdict::{self, Engine, Refines, Verdict};

use crate::{
    diagnostics::say,
    exit::{Abandon, Exit},
    folder,
    limits::Limits,
    load::{self, Ready},
    output::Output,
    progress::{self, ProgressLine},
    report_pages,
    search::Searches,
    write::write_file,
};

const EXAMPLES: &str = "\
Examples:
  deathwatch report                    make reports/ and the table in PROTOCOL.md again
  deathwatch report --check            say which of them differ from what would be made
  deathwatch report --check --quick    the same, without searching the large worlds again
  deathwatch report --output /tmp/out  make them elsewhere
  deathwatch report --quick --html out make them as pages for a browser
  deathwatch report known-bugs         make this one only, which takes seconds
  deathwatch report known-bugs relation-scope-bug --html out

Exit codes: 0 made, or the same; 1 different, or a scenario is not answered as it expects;
2 could not be asked; 3 no answer within the limits.";

/// Make the reports again from the results of the scenarios
///
/// Answers: which claims hold under which variants and assumptions, and what goes wrong otherwise?
/// Answers every scenario, switches off every clause in turn, and writes the results to `reports/`
/// and to the tables in `PROTOCOL.md`. The same scenarios make the same bytes. Of reports that are
/// named only that is searched which they are made of.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The reports to make, by the names of their files; all, if none is named
    #[arg(
        value_name = "NAME",
        ignore_case = true,
        value_parser = PossibleValuesParser::new(report::ALL.iter().map(Report::name))
    )]
    names: Vec<String>,

    /// Write nothing; compare with the files that exist
    #[arg(long)]
    check: bool,

    /// Keep the committed figures of large worlds in which everything holds, and of violations
    /// found by seeds
    #[arg(long)]
    pub(crate) quick: bool,

    /// Simulate the worlds of `scenarios/by-name/large/` again, too; it takes minutes
    #[arg(long)]
    pub(crate) large: bool,

    /// The folder that `reports/` and `PROTOCOL.md` are in
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,

    /// Write the reports to this folder as pages for a browser instead, with an index of them;
    /// files that are no such pages stay as they are. Without --quick every world that they are
    /// about is searched again, which takes minutes
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    html: Option<PathBuf>,

    #[arg(long, value_name = "DIR", default_value = "scenarios")]
    scenarios: PathBuf,

    #[command(flatten)]
    limits: Limits,
}

/// Makes the reports, or compares them.
pub(crate) fn run(args: &Args) -> Result<Exit, Abandon> {
    let maker = Maker::new(args);
    let scenarios =
        load::scenarios_within(&maker.searches.deadline, std::slice::from_ref(&args.scenarios))?;
    match &args.html {
        Some(folder) => report_pages::prepare(folder, &maker.reports)?,
        None if args.check => {}
        None => maker.prepare()?,
    }
    let known = if args.quick { maker.committed() } else { BTreeMap::new() };
    let mut answered = Vec::new();
    for ready in scenarios.into_iter().filter(|it| maker.is_about(it)) {
        match maker.answer(ready, &known)? {
            Ok(answer) => answered.push(answer),
            Err(exit) => return Ok(exit),
        }
    }
    let (mut noticed, mut assumed, mut simulated) = Default::default();
    if maker.needs(ReportPart::Weakened) {
        let Some(found) = maker.weaken() else { return Ok(undecided("a clause was switched off")) };
        noticed = found;
    }
    if maker.needs(ReportPart::Assumed) {
        let Some(found) = maker.assume(&answered) else {
            return Ok(undecided("it was asked what claims need"));
        };
        assumed = found;
    }
    if maker.needs(ReportPart::Simulated) {
        match maker.simulate(&answered)? {
            Ok(rows) => simulated = rows,
            Err(exit) => return Ok(exit),
        }
    }
    maker.finish(&answered, &noticed, &assumed, &simulated)
}

/// The options that all searches share.
pub(crate) struct Maker<'a> {
    pub(crate) args: &'a Args,
    pub(crate) searches: Searches<'a>,
    /// The reports that are made, in the order of all.
    reports: Vec<&'static Report>,
}

/// An exit code, unless a scenario is answered as it expects; no report is made of another.
fn reportable(verdict: &Verdict) -> Result<(), Exit> {
    match verdict.status {
        Status::AsExpected => Ok(()),
        Status::Undecided => Err(undecided(&verdict.scenario)),
        // No baseline is given here.
        Status::Known | Status::Unexpected => {
            let scenario = &verdict.scenario;
            say(format_args!(
                "{scenario} is not answered as it expects (`check` says how); no report is made"
            ));
            Err(Exit::Unexpected)
        }
    }
}

impl<'a> Maker<'a> {
    fn new(args: &'a Args) -> Self {
        let is_named = |it: &&Report| {
            args.names.is_empty()
                || args.names.iter().any(|name| it.name().eq_ignore_ascii_case(name))
        };
        let reports = report::ALL.iter().filter(is_named).collect();
        Self { args, searches: Searches::begin(&args.limits), reports }
    }

    fn needs(&self, part: ReportPart) -> bool {
        self.reports.iter().any(|it| it.needs(part))
    }

    /// Whether some report is made of its answer.
    fn is_about(&self, ready: &Ready) -> bool {
        let name = report::name_below(&self.args.scenarios, &ready.scenario);
        self.reports.iter().any(|it| it.is_about(&name))
    }

    /// Answers a scenario, unless its figures are known. Returns the exit code if the answer is not
    /// the expected one.
    fn answer(
        &self,
        ready: Ready,
        known: &BTreeMap<String, Figures>,
    ) -> Result<Result<AnsweredScenario, Exit>, Abandon> {
        let name = report::name_below(&self.args.scenarios, &ready.scenario);
        let is_new = ready.scenario.is_searched() && !known.contains_key(&name);
        if self.args.check && self.args.quick && is_new {
            // The world may be large, and the answer would be the same.
            say(format_args!("{} does not know {name}", report::ANSWERS));
            return Ok(Err(Exit::Unexpected));
        }
        if let Some(figures) = known.get(&name).copied()
            && report::is_kept(&ready.scenario, figures)
        {
            let mut any_size = None;
            if ready.scenario.any_size.is_some() {
                let line = ProgressLine::new(&ready.scenario.name);
                let verdict = self.searches.judge_any_size(&ready, &[], &line, None)?;
                if let Err(exit) = reportable(&verdict) {
                    return Ok(Err(exit));
                }
                any_size = verdict.any_size;
            }
            let (scenario, replay) = (ready.scenario, &ready.replay);
            return Ok(Ok(AnsweredScenario::committed(name, scenario, replay, figures, any_size)));
        }
        let verdict = self.judge(&ready)?;
        Ok(reportable(&verdict)
            .map(|()| AnsweredScenario::searched(name, ready.scenario, &ready.replay, verdict)))
    }

    fn judge(&self, ready: &Ready) -> Result<Verdict, Abandon> {
        let line = ProgressLine::new(&ready.scenario.name).expecting(ready.scenario.states);
        let verdict =
            self.searches.judge(ready, Engine::Own, &[], Refines::AsScenariosAsk, &line, None);
        match &verdict.too_large {
            None => Ok(verdict),
            Some(why) => Err(verdict::unsearchable(&ready.scenario, why).into()),
        }
    }

    fn weaken(&self) -> Option<Vec<weaken::Noticed>> {
        let bar = progress::bar();
        let answer = weaken::weaken(
            self.args.limits.threads(),
            &|| self.searches.deadline.stop(),
            &|done, all| {
                bar.set_message(format!("switching off clauses: {done} of {all} searches"));
            },
        );
        bar.finish_and_clear();
        answer
    }

    fn assume(&self, answered: &[AnsweredScenario]) -> Option<AssumptionAnswers> {
        let bar = progress::bar();
        let answer = assumptions::ask(
            answered,
            self.args.limits.threads(),
            &|| self.searches.deadline.stop(),
            &|name| bar.set_message(format!("{}: what claims need", escape(name))),
        );
        bar.finish_and_clear();
        answer
    }

    /// The text of a file; empty, if there is none.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.args.output.join(path)).unwrap_or_default()
    }

    /// The text of `PROTOCOL.md` in the output folder; if there is none, that of this project.
    fn protocol(&self) -> String {
        let there = self.read(report::PROTOCOL);
        if !there.is_empty() {
            return there;
        }
        fs::read_to_string(report::PROTOCOL).unwrap_or_default()
    }

    fn committed(&self) -> BTreeMap<String, Figures> {
        report::committed(&self.read(report::ANSWERS))
    }

    /// Makes the folders, so that they are known to be writable before time is spent.
    fn prepare(&self) -> Result<(), Problem> {
        for path in self.reports.iter().map(|it| it.path).filter(|path| *path != report::PROTOCOL) {
            folder::spare_others(&self.args.output.join(path), report::is_ours)?;
        }
        folder::make(&self.args.output.join("reports"))?;
        folder::make(&self.args.output)
    }

    /// Writes the reports, or compares them.
    fn finish(
        &self,
        answered: &[AnsweredScenario],
        noticed: &[weaken::Noticed],
        assumed: &AssumptionAnswers,
        simulated: &SimulationRows,
    ) -> Result<Exit, Abandon> {
        let protocol = &self.protocol();
        let found = ReportInputs { answered, noticed, assumed, simulated, protocol };
        if let Some(folder) = &self.args.html {
            return report_pages::write(folder, &report::browsed(&self.reports, found), found);
        }
        let pages = report::pages(&self.reports, found);
        if self.args.check { self.compare(&pages) } else { self.write(&pages) }
    }

    fn write(&self, pages: &[Page]) -> Result<Exit, Abandon> {
        for page in pages {
            write_file(&self.args.output.join(&page.path), &page.text)?;
        }
        Ok(Exit::AsExpected)
    }

    fn compare(&self, pages: &[Page]) -> Result<Exit, Abandon> {
        let mut output = Output::stdout();
        let mut exit = Exit::AsExpected;
        for page in pages {
            if let Some(difference) = report::diff(&self.read(&page.path), &page.text) {
                let path = self.args.output.join(&page.path);
                let path = display(&path);
                output.write(&escape_lines(&format!("{path} differs, {difference}\n")))?;
                exit = Exit::Unexpected;
            }
        }
        if exit == Exit::Unexpected {
            output.write("run `deathwatch report` to make them again\n")?;
        }
        output.finish()?;
        Ok(exit)
    }
}

pub(crate) fn undecided(what: &str) -> Exit {
    say(format_args!("no answer within the limits: {what}; no report is made"));
    Exit::Undecided
}
