//! Facts, steps and assumptions in the words of an operator.

use deathwatch_documents::diagnosis::NextStep;
use deathwatch_model::{
    action::Action,
    life::Life,
    variants::VariantInfo,
    world::{Assumption, World},
};

use crate::{
    hidden::{AgentIs, MachineIs, Pick},
    juju::Juju,
    version::{VariantValue, Version},
};

/// The values of one fact that lead to the same answer.
pub(crate) fn fact(juju: &Juju, values: &[&Pick]) -> String {
    let all = |is: fn(&Pick) -> bool| values.iter().all(|it| is(it));
    let in_scope = |it: &Pick| matches!(it, Pick::Member { in_scope: true, .. });
    let out = |it: &Pick| matches!(it, Pick::Member { in_scope: false, .. });
    if let Some(Pick::Member { relation, unit, .. }) = values.first()
        && values.len() > 1
        && (all(in_scope) || all(out))
    {
        let key = juju.relations[*relation].key();
        let is = if all(in_scope) { "is" } else { "is not" };
        return format!("{unit} {is} in scope of {key}");
    }
    let words: Vec<String> = values.iter().map(|it| value(juju, it)).collect();
    words.join(", or ")
}

fn value(juju: &Juju, pick: &Pick) -> String {
    match pick {
        Pick::UnitLife(name, life) => format!("unit {name} is {life}"),
        Pick::RelationLife(number, life) => {
            format!("relation {} is {life}", juju.relations[*number].key())
        }
        Pick::Member { relation, unit, in_scope, knows } => {
            let key = juju.relations[*relation].key();
            match (in_scope, knows) {
                (true, true) => format!("{unit} is in scope of {key}, and its agent knows"),
                (true, false) => format!("{unit} is in scope of {key}, and its agent forgot"),
                (false, false) => format!("{unit} is not in scope of {key}"),
                (false, true) => {
                    format!("{unit} is not in scope of {key}, but its agent thinks so")
                }
            }
        }
        Pick::Agent(name, AgentIs::Running) => format!("the agent of {name} runs"),
        Pick::Agent(name, AgentIs::Stopped) => format!("the agent of {name} is stopped"),
        Pick::Agent(name, AgentIs::NotDeployed) => {
            format!("{name} has no agent any more, as on replaced hardware")
        }
        Pick::Machine(name, MachineIs::Running) => format!("machine {name} runs"),
        Pick::Machine(name, MachineIs::Stopped) => {
            format!("machine {name} is intact, and its agents are stopped or cut off")
        }
        Pick::Machine(name, MachineIs::Broken) => format!("machine {name} is gone or broken"),
        Pick::Machine(name, MachineIs::Replaced) => {
            format!("machine {name} was replaced, and has no agents of its former units")
        }
        Pick::Machine(name, MachineIs::StartFailed) => {
            format!("machine {name} could not be started")
        }
        Pick::Machine(name, MachineIs::Absent) => format!("machine {name} has no instance"),
        Pick::Hook(name, number) => {
            format!("the hook of {name} is about {}", juju.relations[*number].key())
        }
        Pick::Cleanup(name, true) => format!("the cleanup of {name}'s units is still due"),
        Pick::Cleanup(name, false) => format!("the cleanup of {name}'s units is done"),
        Pick::Variant(choice) => variant(*choice),
    }
}

/// A sentence on a Juju with this value of a variant.
fn variant((name, value): VariantValue) -> String {
    match (name, value) {
        ("unprovisioned-machine", "left") => {
            "this Juju leaves a Dying machine that never had an instance (#20521)".to_owned()
        }
        ("unprovisioned-machine", _) => {
            "this Juju removes a Dying machine that never had an instance".to_owned()
        }
        _ => {
            let known = VariantInfo::named(name).and_then(|it| it.value(value));
            let says = known.map_or("", |(_, means)| means);
            format!("{name} is {value}: {}", says.trim_end_matches('.'))
        }
    }
}

