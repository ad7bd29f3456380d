//! Rules and clauses of the protocol, as data.
//!
//! A rule is a transaction, a command or an agent; `remove-unit.4` is the fourth clause of its
//! description. Every assert, change and duty carries its clause, so that a trace can cite the
//! documents, a run can say which clauses it exercised, and a scenario can switch one off.

mod own;
mod rule;
mod set;

use std::fmt;

pub use self::{
    rule::Rule,
    set::{Clauses, NUMBERS},
};

/// A clause: one numbered item of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    /// The rule that it belongs to.
    pub rule: Rule,
    /// Its number there, from 1.
    pub number: u8,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.rule.name(), self.number))
    }
}

impl Clause {
    /// Its text and its passages; `None` if the rule has no such number.
    pub fn info(self) -> Option<&'static ClauseInfo> {
        self.rule.clauses().iter().find(|info| info.number == self.number)
    }

    /// The clause called `name`, such as "remove-unit.4".
    pub fn named(name: &str) -> Option<Self> {
        let (rule, number) = name.rsplit_once('.')?;
        let clause = Self { rule: Rule::named(rule)?, number: number.parse().ok()? };
        clause.info().map(|_| clause)
    }

    /// Whether it only restricts what an actor does, or when: no step carries it out, so no run can
    /// witness it.
    pub fn is_guard(self) -> bool {
        GUARDS.contains(&(self.rule, self.number))
    }

    /// The details that a world needs for it to matter.
    pub fn needs(self) -> &'static [&'static str] {
        if self.rule == Rule::UnitAgent && matches!(self.number, 17..=21 | 23) {
            return &["hooks"];
        }
        if self.rule == Rule::Deploy && matches!(self.number, 4 | 5) {
            return &["constraints"];
        }
        if self.rule == Rule::Provisioner && matches!(self.number, 5 | 8) {
            return &["provisioning"];
        }
        // The older agent keeps to these, too.
        if self.rule == Rule::RelationHooks && matches!(self.number, 9 | 10) {
            return &[];
        }
        self.rule.needs()
    }

    /// Every clause of every rule of the protocol, in the order of the rules.
    pub fn all() -> impl Iterator<Item = Self> {
        Rule::ALL.iter().flat_map(|&rule| {
            rule.clauses().iter().map(move |info| Self { rule, number: info.number })
        })
    }
}

/// The duties that only restrict what an actor does, or when.
const GUARDS: &[(Rule, u8)] = &[
    (Rule::UnitAgent, 16),
    (Rule::UnitAgent, 22),
    (Rule::RelationHooks, 3),
    (Rule::RelationHooks, 8),
    (Rule::RelationHooks, 9),
    (Rule::RelationHooks, 10),
    (Rule::RelationHooks, 11),
    (Rule::RelationHooks, 12),
    (Rule::RelationHooks, 13),
    (Rule::RelationHooks, 14),
    (Rule::Settings, 4),
    (Rule::Settings, 5),
    (Rule::Settings, 6),
    (Rule::Charm, 5),
    (Rule::Charm, 7),
    (Rule::Charm, 12),
    (Rule::Workflow, 4),
    (Rule::Workflow, 5),
    (Rule::Workflow, 15),
    (Rule::MachineAgent, 6),
    (Rule::Provisioner, 4),
    (Rule::Provisioner, 6),
    (Rule::Provisioner, 7),
    (Rule::Operator, 2),
];

/// The text of a clause and its passages.
#[derive(Clone, Copy, Debug)]
pub struct ClauseInfo {
    pub number: u8,
    pub says: &'static str,
    /// The passages: documents and lines, "D1:110-112; D2:137". The source of a clause in no
    /// document begins with "our resolution", and names the passages beside it.
    pub source: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_numbered_from_one_and_found_by_name() {
        for &rule in Rule::ALL {
            let numbers: Vec<u8> = rule.clauses().iter().map(|info| info.number).collect();
            let expected: Vec<u8> = (1..=u8::try_from(numbers.len()).expect("few")).collect();
            assert_eq!(numbers, expected, "{}", rule.name());
        }
        for clause in Clause::all() {
            assert_eq!(Clause::named(&clause.to_string()), Some(clause));
        }
        assert_eq!(Clause::named("remove-unit.9"), None);
        assert_eq!(Clause::named("nonsense"), None);
    }
}
