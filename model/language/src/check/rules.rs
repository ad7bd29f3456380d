//! The rows that conditions of rules may read: documents, which every actor can read, and the rows
//! of the actor's own agent. History and the memory of other agents are not readable.

use std::ops::Range;

use deathwatch_model::rows::RowKind;

use super::{Checker, QUIESCENT, TypedNode};
use crate::{
    Error, ExpressionKind,
    dependencies::Back,
    fields::{FieldRead, TypedField, kind_name},
    reads,
    rule::{ACT, ME, RuleScope},
    syntax::{Spanned, Syntax},
    tree::{FieldRef, Node, SUBJECT_AFTER},
};

impl Checker<'_> {
    /// The entity that an act names, as in "act.relation".
    pub(super) fn of_act(
        &self,
        target: &Spanned<Syntax>,
        name: &Spanned<String>,
    ) -> Option<Result<TypedNode, Error>> {
        let ExpressionKind::Rule(scope) = self.form else { return None };
        if !matches!(&target.value, Syntax::Name(act) if act == ACT) {
            return None;
        }
        let wanted = format!("{ACT}.{}", name.value);
        let found = self.variables.iter().find(|it| it.name == wanted);
        Some(found.map(|it| TypedNode::One(Node::Variable(it.slot), it.value)).ok_or_else(|| {
            let known: Vec<&str> = scope.act.into_iter().flatten().map(RowKind::name).collect();
            let expected = match &known[..] {
                [] => "it names nothing",
                _ => "one of what it names was expected",
            };
            let message = format!("the act has no `{}`", name.value);
            Error::new(&name.span, message, expected).with_names(&name.value, known)
        }))
    }

    /// Checks that a name has a meaning in a rule, if this is the condition of one.
    pub(super) fn is_for_rules(&self, name: &str, span: &Range<usize>) -> Result<(), Error> {
        let ExpressionKind::Rule(_) = self.form else { return Ok(()) };
        let (message, expected) = match name {
            QUIESCENT => (
                "nobody can tell whether all others have nothing to do",
                "a rule reads documents, and of agents only its actor's own rows",
            ),
            ACT => ("`act` is no value", "what it names was expected, `act.unit`, say"),
            ME => {
                ("nothing is called `me` here", "only the agent of a unit or a machine has a `me`")
            }
            _ => return Ok(()),
        };
        Err(Error::new(span, message, expected))
    }

    /// Checks that a rule asks for no rows of history: which there are depends on what is claimed.
    pub(super) fn is_no_history(
        &self,
        kind: RowKind,
        name: &str,
        span: &Range<usize>,
    ) -> Result<(), Error> {
        let ExpressionKind::Rule(_) = self.form else { return Ok(()) };
        if !kind.is_history() {
            return Ok(());
        }
        let message = format!("`{name}` is about what has happened");
        let expected = "only claims read history; who acts reads documents, and of agents its own \
                        rows";
        Err(Error::new(span, message, expected))
    }

    /// Checks that the actor of a rule can read a field.
    pub(super) fn is_readable(
        &self,
        row: &Node,
        field: &TypedField,
        name: &Spanned<String>,
    ) -> Result<(), Error> {
        let ExpressionKind::Rule(scope) = self.form else { return Ok(()) };
        let is_own = scope.is_own(row);
        for FieldRead { kind, back, .. } in &field.reads {
            self.is_no_history(*kind, &name.value, &name.span)?;
            let is_near = matches!(back, Back::Same | Back::Pairs);
            let is_in_reach = kind.is_document() || is_own && is_near && scope.owns(*kind);
            if !is_in_reach {
                let message = format!("`{}` is read from a row `{}`", name.value, kind_name(*kind));
                let expected = match scope.me {
                    Some(_) => {
                        "of agents its actor reads its own rows: `it`, or what is found by `me`"
                    }
                    None => "its actor reads documents, and no agent's disk or memory",
                };
                return Err(Error::new(&name.span, message, expected));
            }
        }
        Ok(())
    }
}

impl RuleScope {
    /// Whether a row always belongs to the asking agent.
    fn is_own(self, row: &Node) -> bool {
        let Some(me) = self.me else { return false };
        let is_me = |name: &Node| match name {
            Node::Variable(slot) => *slot == SUBJECT_AFTER + 1,
            name => self.is_about_me() && (reads::is_of_key(name, me) || is_name_of_subject(name)),
        };
        match row {
            Node::Variable(SUBJECT_AFTER) => self.is_about_me(),
            Node::Find(_, name, _) => is_me(name),
            Node::Pair(_, names, _) => is_me(&names[1]),
            _ => false,
        }
    }
}

/// Whether this is the name of the subject, which is an entity.
fn is_name_of_subject(name: &Node) -> bool {
    match name {
        Node::Field(row, FieldRef(field)) => reads::is_subject(row) && field.name == "name",
        _ => false,
    }
}
