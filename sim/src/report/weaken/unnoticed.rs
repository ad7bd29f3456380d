//! The clauses that no claim notices: an explanation for each.

use deathwatch_model::clause::Clause;

/// The text of the reports where an explanation is missing.
pub const UNEXPLAINED: &str = "nobody has said why";

/// Why no claim notices that `clause` is switched off.
pub fn explanation(clause: Clause) -> &'static str {
    let name = clause.to_string();
    let known = UNNOTICED.iter().find(|(clause, _)| *clause == name);
    known.map_or(UNEXPLAINED, |(_, why)| *why)
}

/// The clauses that have an explanation.
pub fn explained() -> impl Iterator<Item = &'static str> {
    UNNOTICED.iter().map(|(clause, _)| *clause)
}

/// Explanations without a full stop, which follow "no claim notices:".
const UNNOTICED: &[(&str, &str)] = &[
    ("deploy.1", "`deploy.2` asserts the same where it creates the document"),
    ("add-unit.1", REFUSAL),
    ("enter-scope.3", "what a unit's settings say is not looked at, only that they are deleted"),
    (
        "enter-scope.5",
        "without it there are no subordinates, and no claim says that there must be any",
    ),
    (
        "enter-scope.6",
        "a principal that takes part beside a subordinate that is going holds up nothing; it \
         lacks a subordinate, and no claim says that it must have one",
    ),
    ("destroy-unit.4", SUBORDINATE),
    (
        "destroy-relation.1",
        "if nobody is in scope `destroy-relation.5` aborts, as the relation is gone; if somebody \
         is, a Dying relation is set Dying again",
    ),
    ("destroy-relation.2", REFUSAL),
    (
        "destroy-application.1",
        "the counts of `destroy-application.2` and what is asserted of the relations abort where \
         it matters; otherwise a Dying application is set Dying again",
    ),
    (
        "destroy-application.4",
        "`destroy-relation.3` and `destroy-relation.5` assert whether anybody is in scope, which \
         of a relation that is Dying or gone is another answer or makes no difference",
    ),
    ("destroy-application.6", "`remove-application` does what it says"),
    (
        "set-unit-dead.2",
        "a Dying unit gets no subordinates (`enter-scope.1`), so the plan is enough",
    ),
    ("set-unit-dead.3", "a Dying unit enters no scopes (`enter-scope.1`), so the plan is enough"),
    (
        "set-machine-dead.2",
        "a Dying machine gets no containers (`add-machine.2`), so the plan is enough",
    ),
    (
        "set-machine-dead.3",
        "a Dying machine gets no units (`assign-unit.2`), so the plan is enough",
    ),
    (
        "set-machine-dead.4",
        "the plan is refused already; hardware that fails between plan and commit could as well \
         fail right after the commit, to the same effect",
    ),
    ("remove-machine.1", "a Dead machine stays Dead, so the plan is enough"),
    (
        "force-destroy-unit.1",
        "the cleaner destroys an Alive unit before it forces it (`cleaner.3`)",
    ),
    ("force-destroy-unit.3", SUBORDINATE),
    ("force-destroy-machine.1", "`destroy-machine.2` refuses when the cleaner gets to the machine"),
    (
        "force-destroy-machine.2",
        "nobody is asked to force the machine then, so that the claim has nothing to say",
    ),
    ("unit-agent.1", "without it no unit is ever in scope, so that nothing is held by one"),
    (
        "unit-agent.7",
        "a subordinate whose relation is gone stays Alive, and goes with its principal at last; \
         no claim says that it must go before",
    ),
    ("unit-agent.12", LEFT_BEHIND),
    ("unit-agent.13", "the cleaner, which has left the scope, goes on to set the unit Dead"),
    ("machine-agent.4", LEFT_BEHIND),
];

const REFUSAL: &str = "it is a refusal, made before there is a transaction";
const SUBORDINATE: &str =
    "a subordinate that the user destroys goes as one does that an agent destroys";
const LEFT_BEHIND: &str =
    "an agent that is left behind without its unit changes nothing in the store";
