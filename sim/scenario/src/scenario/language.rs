//! The language of scripts, as `deathwatch list` shows it: a row for each actor, for each step, and
//! for each outcome that a line can expect.
//!
//! The verbs of the protocol have their rows in the model; here are those of scripts alone.

use deathwatch_model::{
    syntax::VERBS,
    table::{Parameter, RowText},
};

/// Somebody with whom a line begins, or what can be written around a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its general form, "unit-agent UNIT".
    pub form: &'static str,
    pub example: &'static str,
    pub meaning: &'static str,
}

/// The actors, with whom a line begins.
pub const ACTORS: [Form; 9] = [
    Form {
        form: "user",
        example: "user: destroy-unit wordpress/0",
        meaning: "The user gives the commands that the table [user] allows, as often as it says, \
                  and goes on with a command of several transactions until it is finished. If \
                  the table has `sessions = 2` there are two, and the other one is `user 2`.",
    },
    Form {
        form: "client",
        example: "client 1: begin remove-unit wordpress/0",
        meaning: "A client exists in scripts only, to examine one transaction: it plans any \
                  operation at any time, whatever [user] allows and whosever duty it is, and does \
                  nothing else. It is no agent: what an agent would note on its own disk, it does \
                  not. There are clients up to `client 7`; each has one transaction at a time.",
    },
    Form {
        form: "unit-agent UNIT",
        example: "unit-agent wordpress/0: set-unit-dead wordpress/0",
        meaning: "The agent of a unit does its duties, while it is deployed and up.",
    },
    Form {
        form: "machine-agent MACHINE",
        example: "machine-agent 1: deploy-unit wordpress/0",
        meaning: "The agent of a machine does its duties, while the machine has an instance: it \
                  is the deployer of the units there.",
    },
    Form {
        form: "provisioner",
        example: "provisioner: start-instance 1",
        meaning: "The provisioner runs in the agent of a manager machine.",
    },
    Form {
        form: "cleaner",
        example: "cleaner: delete-settings wordpress:db mysql:server",
        meaning: "The cleaner carries out cleanup documents, in the agent of a manager machine.",
    },
    Form {
        form: "faults",
        example: "faults: fail-hardware 1",
        meaning: "Whatever goes wrong, where the table [faults] switches it on.",
    },
    Form {
        form: "operator",
        example: "operator: resolve wordpress/0",
        meaning: "The operator resolves hook errors, terminates broken hardware, upgrades agents and \
                  terminates the hardware of those that the upgrade does not help.",
    },
    Form {
        form: "supervisor",
        example: "supervisor: restart unit-agent wordpress/0",
        meaning: "The supervisor starts crashed agents again.",
    },
];

/// What scripts say beside the verbs of the protocol.
pub const SCRIPT_STEPS: [Form; 9] = [
    Form {
        form: "ACTOR: begin OPERATION",
        example: "client: begin remove-unit wordpress/0",
        meaning: "Plan the transaction; anybody may act before it is committed.",
    },
    Form {
        form: "ACTOR: commit",
        example: "client: commit",
        meaning: "Commit the transaction that is pending: all that it asserts must hold.",
    },
    Form {
        form: "ACTOR: abort",
        example: "client: abort",
        meaning: "Try to commit the transaction that is pending: some assert must not hold.",
    },
    Form {
        form: "ACTOR: retry OPERATION",
        example: "machine-agent 1: retry remove-unit wordpress/0",
        meaning: "Plan the transaction and commit it, and do so again if it aborts, up to the \
                  tries of the world. If it is pending, it is committed first.",
    },
    Form {
        form: "unit-agent UNIT: begin HOOK",
        example: "unit-agent wordpress/0: begin run-hooks wordpress:db mysql:server",
        meaning: "Begin to run the hooks; the agent does nothing else before they end, and a crash \
                  makes them fail.",
    },
    Form {
        form: "unit-agent UNIT: exit",
        example: "unit-agent wordpress/0: exit",
        meaning: "The hook that is running exits with success, where the detail `hooks` is on and \
                  agents may crash: its end is recorded by the next step.",
    },
    Form {
        form: "unit-agent UNIT: end",
        example: "unit-agent wordpress/0: end",
        meaning: "End the hooks that are running.",
    },
    Form {
        form: "run ACTOR",
        example: "run unit-agent wordpress/0",
        meaning: "The actor acts until it has nothing left to do. `run user` finishes the command \
                  in progress. Clients and faults have no duties, and do not run.",
    },
    Form {
        form: "run all",
        example: "run all",
        meaning: "Everybody who is assumed to act takes turns, in a fixed order, until nobody has \
                  anything left to do. No fault is injected, and the user gives no new command.",
    },
];

/// The outcomes that a line can expect. Without one, the step must do something.
pub const OUTCOMES: [Form; 5] = [
    Form {
        form: "=> no-op",
        example: "client: destroy-unit wordpress/0 => no-op",
        meaning: "There is nothing to do. Of a run: nobody has anything left to do.",
    },
    Form {
        form: "=> refused: REASON",
        example: "client: destroy-machine 1 => refused: it has units",
        meaning: "It is not allowed. `deathwatch list refusals` has the reasons.",
    },
    Form {
        form: "=> aborted",
        example: "machine-agent 1: abort => aborted",
        meaning: "Some assert does not hold, so that nothing is changed.",
    },
    Form {
        form: "=> aborted: CLAUSE",
        example: "machine-agent 1: abort => aborted: remove-unit.4",
        meaning: "An assert of this clause does not hold. `deathwatch list clauses` has them.",
    },
    Form {
        form: "=> contended",
        example: "user: abort => contended",
        meaning: "It has aborted as often as the user tries, who gives up.",
    },
];

/// What rules of a scenario's own say of steps.
pub const RULES: [Form; 4] = [
    Form {
        form: "act = \"OPERATION\"",
        example: "act = \"destroy-machine {it}\"",
        meaning: "A duty is added: the `actor` does this for `each` row of a kind where a condition \
                  holds, `when`.",
    },
    Form {
        form: "only = \"VERB\"",
        example: "only = \"run-broken-hook\"",
        meaning: "This step is taken only where a condition holds, `when`, of `each` row of a kind, \
                  by an `actor` or by all.",
    },
    Form {
        form: "refusal = \"REASON\"",
        example: "refusal = \"it exists already\"",
        meaning: "An operation, `of`, that would be refused for this reason `becomes` no-op, or is \
                  refused for another one.",
    },
    Form {
        form: "clause = \"CLAUSE\"",
        example: "clause = \"remove-unit.4\"",
        meaning: "The branch of this clause is taken where a condition holds, `when`.",
    },
];

/// A verb of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The actors that do it, "unit-agent UNIT".
    pub actors: &'static str,
    /// The verb, its parameters and its meaning.
    pub row: &'static RowText,
}

/// Every verb of the protocol, in the order of the actors.
pub fn steps() -> impl Iterator<Item = Step> {
    let step = |actors| move |row| Step { actors, row };
    VERBS.iter().flat_map(move |verbs| verbs.rows.iter().map(step(verbs.actors)))
}

impl Step {
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
            let form = ACTORS.iter().find(|form| form.form == self.actors);
            form.and_then(|form| form.example.split(": ").next()).unwrap_or(self.actors)
        };
        format!("{actor}: {}", self.row.example)
    }
}