/// The command that tells a fact.
pub(crate) fn command(juju: &Juju, pick: &Pick) -> String {
    let is_4 = Version::read(&juju.version).is_some_and(Version::has_jobs);
    let dump = |what: &str| {
        if is_4 {
            format!("on a controller: juju_db_repl, .switch model-{}, {what}", juju.name)
        } else {
            "JUJU_DEV_FEATURE_FLAGS=developer-mode juju dump-db --format yaml > db.yaml; \
             then diagnose with db.yaml, too"
                .to_owned()
        }
    };
    match pick {
        Pick::UnitLife(name, _) => format!("juju show-unit {name}   (life; since mid-2022)"),
        Pick::RelationLife(..) => dump("SELECT * FROM relation"),
        Pick::Member { relation, unit, .. } => {
            let ends = &juju.relations[*relation].ends;
            let other = |it: &&String| {
                let at = &juju.units[*it].application;
                *it != unit && ends.iter().any(|(app, _)| app == at)
            };
            match juju.units.keys().find(other).filter(|_| !juju.has_units) {
                Some(other) => format!("juju show-unit {other} --format json"),
                None => dump("SELECT * FROM relation_unit"),
            }
        }
        Pick::Agent(name, _) => {
            let machine = juju.units[name].machine.clone().unwrap_or_default();
            format!("juju ssh {machine} -- sudo ls /var/lib/juju/agents")
        }
        Pick::Machine(name, _) => {
            format!("juju ssh {name} -- true   (does it answer? what does the cloud say of it?)")
        }
        Pick::Hook(name, _) => format!("juju show-status-log {name}"),
        Pick::Cleanup(..) => dump("SELECT * FROM removal"),
        Pick::Variant(_) => format!("the notes of your release, {}", juju.version),
    }
}

/// The words for an assumption, after "if".
pub(crate) fn assumption(assumption: Assumption) -> &'static str {
    match assumption {
        Assumption::HookErrorsAreResolved => "each hook error is resolved",
        Assumption::CrashedAgentsRestart => "the stopped agents are started again",
        Assumption::FailedHardwareIsTerminated => "the broken machine is terminated",
        Assumption::FailedStartsAreResolved => "the failed start is tried again",
        other => other.row().says,
    }
}

/// The words for the act that an assumption is about.
pub(crate) fn doing(assumption: Assumption) -> &'static str {
    match assumption {
        Assumption::HookErrorsAreResolved => "resolve each hook error",
        Assumption::CrashedAgentsRestart => "start the stopped agents",
        Assumption::FailedHardwareIsTerminated => "terminate the broken machine",
        Assumption::FailedStartsAreResolved => "try the failed start again",
        other => other.row().says,
    }
}

/// A life, as Juju prints it.
pub(crate) fn life(life: Option<Life>) -> String {
    life.map_or("gone".to_owned(), |it| it.to_string())
}

/// The name of the machine that stands for the controller.
pub(crate) const CONTROLLER: &str = "controller";

/// The actor and the act of a step, in a world with the names of the model. `None` if nobody waits
/// for it.
pub(crate) fn step(world: &World, action: &Action) -> Option<NextStep> {
    let shown = world.show(action);
    let (who, what) = shown.split_once(": ")?;
    let what = done(what)?;
    let who = match who {
        "operator" | "supervisor" => "you",
        who if who.ends_with(&format!(" {CONTROLLER}")) => "the controller",
        who => who,
    };
    Some(NextStep { who: who.to_owned(), what })
}

/// Steps of which those of one actor in succession are one.
pub(crate) fn joined(steps: impl Iterator<Item = NextStep>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for NextStep { who, what } in steps {
        match all.last_mut() {
            Some((last, said)) if *last == who => {
                said.push_str(", ");
                said.push_str(&what);
            }
            _ => all.push((who, what)),
        }
    }
    all
}

/// The words for the act of a step; `None` if nobody waits for it.
fn done(what: &str) -> Option<String> {
    let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
    let relation = || rest.split_once(' ').map_or(rest, |(_, relation)| relation);
    Some(match verb {
        "recall-unit"
        | "decommission"
        | "drop-directory"
        | "write-directory"
        | "delete-settings"
        | "finish-units-cleanup"
        | "commit" => return None,
        "leave-scope" => format!("leaves relation {}", relation()),
        "rejoin" => format!("takes relation {rest} up again"),
        "run-hooks" => format!("runs its hooks for leaving relation {rest}"),
        "run-stop-hook" => "runs its stop hook".to_owned(),
        "destroy-unit" => format!("makes {rest} Dying"),
        "set-unit-dead" => format!("sets unit {rest} Dead"),
        "remove-unit" => format!("removes unit {rest}"),
        "set-machine-dead" => format!("sets machine {rest} Dead"),
        "remove-machine" => format!("removes machine {rest}"),
        "deploy-unit" => format!("deploys {rest}"),
        "start-instance" => format!("starts an instance for machine {rest}"),
        "terminate" => format!("terminate the instance of machine {rest}"),
        "restart" => format!("start {rest} again"),
        "enter-scope" => format!("enters relation {}", relation()),
        _ => what.replace('-', " "),
    })
}
