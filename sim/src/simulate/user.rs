//! The user: which command is given next.
//!
//! A workload is a way of choosing commands among those that the scenario allows. A command that is
//! not possible yet is tried again later, a few times.

use std::collections::{BTreeMap, VecDeque};

use deathwatch_model::{
    ids::{ApplicationId, UnitId},
    life::Life,
    state::State,
    world::{Command, World},
};

use crate::{
    dice::Dice,
    scenario::{COMMANDS, Simulate, Workload, kind_of},
};

/// The number of times that a planned command is tried while it is not possible yet.
const TRIES: u8 = 20;
/// The number of tries that a command without a plan begins with: it is not tried again.
const ONCE: u8 = TRIES - 1;
/// The number of commands that are drawn in search of one that may be possible.
const DRAWS: usize = 8;
/// The share of the machines that are evacuated at a time, and of the units that are replaced: one
/// in a hundred.
const SHARE: usize = 100;

/// The commands that the scenario allows, by kind.
#[derive(Debug)]
pub(super) struct Allowed {
    by_kind: [Vec<usize>; COMMANDS.len()],
    /// The index of each in the world.
    indices: BTreeMap<Command, usize>,
}

impl Allowed {
    /// The commands that `world` allows.
    pub(super) fn of(world: &World) -> Self {
        let mut by_kind: [Vec<usize>; COMMANDS.len()] = Default::default();
        for (index, allowed) in world.commands.iter().enumerate() {
            by_kind[kind_of(allowed.command)].push(index);
        }
        let indices = world.commands.iter().enumerate();
        Self { by_kind, indices: indices.map(|(index, it)| (it.command, index)).collect() }
    }
}

/// The user of one run.
#[derive(Debug)]
pub(super) struct User<'a> {
    world: &'a World,
    allowed: &'a Allowed,
    workload: Workload,
    weights: [u32; COMMANDS.len()],
    /// The planned commands, as indices into the world's, and how often each was tried.
    next: VecDeque<(usize, u8)>,
    /// The position of a workload that goes through the commands one by one.
    cursor: usize,
    dice: Dice,
}

impl<'a> User<'a> {
    /// A user who has not given any command.
    pub(super) fn new(
        world: &'a World,
        allowed: &'a Allowed,
        drawn: &Simulate,
        dice: Dice,
    ) -> Self {
        let base = weights(drawn.workload);
        let mut weights = [0; COMMANDS.len()];
        for (kind, weight) in weights.iter_mut().enumerate() {
            if !allowed.by_kind[kind].is_empty() {
                *weight = base[kind] * drawn.rates[kind];
            }
        }
        let (workload, next) = (drawn.workload, VecDeque::new());
        let mut user = Self { world, allowed, workload, weights, next, cursor: 0, dice };
        user.cursor = user.dice.below(1 << 16) as usize;
        user
    }

    /// The pause before the next command, in milliseconds.
    pub(super) fn pause(&mut self, drawn: &Simulate) -> u64 {
        // The commands of a plan are given in one go.
        let is_burst = self.next.front().is_some_and(|(_, tries)| *tries == 0);
        if is_burst { 1 } else { self.dice.within(&drawn.pause) }
    }

    /// The next command, as an index into the world's, and how often it was tried; `None` if there
    /// is none.
    pub(super) fn command(&mut self, state: &State) -> Option<(usize, u8)> {
        if self.next.is_empty() {
            self.plan(state);
        }
        self.next.pop_front()
    }

    /// The command was not possible, for the `tries`th time.
    pub(super) fn put_off(&mut self, index: usize, tries: u8) {
        if tries + 1 < TRIES {
            self.next.push_back((index, tries + 1));
        }
    }

    fn plan(&mut self, state: &State) {
        match self.workload {
            Workload::Any
            | Workload::SteadyChurn
            | Workload::RelationChurn
            | Workload::SubordinatesEverywhere => self.any(state),
            Workload::MassRemoval => self.remove_all(state),
            Workload::RollingReplacement => self.replace_next(state),
            Workload::MachineEvacuation => self.evacuate_next(state),
        }
    }

    /// Plans one command of a kind that is drawn by its weight, preferably one that may be
    /// possible.
    fn any(&mut self, state: &State) {
        let Some(mut kind) = self.dice.weighted(&self.weights) else { return };
        let is_any = self.workload == Workload::Any;
        let mut index = self.one_of(kind);
        for _ in 0..DRAWS {
            if is_likely(self.world.commands[index].command, state) {
                break;
            }
            if !is_any {
                // A workload is to make something happen, if need be by another kind of command.
                kind = self.dice.weighted(&self.weights).unwrap_or(kind);
            }
            index = self.one_of(kind);
        }
        self.next.push_back((index, ONCE));
    }

