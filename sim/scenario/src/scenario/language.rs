//! The language of scripts, as `deathwatch list` shows it: a row for each actor, for each step, and
//! for each outcome that a line can expect.
//!
//! The verbs of the protocol have their rows in the model; `language.toml` has those of scripts
//! alone.

use std::sync::LazyLock;

use deathwatch_model::{
    syntax::VERBS,
    table::{Parameter, RowText},
};
use serde::Deserialize;

/// The syntax of scripts around the verbs of the protocol.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptForms {
    /// The actors, with which a line begins.
    #[serde(rename = "actor")]
    pub actors: Vec<Form>,
    /// The forms around a step.
    #[serde(rename = "script")]
    pub steps: Vec<Form>,
    #[serde(rename = "outcome")]
    pub outcomes: Vec<Form>,
    /// The forms of steps in rules of a scenario's own.
    #[serde(rename = "rule")]
    pub rules: Vec<Form>,
}

/// A form, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Its general form, "unit-agent UNIT".
    pub form: String,
    pub example: String,
    pub meaning: String,
}

/// All forms but verbs.
pub static FORMS: LazyLock<ScriptForms> = LazyLock::new(|| {
    toml::from_str(include_str!("language.toml")).expect("a test reads each example")
});

/// A verb of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtocolVerb {
    /// The actors that do it, "unit-agent UNIT".
    pub actors: &'static str,
    /// The verb, its parameters and its meaning.
    pub row: &'static RowText,
}

/// All verbs of the protocol, in the order of the actors.
pub fn steps() -> impl Iterator<Item = ProtocolVerb> {
    let step = |actors| move |row| ProtocolVerb { actors, row };
    VERBS.iter().flat_map(move |verbs| verbs.rows.iter().map(step(verbs.actors)))
}

impl ProtocolVerb {
    /// Its general form, "enter-scope UNIT RELATION".
    pub fn form(&self) -> String {
        let parameters = self.row.parameters.iter().map(|parameter| parameter.placeholder());
        std::iter::once(self.row.verb).chain(parameters).collect::<Vec<_>>().join(" ")
    }

    pub fn arguments(&self) -> Vec<&'static str> {
        self.row.parameters.iter().copied().map(Parameter::placeholder).collect()
    }

    /// A line of a script, by a client if it is a transaction.
    pub fn example(&self) -> String {
        let actor = if self.actors.split(", ").any(|actor| actor == "client") {
            "client"
        } else {
            let form = FORMS.actors.iter().find(|form| form.form == self.actors);
            form.and_then(|form| form.example.split(": ").next()).unwrap_or(self.actors)
        };
        format!("{actor}: {}", self.row.example)
    }
}
