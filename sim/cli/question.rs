//! The flags of a question that is asked on the spot, which several commands have.

use clap::builder::PossibleValuesParser;
use deathwatch_claims::Claim;
use deathwatch_scenario::shell::quoted;
use deathwatch_scenario::{
    Problem,
    scenario::own::{self, ClaimTexts, PlacedText, Question},
};

use crate::load::Ready;

pub(crate) const FLAGS: [&str; 4] = ["always", "reachable", "step", "leads"];

/// A question.
#[derive(clap::Args)]
pub(crate) struct QuestionArgs {
    #[command(flatten)]
    asked: AskedArgs,

    /// Ask it of every row of this kind, one by one: the row is called `it`, or `before` and
    /// `after`
    #[arg(
        long,
        value_name = "KIND",
        requires = "asked",
        value_parser = PossibleValuesParser::new(own::kinds()),
    )]
    each: Option<String>,
}

/// The question.
#[derive(clap::Args)]
#[group(id = "asked", multiple = false)]
struct AskedArgs {
    /// Does this hold in every state?
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    always: Option<String>,

    /// Can a state be reached in which this holds?
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    reachable: Option<String>,

    /// Does this hold of every transition that changes what it reads?
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    step: Option<String>,

    /// Is the first followed by the second, on every fair run?
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], allow_hyphen_values = true)]
    leads: Option<Vec<String>>,
}

impl QuestionArgs {
    /// The question, if one is asked.
    pub(crate) fn question(&self) -> Option<Question> {
        let AskedArgs { always, reachable, step, leads } = &self.asked;
        let said = |place, text: &String| PlacedText { place, text: text.clone() };
        let asked = if let Some(text) = always {
            ClaimTexts::Always(said("--always", text))
        } else if let Some(text) = reachable {
            ClaimTexts::Reachable(said("--reachable", text))
        } else if let Some(text) = step {
            ClaimTexts::Step(said("--step", text))
        } else {
            let [from, to] = &leads.as_ref()?[..] else { return None };
            ClaimTexts::Leads(said("--leads FROM", from), said("--leads TO", to))
        };
        Some(Question { each: self.each.as_deref().and_then(own::kind_named), asked })
    }

    /// The claim that is asked, which the scenario gets as one of its own. None if none is asked.
    pub(crate) fn put_into(&self, ready: &mut Ready) -> Result<Option<&'static Claim>, Problem> {
        let Some(question) = self.question() else { return Ok(None) };
        let (scenario, claim) = question.put_into(&ready.scenario)?;
        ready.scenario = scenario;
        ready.keep(&[claim]);
        Ok(Some(claim))
    }

    /// The flags, as one types them.
    pub(crate) fn flags(&self) -> Vec<String> {
        let AskedArgs { always, reachable, step, leads } = &self.asked;
        let mut flags = Vec::new();
        let each = ("--each", &self.each);
        let one = [each, ("--always", always), ("--reachable", reachable), ("--step", step)];
        for (flag, text) in one {
            if let Some(text) = text {
                // Behind a space, it would be read as a flag.
                let sign = if text.starts_with('-') { "=" } else { " " };
                flags.push(format!("{flag}{sign}{}", quoted(text)));
            }
        }
        if let Some(both) = leads {
            flags.push("--leads".to_owned());
            flags.extend(both.iter().map(|text| quoted(text)));
        }
        flags
    }
}
