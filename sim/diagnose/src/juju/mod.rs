//! A model as Juju prints it, typed: lives, agents, assignments, relations and scopes. Settings,
//! addresses and everything else is not kept.

mod dump;
mod join;
mod show_unit;
mod status;

use std::collections::BTreeMap;

use deathwatch_model::life::Life;
use deathwatch_scenario::Problem;
use serde_json::Value;

use crate::{
    tree::{self, COMMANDS, TreeNode},
    version::Version,
};

/// A model, as Juju shows it.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is shown by itself")]
pub struct Juju {
    pub name: String,
    /// The version of its Juju, as it is printed.
    pub version: String,
    pub is_kubernetes: bool,
    pub is_destroying: bool,
    /// Its machines and containers, by number.
    pub machines: BTreeMap<String, JujuMachine>,
    pub applications: BTreeMap<String, JujuApplication>,
    pub units: BTreeMap<String, Unit>,
    pub relations: Vec<JujuRelation>,
    /// Things in Juju that perhaps hold others, and are not modelled.
    pub outside: Vec<Outside>,
    /// Gaps in what was told, in sentences without full stops.
    pub notes: Vec<String>,
    /// Whether units were shown one by one.
    pub has_units: bool,
    /// Whether its status may not be whole.
    pub may_be_cut_off: bool,
    /// The machines and units whose statuses are none that Juju is known to print, and were taken
    /// for healthy ones.
    pub of_unknown_status: Vec<String>,
}

/// Something that may hold an entity in Juju, and is not modelled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside {
    pub what: String,
    pub holds: String,
}

/// A machine or container.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "Juju prints each on its own")]
pub struct JujuMachine {
    pub life: Life,
    pub has_instance: bool,
    /// Whether its agent is not heard of.
    pub is_down: bool,
    /// Whether its agent says of itself that it failed.
    pub agent_failed: bool,
    /// Whether no instance could be started for it.
    pub start_failed: bool,
    /// Its host, if it is a container.
    pub host: Option<String>,
    /// Since when its agent is as it is.
    pub since: String,
}

/// An application.
#[derive(Clone, Debug)]
pub struct JujuApplication {
    /// Its life, which is never Dead.
    pub life: Life,
    pub is_subordinate: bool,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct Unit {
    pub application: String,
    /// Its life, if it is shown.
    pub life: Option<Life>,
    /// Its machine, if it is assigned.
    pub machine: Option<String>,
    /// Its principal, if it is a subordinate.
    pub principal: Option<String>,
    /// The state of its agent, as shown.
    pub agent: AgentStatus,
    /// The hook that failed, if one did.
    pub failed_hook: Option<FailedHook>,
    /// Whether its last hook has ended.
    pub is_terminated: bool,
    /// The work of its agent, as Juju prints it.
    pub doing: Option<String>,
    /// Since when its agent is as it is.
    pub since: String,
}

/// The state of a unit's agent, as far as Juju shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentStatus {
    /// It was never deployed.
    Allocating,
    Running,
    /// It is not heard of.
    Lost,
}

/// A hook that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedHook {
    /// Its name; empty if it is not told.
    pub name: String,
    /// The endpoint of its unit that it is about, if it is a hook of a relation.
    pub endpoint: Option<String>,
    /// The other application, if that is told.
    pub other: Option<String>,
}

/// A relation.
#[derive(Clone, Debug)]
pub struct JujuRelation {
    /// Its ends, application and endpoint: one of a peer relation, else two.
    pub ends: Vec<(String, String)>,
    /// Whether principals and subordinates meet in it.
    pub is_container: bool,
    /// Its life, if it is told.
    pub life: Option<Life>,
    /// For each unit of which it is known, whether it is in the relation's scope.
    pub in_scope: BTreeMap<String, bool>,
    /// For each unit of which it is known, whether its agent remembers the relation.
    pub remembered: BTreeMap<String, bool>,
}

impl JujuRelation {
    pub fn key(&self) -> String {
        let ends: Vec<String> = self.ends.iter().map(|(app, end)| format!("{app}:{end}")).collect();
        ends.join(" ")
    }

    /// Whether an application is at one of its ends.
    pub fn joins(&self, application: &str) -> bool {
        self.ends.iter().any(|(it, _)| it == application)
    }

    /// Whether it is among the units of one application.
    pub fn is_peer(&self) -> bool {
        self.ends.len() == 1
    }
}

