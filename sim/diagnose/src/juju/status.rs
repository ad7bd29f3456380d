//! The output of `juju status`, of 2.0 to 4.x.

use deathwatch_model::life::Life;
use deathwatch_scenario::Problem;

use super::{AgentStatus, FailedHook, Juju, JujuApplication, JujuMachine, Outside, Unit, life};
use crate::tree::TreeNode;

/// The statuses that Juju is known to print of a machine's agent.
const OF_MACHINES: [&str; 7] = ["", "pending", "started", "stopped", "down", "error", "unknown"];

/// The statuses that it is known to print of a unit's agent.
const OF_AGENTS: [&str; 9] =
    ["", "allocating", "executing", "idle", "error", "failed", "lost", "rebooting", "unknown"];

/// The statuses that it is known to print of a unit's workload.
const OF_WORKLOADS: [&str; 11] = [
    "",
    "unknown",
    "unset",
    "maintenance",
    "waiting",
    "blocked",
    "active",
    "terminated",
    "error",
    "allocating",
    "running",
];

/// One end of a relation, as status tells it: without the endpoint of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RelationEnd {
    pub(super) application: String,
    pub(super) endpoint: String,
    pub(super) other: String,
    pub(super) interface: String,
    pub(super) is_container: bool,
}

/// Reads a model, and the ends of its relations.
pub(super) fn read(node: &TreeNode<'_>) -> Result<(Juju, Vec<RelationEnd>), Problem> {
    let mut juju = Juju {
        name: tame(node.text(&["model", "name"])?),
        version: tame(node.text(&["model", "version"])?),
        is_kubernetes: node.text(&["model", "type"])?.as_deref() == Some("caas"),
        is_destroying: node.text(&["model", "model-status", "current"])?.as_deref()
            == Some("destroying"),
        ..Juju::default()
    };
    machines(&node.table("machines")?, None, &mut juju)?;
    let mut edges = Vec::new();
    for (name, application) in node.table("applications")? {
        if !is_word(name) {
            return Err(application.expected("the name of an application"));
        }
        edges.extend(application_of(name, &application, &mut juju)?);
    }
    outside(node, &mut juju)?;
    failed_agents(&mut juju);
    Ok((juju, edges))
}

/// Notes the machines of which the agent failed: it holds them, and the units that are on them.
fn failed_agents(juju: &mut Juju) {
    for (name, _) in juju.machines.iter().filter(|(_, machine)| machine.agent_failed) {
        let units = juju.units.iter().filter(|(_, unit)| unit.machine.as_ref() == Some(name));
        let held = units.map(|(unit, _)| unit).chain([name]);
        let what = format!("a failure of the agent of machine {name}");
        juju.outside.extend(held.map(|it| Outside { what: what.clone(), holds: it.clone() }));
    }
}

