//! The form of the tables `[rule."NAME"]`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::scenario::value::Located;

/// A rule of the scenario's own, which changes the protocol: it has one of `act`, `only`, `refusal`
/// and `clause`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RuleFile {
    /// The actor with the duty, or with the acts that the condition is about: "unit-agent",
    /// "machine-agent", "provisioner" or "cleaner"; with `only` by default every actor that can do
    /// the act.
    pub actor: Option<Located<String>>,
    /// The kind of rows that it is about, one by one: "unit", say. The row is called `it`. Of an
    /// agent it is the agent's own; otherwise that of something that the act names.
    pub each: Option<Located<String>>,
    /// The condition, in CEL, over documents and the rows of the agent itself. What an act names
    /// is called `act.unit`, `act.relation` and so on; the agent's own unit or machine is `me`.
    pub when: Option<Located<String>>,
    /// A duty that is added: what the actor does where the condition holds, "destroy-machine {it}".
    pub act: Option<Located<String>>,
    /// An act that is done only where the condition holds: its verb, "run-broken-hook".
    pub only: Option<Located<String>>,
    /// A reason for which the operation `of` is refused, and that becomes something else.
    pub refusal: Option<Located<String>>,
    /// The operation that is refused, "integrate".
    pub of: Option<Located<String>>,
    /// The outcome in the place of the refusal: "no-op", or another reason.
    pub becomes: Option<Located<String>>,
    /// A clause whose branch is taken where `when` holds of its document, in a world of atomic
    /// transactions: "remove-unit.4".
    pub clause: Option<Located<String>>,
}

impl RuleFile {
    /// The other keys of a rule than the one of its form, with their values.
    pub(in crate::scenario) fn beside(
        &self,
    ) -> impl Iterator<Item = (&'static str, &Located<String>)> {
        let all = [
            ("actor", &self.actor),
            ("each", &self.each),
            ("when", &self.when),
            ("of", &self.of),
            ("becomes", &self.becomes),
        ];
        all.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}