impl Juju {
    /// Reads files, each with its name: one of `juju status`, and any number of `juju show-unit`
    /// and of `juju dump-db`.
    ///
    /// # Errors
    /// If a file is none of these, or they are not of one model. The problem names file and place,
    /// and quotes nothing.
    pub fn read(files: &[(String, Vec<u8>)]) -> Result<Self, Problem> {
        let mut trees = Vec::new();
        for (name, bytes) in files {
            let tree = tree::read(name, bytes)?;
            let kind = kind(name, &TreeNode::whole(name, &tree))?;
            trees.push((name.as_str(), kind, tree));
        }
        // A folder of juju-crashdump has the status of the controller's model, too.
        let is_controller = |(_, kind, tree): &(&str, InputKind, Value)| {
            *kind == InputKind::Status && tree["model"]["name"] == CONTROLLER
        };
        if trees.iter().any(|it| it.1 == InputKind::Status && !is_controller(it)) {
            trees.retain(|it| !is_controller(it));
        }
        let mut statuses = trees.iter().filter(|(_, kind, _)| *kind == InputKind::Status);
        let Some((name, _, tree)) = statuses.next() else {
            return Err(commands("there is no output of `juju status` among the files"));
        };
        if let Some((other, ..)) = statuses.next() {
            let message = format!("{name} and {other} are both of `juju status`");
            return Err(Problem::new(message).with_help("one of them was expected"));
        }
        let (mut juju, edges) = status::read(&TreeNode::whole(name, tree))?;
        // YAML that breaks off at the end of a line is YAML.
        let is_yaml = files.iter().any(|(it, bytes)| it == name && !tree::is_json(bytes));
        if is_yaml && Version::read(&juju.version).is_none_or(Version::has_controller_in_status) {
            juju.may_be_cut_off = tree.get("controller").is_none();
        }
        for (unit, machine) in
            juju.units.iter().filter_map(|(it, unit)| Some((it, unit.machine.as_ref()?)))
        {
            if !juju.machines.contains_key(machine) {
                let message =
                    format!("{name}: unit {unit} is on machine {machine}, which is not shown");
                return Err(Problem::new(message).with_help("the whole model was expected"));
            }
        }
        let mut entries = Vec::new();
        for (name, _, tree) in trees.iter().filter(|(_, kind, _)| *kind == InputKind::ShowUnit) {
            entries.extend(show_unit::read(&TreeNode::whole(name, tree), &mut juju)?);
            juju.has_units = true;
        }
        join::relations(&mut juju, edges, &entries)?;
        for (name, _, tree) in trees.iter().filter(|(_, kind, _)| *kind == InputKind::Dump) {
            dump::read(&TreeNode::whole(name, tree), &mut juju)?;
            juju.has_units = true;
        }
        Ok(juju)
    }

    /// Whether a file that was found in a folder is one of these. What is none is left out: logs,
    /// settings, and what else juju-crashdump collects.
    ///
    /// # Errors
    /// If it begins as one, and is not whole.
    pub fn is_output(name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        let Some(begins) = Beginning::of(bytes) else { return Ok(false) };
        match tree::read(name, bytes) {
            Ok(tree) => Ok(kind(name, &TreeNode::whole(name, &tree)).is_ok()),
            Err(problem) if begins == Beginning::Certain => Err(problem),
            Err(_) => Ok(false),
        }
    }

    /// The lives that a unit can have by what is shown.
    pub fn lives_of_unit(&self, name: &str) -> Vec<Life> {
        let unit = &self.units[name];
        let is_dying =
            self.applications.get(&unit.application).is_some_and(JujuApplication::is_dying);
        match unit.life {
            Some(life) => vec![life],
            None if unit.is_terminated => vec![Life::Dying, Life::Dead],
            // Presence is not looked at for a unit that is Dead.
            None if is_dying && unit.agent == AgentStatus::Lost => vec![Life::Alive, Life::Dying],
            None if is_dying => vec![Life::Alive, Life::Dying, Life::Dead],
            None => vec![Life::Alive],
        }
    }

    /// The number of units whose life is not shown, and which are taken to be Alive.
    pub fn taken_to_be_alive(&self) -> usize {
        let is_taken = |(name, unit): &(&String, &Unit)| {
            unit.life.is_none() && self.lives_of_unit(name) == [Life::Alive]
        };
        self.units.iter().filter(is_taken).count()
    }

    /// The lives that a relation can have. Its applications tell: it is Dying if one of them is,
    /// and peers have the life of theirs.
    pub fn lives_of_relation(&self, relation: &JujuRelation) -> Vec<Life> {
        if let Some(life) = relation.life {
            return vec![life];
        }
        let mut ends = relation.ends.iter().filter_map(|(app, _)| self.applications.get(app));
        match (ends.any(JujuApplication::is_dying), relation.is_peer()) {
            (true, _) => vec![Life::Dying],
            (false, true) => vec![Life::Alive],
            (false, false) => vec![Life::Alive, Life::Dying],
        }
    }

