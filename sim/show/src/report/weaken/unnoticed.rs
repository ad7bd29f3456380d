//! The clauses that no claim notices: an explanation for each.

use deathwatch_model::clause::Clause;

/// The text of the reports where an explanation is missing.
pub const UNEXPLAINED: &str = "nobody has said why";

/// The explanation why no claim notices that `clause` is switched off.
pub fn explanation(clause: Clause) -> &'static str {
    let name = clause.to_string();
    let known = UNNOTICED.iter().find(|(clause, _)| *clause == name);
    known.map_or(UNEXPLAINED, |(_, why)| *why)
}

/// The clauses that have an explanation.
pub fn explained() -> impl Iterator<Item = &'static str> {
    UNNOTICED.iter().map(|(clause, _)| *clause)
}

const NO_OTHER_CHARM: &str = "the charm does not change then, so that no unit has an old one";

const UNCHANGED: &str = "the constraints stay what they are then, and are captured; that they change is a \
                         witness of `constraints/two-users`";

const REACHED: &str = "whether open ports can be reached is promised to nobody; that it changes is a \
                       witness of `charm/ports`";

/// Explanations without a full stop, which follow "no claim notices:".
const UNNOTICED: &[(&str, &str)] = &[
    (
        "destroy-model.1",
        "without it the command makes only the containers Dying, and they go; that it does more is \
         promised to nobody",
    ),
    ("destroy-unit.4", SUBORDINATE),
    (
        "destroy-relation.1",
        "if nobody is in scope the relation is gone, and cannot be changed; if somebody is, a \
         Dying relation is set Dying again",
    ),
    (
        "destroy-application.1",
        "a Dying application has no relation that is Alive, and is set Dying again",
    ),
    (
        "set-machine-dead.4",
        "hardware that fails right after the commit leaves no manager that runs, too",
    ),
    (
        "force-destroy-unit.1",
        "the cleaner destroys an Alive unit before it forces it (`cleaner.3`), and a Dead one is \
         removed anyway",
    ),
    ("force-destroy-unit.3", SUBORDINATE),
    (
        "force-destroy-machine.2",
        "nobody is asked to force the machine then, so that the claim has nothing to say",
    ),
    (
        "unit-agent.23",
        "nobody has a hook run again in these worlds; `relations/the-retried-hook-is-forgotten` violates a \
         claim without it",
    ),
    (
        "provisioner.6",
        "with it, too, a provisioner that takes over and its former may start an instance each \
         (`provisioning/two-provisioners`)",
    ),
    (
        "workflow.5",
        "a transition that fails is tried for ever then; faults are finitely many, so it succeeds in the end",
    ),
    ("set-config.2", "the configuration does not change then, so that no unit has an old one"),
    ("upgrade-charm.2", NO_OTHER_CHARM),
    ("force-upgrade-charm.2", NO_OTHER_CHARM),
    (
        "assign-unit.6",
        "in the variant that it is about a unit that captures late breaks two claims; without it the unit \
         captures nothing, and nobody promises that it does",
    ),
    (
        "set-constraints.1",
        "no unit is added to an application that is not Alive (`add-unit.2`), so nobody captures what it has",
    ),
    (
        "deploy.5",
        "the application has none then, and none are captured; that it has them is what \
         `constraints/deploy-with-constraints` expects",
    ),
    ("set-constraints.3", UNCHANGED),
    ("set-model-constraints.1", UNCHANGED),
    ("expose.2", REACHED),
    ("unexpose.1", REACHED),
    (
        "settings.1",
        "a hook reads nothing then, and what it reads is no obligation; that it does is a witness of \
         `settings/a-sandbox`",
    ),
    (
        "settings.2",
        "a hook writes nothing then, and nothing says that it has to; that it does is a witness of \
         `settings/a-sandbox`",
    ),
    (
        "charm.11",
        "a hook reads nothing then, and what it reads is no obligation; that it does is a witness of \
         `charm/config-get`",
    ),
    (
        "charm.10",
        "no port is open then; that hooks open and close theirs is a witness of `charm/ports`",
    ),
    (
        "unit-agent.12",
        "only force leaves a subordinate's agent behind, and it goes with that of the principal, \
         which is forced, too",
    ),
    (
        "machine-agent.6",
        "a manager that ran on while it is Dead would only provision a little longer, and another one \
         removes it",
    ),
    (
        "provisioner.4",
        "no document says more of where a container runs, so nothing is claimed of it",
    ),
    ("unit-agent.13", "the cleaner, which has left the scope, goes on to set the unit Dead"),
];

const SUBORDINATE: &str = "a world that gives the user the command is refused when it is read; where \
                           the clause is off from the start, a claim misses it";