    fn one_of(&mut self, kind: usize) -> usize {
        let commands = &self.allowed.by_kind[kind];
        commands[self.dice.index(commands.len())]
    }

    /// Plans to destroy every application; the next time, to deploy and integrate all again.
    fn remove_all(&mut self, state: &State) {
        let [deploy, integrate, destroy] = [0, 3, 7].map(|kind| &self.allowed.by_kind[kind]);
        let is_alive = |id: ApplicationId| state.store.application_life(id) == Some(Life::Alive);
        let some_live = self.world.application_ids().any(is_alive);
        let kinds: &[&Vec<usize>] =
            if some_live && !destroy.is_empty() { &[destroy] } else { &[deploy, integrate] };
        for commands in kinds {
            let from = self.next.len();
            self.next.extend(commands.iter().map(|index| (*index, 0)));
            let new = self.next.make_contiguous();
            shuffle(&mut new[from..], &mut self.dice);
        }
        self.or_any(state);
    }

    /// Plans to destroy the next units and to add others to their applications.
    fn replace_next(&mut self, state: &State) {
        let commands = &self.allowed.by_kind[5];
        let mut left = 1 + commands.len() / SHARE;
        for _ in 0..commands.len() {
            self.cursor += 1;
            let command = self.world.commands[commands[self.cursor % commands.len()]].command;
            if let (Command::DestroyUnit(unit), true) = (command, is_likely(command, state)) {
                self.add(command);
                self.add(Command::AddUnit(self.world.unit(unit).application));
                left -= 1;
            }
            if left == 0 {
                break;
            }
        }
        self.or_any(state);
    }

    /// Plans to destroy the units of the next machines, then the machines, and to add them anew.
    fn evacuate_next(&mut self, state: &State) {
        let commands = &self.allowed.by_kind[4];
        let mut left = 1 + commands.len() / SHARE;
        for _ in 0..commands.len() {
            self.cursor += 1;
            let command = self.world.commands[commands[self.cursor % commands.len()]].command;
            let Command::DestroyMachine(id) = command else { continue };
            let Some(machine) = state.store.machine(id) else { continue };
            if machine.life != Life::Alive || self.world.machine(id).manages_model {
                continue;
            }
            let units: Vec<UnitId> = machine.principals.iter().collect();
            for unit in units {
                self.add(Command::DestroyUnit(unit));
                self.add(Command::AddUnit(self.world.unit(unit).application));
            }
            self.add(command);
            self.add(Command::AddMachine(id));
            left -= 1;
            if left == 0 {
                break;
            }
        }
        self.or_any(state);
    }

    /// Plans `command`, if the scenario allows it.
    fn add(&mut self, command: Command) {
        if let Some(index) = self.allowed.indices.get(&command) {
            self.next.push_back((*index, 0));
        }
    }

    /// Plans any command, if nothing was planned.
    fn or_any(&mut self, state: &State) {
        if self.next.is_empty() {
            self.any(state);
        }
    }
}

/// Whether the command may be possible, judged by the life of the one document that it is about.
fn is_likely(command: Command, state: &State) -> bool {
    let store = &state.store;
    match command {
        Command::Deploy(id, _) => store.application(id).is_none(),
        Command::AddUnit(id) | Command::DestroyApplication(id) => {
            store.application_life(id) == Some(Life::Alive)
        }
        Command::AddMachine(id) => store.machine(id).is_none(),
        Command::Integrate(id) => store.relation(id).is_none(),
        Command::DestroyMachine(id) => store.machine_life(id) == Some(Life::Alive),
        Command::ForceDestroyMachine(id) => store.machine(id).is_some(),
        Command::DestroyUnit(id) => store.unit_life(id) == Some(Life::Alive),
        Command::ForceDestroyUnit(id) => store.unit(id).is_some(),
        Command::DestroyRelation(id) => store.relation_life(id) == Some(Life::Alive),
    }
}

/// The weight of each kind of command in a workload, in the order of [`COMMANDS`].
fn weights(workload: Workload) -> [u32; COMMANDS.len()] {
    match workload {
        Workload::Any
        | Workload::MassRemoval
        | Workload::RollingReplacement
        | Workload::MachineEvacuation => [1; COMMANDS.len()],
        Workload::SteadyChurn => [4, 40, 4, 8, 2, 40, 4, 2, 1, 1],
        Workload::RelationChurn => [2, 6, 1, 40, 1, 6, 40, 1, 1, 1],
        Workload::SubordinatesEverywhere => [6, 20, 2, 30, 1, 20, 20, 4, 2, 1],
    }
}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.index(last + 1));
    }
}