    /// Whether a unit and what it runs on are well, as far as is shown.
    pub fn is_well(&self, name: &str) -> bool {
        let unit = &self.units[name];
        let machine = unit.machine.as_ref().and_then(|it| self.machines.get(it));
        let principal = unit.principal.as_ref().is_none_or(|it| self.is_well(it));
        unit.agent == AgentStatus::Running
            && unit.failed_hook.is_none()
            && machine.is_none_or(|it| it.has_instance && !it.is_down)
            && principal
    }

    /// The units of an application, in the order of their numbers.
    pub fn units_of(&self, application: &str) -> Vec<&str> {
        let all = self.units.iter().filter(|(_, unit)| unit.application == application);
        let mut all: Vec<&str> = all.map(|(name, _)| name.as_str()).collect();
        all.sort_by_key(|name| number(name));
        all
    }
}

impl JujuApplication {
    pub fn is_dying(&self) -> bool {
        self.life != Life::Alive
    }
}

pub(crate) fn number(unit: &str) -> u64 {
    unit.rsplit('/').next().and_then(|it| it.parse().ok()).unwrap_or_default()
}

/// The name of the model of every controller.
const CONTROLLER: &str = "controller";

/// The beginning of a file that may be output of Juju.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Certain,
    Possible,
}

impl Beginning {
    /// The number of bytes that are looked at.
    const BYTES: usize = 1024;

    /// The beginning of a file; `None` if it is no JSON or YAML with a key.
    fn of(bytes: &[u8]) -> Option<Self> {
        let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(Self::BYTES)]);
        let beginning = beginning.trim_start_matches(['\u{feff}', '\n', '\r', ' ', '-']);
        let is_json = beginning.starts_with('{');
        let inside = beginning.trim_start_matches(['{', '\n', '\r', ' ', '\t']);
        let (key, rest) = inside.split_once(':')?;
        let key = key.trim_matches(['"', '\'', ' ']);
        // The model of a status is a table, on the lines that follow in YAML.
        let rest = rest.trim_start_matches([' ', '\t']);
        let has_table =
            if is_json { rest.starts_with('{') } else { rest.starts_with(['\n', '\r']) };
        if has_table && (key == "model" || status::application_in(key).is_some()) {
            return Some(Self::Certain);
        }
        let is_key = key.len() < 200 && !key.contains(['\n', ' ', '{', '#']) && !key.is_empty();
        is_key.then_some(Self::Possible)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InputKind {
    Status,
    ShowUnit,
    Dump,
}

/// The kind of a file, by its content.
fn kind(name: &str, node: &TreeNode<'_>) -> Result<InputKind, Problem> {
    let has = |key: &str| node.get(key).is_some();
    let machines = node.value.get("machines").and_then(Value::as_object);
    let is_old = |machine: &Value| machine.get("agent-state").is_some();
    if has("environment") || machines.is_some_and(|it| it.values().any(is_old)) {
        let message = format!("{name}: this is of Juju 1.x, whose output is another one");
        return Err(Problem::new(message).with_help("Juju 2.0 or newer was expected"));
    }
    if has("relationscopes") || has("containerRefs") || has("instanceData") {
        return Ok(InputKind::Dump);
    }
    if has("machines") && has("applications") {
        return Ok(InputKind::Status);
    }
    let entries = node.entries()?;
    let is_unit = |name: &str| name.contains('/') && !name.contains("/lxd/");
    if entries.iter().all(|(key, it)| is_unit(key) && it.value.is_object()) {
        return Ok(InputKind::ShowUnit);
    }
    Err(commands(&format!("{name}: this is neither of `juju status` nor of `juju show-unit`")))
}

fn commands(message: &str) -> Problem {
    let lines: Vec<String> = COMMANDS.lines().map(str::to_owned).collect();
    Problem::new(message).with_help_lines(&lines)
}

/// The life that is told; Alive where none is.
fn life(node: &TreeNode<'_>, path: &[&str]) -> Result<Option<Life>, Problem> {
    let Some(word) = node.text(path)? else { return Ok(None) };
    match word.as_str() {
        "" => Ok(None),
        "alive" => Ok(Some(Life::Alive)),
        "dying" => Ok(Some(Life::Dying)),
        "dead" => Ok(Some(Life::Dead)),
        _ => Err(node.at(path).unwrap_or(node.clone()).expected("alive, dying or dead")),
    }
}