fn machines(
    nodes: &[(&str, TreeNode<'_>)],
    host: Option<&str>,
    juju: &mut Juju,
) -> Result<(), Problem> {
    for (name, node) in nodes {
        if !is_machine(name, host) {
            return Err(node.expected("the number of a machine"));
        }
        let agent = node.text(&["juju-status", "current"])?.unwrap_or_default();
        let instance = node.text(&["instance-id"])?.unwrap_or_default();
        let provider = node.text(&["machine-status", "current"])?.unwrap_or_default();
        let has_instance = !instance.is_empty() && instance != "pending";
        if !OF_MACHINES.contains(&&*agent) {
            juju.of_unknown_status.push(format!("machine {name}"));
        }
        let machine = JujuMachine {
            life: life(node, &["juju-status", "life"])?.unwrap_or(Life::Alive),
            has_instance,
            is_down: agent == "down" && has_instance,
            // Without an instance, it is the start that failed.
            agent_failed: agent == "error" && has_instance,
            start_failed: !has_instance && provider.contains("error"),
            host: host.map(str::to_owned),
            since: time(node.text(&["juju-status", "since"])?),
        };
        if node.get("controller-member-status").is_some() {
            let what = format!("the controller, of which machine {name} is a member");
            juju.outside.push(Outside { what, holds: (*name).to_owned() });
        }
        juju.machines.insert((*name).to_owned(), machine);
        machines(&node.table("containers")?, Some(name), juju)?;
    }
    Ok(())
}

fn application_of(
    name: &str,
    node: &TreeNode<'_>,
    juju: &mut Juju,
) -> Result<Vec<RelationEnd>, Problem> {
    let principals = node.list("subordinate-to")?;
    let application = JujuApplication {
        life: life(node, &["life"])?.unwrap_or(Life::Alive),
        is_subordinate: !principals.is_empty(),
    };
    let is_subordinate = application.is_subordinate;
    juju.applications.insert(name.to_owned(), application);
    for (unit, node) in node.table("units")? {
        read_unit(unit, &node, None, juju)?;
    }
    let mut edges = Vec::new();
    for (endpoint, _) in node.table("relations")? {
        let relations = node.get("relations").map_or(Ok(Vec::new()), |it| it.list(endpoint))?;
        for related in relations {
            let text = |key: &str| related.text(&[key]);
            // Until 3.0 it is the name alone.
            let other = match related.value.as_str() {
                Some(name) => Some(name.to_owned()),
                None => text("related-application")?,
            };
            let Some(other) = other else {
                return Err(related.expected("a related application"));
            };
            let is_named = is_word(endpoint) && is_word(&other);
            if !is_named {
                return Err(related.expected("the name of an endpoint and an application"));
            }
            let scope = text("scope")?;
            edges.push(RelationEnd {
                application: name.to_owned(),
                endpoint: endpoint.to_owned(),
                interface: text("interface")?.unwrap_or_default(),
                is_container: scope.map_or(is_subordinate, |it| it == "container"),
                other,
            });
        }
    }
    Ok(edges)
}

fn read_unit(
    name: &str,
    node: &TreeNode<'_>,
    principal: Option<&str>,
    juju: &mut Juju,
) -> Result<(), Problem> {
    let Some(application) = application_in(name) else {
        return Err(node.expected("the name of a unit"));
    };
    let workload = |key: &str| node.text(&["workload-status", key]);
    let agent = node.text(&["juju-status", "current"])?.unwrap_or_default();
    let current = workload("current")?.unwrap_or_default();
    let message = workload("message")?.unwrap_or_default();
    let told = node.text(&["juju-status", "message"])?.unwrap_or_default();
    let has_run = node.at(&["juju-status", "version"]).is_some();
    if !OF_AGENTS.contains(&&*agent) || !OF_WORKLOADS.contains(&&*current) {
        juju.of_unknown_status.push(format!("unit {name}"));
    }
    let failed_hook = (current == "error").then(|| failed_hook(&message).unwrap_or_default());
    if agent == "failed" || agent == "error" && failed_hook.is_none() {
        let what = format!("a failure of the agent of {name}");
        juju.outside.push(Outside { what, holds: name.to_owned() });
    }
    let agent = match agent.as_str() {
        "lost" => AgentStatus::Lost,
        "allocating" if !has_run => AgentStatus::Allocating,
        _ => AgentStatus::Running,
    };
    let in_error = if failed_hook.is_some() { workload("since")? } else { None };
    let unit = Unit {
        application: application.to_owned(),
        life: life(node, &["juju-status", "life"])?,
        machine: node.text(&["machine"])?.filter(|it| !it.is_empty()),
        principal: principal.map(str::to_owned),
        is_terminated: current == "terminated",
        failed_hook,
        agent,
        doing: told.strip_prefix("running ").map(hook_name),
        since: time(in_error.or(node.text(&["juju-status", "since"])?)),
    };
    juju.units.insert(name.to_owned(), unit);
    for (unit, node) in node.table("subordinates")? {
        read_unit(unit, &node, Some(name), juju)?;
    }
    Ok(())
}

/// The name of a hook that runs; anything else that a message says is not kept.
fn hook_name(told: &str) -> String {
    let name = told.strip_suffix(" hook").unwrap_or(told);
    if is_word(name) { name.to_owned() } else { "one without a name".to_owned() }
}

/// The hook that a message tells of, as in `hook failed: "db-relation-changed" for store:db`.
fn failed_hook(message: &str) -> Option<FailedHook> {
    let mut parts = message.strip_prefix("hook failed: \"")?.split('"');
    let name = parts.next().filter(|it| is_word(it))?;
    let rest = parts.next().unwrap_or_default();
    let kinds = ["created", "joined", "changed", "departed", "broken"];
    let endpoint = kinds.iter().find_map(|it| name.strip_suffix(&format!("-relation-{it}")));
    let other = rest.strip_prefix(" for ").and_then(|it| it.split(':').next());
    Some(FailedHook {
        name: name.to_owned(),
        endpoint: endpoint.map(str::to_owned),
        other: other.filter(|it| is_word(it)).map(str::to_owned),
    })
}

/// Tells what holds things in Juju and is not modelled: storage that is attached. Relations with
/// other models are found as their ends are put together.
fn outside(node: &TreeNode<'_>, juju: &mut Juju) -> Result<(), Problem> {
    let Some(storage) = node.get("storage") else { return Ok(()) };
    for (_, storage) in storage.table("storage")? {
        let Some(attachments) = storage.get("attachments") else { continue };
        for (unit, _) in attachments.table("units")? {
            if juju.units.contains_key(unit) {
                let what = format!("storage that is attached to {unit}");
                juju.outside.push(Outside { what, holds: unit.to_owned() });
            }
        }
    }
    Ok(())
}

/// A name or a version as it is shown; nothing if it is none.
fn tame(text: Option<String>) -> String {
    let is_tame = |text: &String| {
        text.len() < 100
            && text
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-_.+/@".contains(letter))
    };
    text.filter(is_tame).unwrap_or_default()
}

/// A time as it is shown, as in "03 Mar 2026 04:05:06Z"; nothing if it is none.
fn time(text: Option<String>) -> String {
    let is_part = |part: &str| {
        let is_month = part.len() == 3 && part.chars().all(|it| it.is_ascii_alphabetic());
        is_month || part.chars().all(|it| it.is_ascii_digit() || "-:.+TZ".contains(it))
    };
    let is_time = |text: &String| text.len() < 40 && text.split(' ').all(is_part);
    text.filter(is_time).unwrap_or_default()
}

/// Whether this can be the name of an application, an endpoint or a hook.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
        && name.len() < 200
}

/// The application of a unit with this name.
pub(super) fn application_in(name: &str) -> Option<&str> {
    let (application, number) = name.split_once('/')?;
    let is_number = number.len() < 19 && number.parse::<u64>().is_ok();
    (is_word(application) && is_number).then_some(application)
}

/// Whether this is the number of a machine, or of a container of `host`.
fn is_machine(name: &str, host: Option<&str>) -> bool {
    let is_number =
        |it: &str| (1..10).contains(&it.len()) && it.bytes().all(|b| b.is_ascii_digit());
    match host {
        None => is_number(name),
        Some(host) => name.strip_prefix(host).is_some_and(|rest| {
            let parts: Vec<&str> = rest.split('/').collect();
            let [first, kind, number] = parts[..] else { return false };
            first.is_empty() && is_word(kind) && is_number(number)
        }),
    }
}
