//! The user: what is asked for next.
//!
//! A workload is a way of choosing commands. What it chooses has to be among those that the
//! scenario allows; a command that is not possible yet is tried again later, a few times.

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

/// How often a command that belongs to a plan is tried while it is not possible yet.
const TRIES: u8 = 20;
/// What is not part of a plan is not tried again.
const ONCE: u8 = TRIES - 1;
/// How many commands are looked at for one that may be possible.
const LOOKS: usize = 8;
/// One machine in so many is emptied at a time, and one unit in so many replaced.
const PART: usize = 100;

/// The commands that the scenario allows, by kind.
#[derive(Debug)]
pub(super) struct Allowed {
    by_kind: [Vec<usize>; COMMANDS.len()],
    /// The place of each in the world.
    places: BTreeMap<Command, usize>,
}

impl Allowed {
    /// Those of `world`.
    pub(super) fn of(world: &World) -> Self {
        let mut by_kind: [Vec<usize>; COMMANDS.len()] = Default::default();
        for (index, allowed) in world.commands.iter().enumerate() {
            by_kind[kind_of(allowed.command)].push(index);
        }
        let places = world.commands.iter().enumerate();
        Self { by_kind, places: places.map(|(place, it)| (it.command, place)).collect() }
    }
}

/// What the user of one run is up to.
#[derive(Debug)]
pub(super) struct User<'a> {
    world: &'a World,
    allowed: &'a Allowed,
    workload: Workload,
    weights: [u32; COMMANDS.len()],
    /// What is to be asked for before anything new, and how often it was tried.
    next: VecDeque<(usize, u8)>,
    /// How far a workload has come that goes from one thing to the next.
    cursor: usize,
    dice: Dice,
}

impl<'a> User<'a> {
    /// A user who has not asked for anything.
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

    /// How long the user waits before the next command.
    pub(super) fn pause(&mut self, drawn: &Simulate) -> u64 {
        // What belongs together is asked for in one go.
        let is_burst = self.next.front().is_some_and(|(_, tries)| *tries == 0);
        if is_burst { 1 } else { self.dice.within(&drawn.pause) }
    }

    /// The place in the world of the next command, and how often it was tried; `None` if nothing
    /// comes to mind.
    pub(super) fn command(&mut self, state: &State) -> Option<(usize, u8)> {
        if self.next.is_empty() {
            self.plan(state);
        }
        self.next.pop_front()
    }

    /// The command was not possible, for the `tries`th time.
    pub(super) fn put_off(&mut self, place: usize, tries: u8) {
        if tries + 1 < TRIES {
            self.next.push_back((place, tries + 1));
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

    /// Any command of a kind that is drawn by its weight, preferably one that may be possible. If
    /// it is not, something else will do.
    fn any(&mut self, state: &State) {
        let Some(mut kind) = self.dice.weighted(&self.weights) else { return };
        let is_any = self.workload == Workload::Any;
        let mut place = self.one_of(kind);
        for _ in 0..LOOKS {
            if is_likely(self.world.commands[place].command, state) {
                break;
            }
            if !is_any {
                // What a workload is about should happen: something of another kind will do.
                kind = self.dice.weighted(&self.weights).unwrap_or(kind);
            }
            place = self.one_of(kind);
        }
        self.next.push_back((place, ONCE));
    }

    fn one_of(&mut self, kind: usize) -> usize {
        let commands = &self.allowed.by_kind[kind];
        commands[self.dice.index(commands.len())]
    }

    /// Every application is destroyed; the next time, all are deployed and integrated again.
    fn remove_all(&mut self, state: &State) {
        let [deploy, integrate, destroy] = [0, 3, 7].map(|kind| &self.allowed.by_kind[kind]);
        let is_alive = |id: ApplicationId| state.store.application_life(id) == Some(Life::Alive);
        let some_live = self.world.application_ids().any(is_alive);
        let kinds: &[&Vec<usize>] =
            if some_live && !destroy.is_empty() { &[destroy] } else { &[deploy, integrate] };
        for commands in kinds {
            let from = self.next.len();
            self.next.extend(commands.iter().map(|place| (*place, 0)));
            let new = self.next.make_contiguous();
            shuffle(&mut new[from..], &mut self.dice);
        }
        self.or_any(state);
    }

    /// The next units are destroyed, and their applications get others.
    fn replace_next(&mut self, state: &State) {
        let commands = &self.allowed.by_kind[5];
        let mut left = 1 + commands.len() / PART;
        for _ in 0..commands.len() {
            self.cursor += 1;
            let command = self.world.commands[commands[self.cursor % commands.len()]].command;
            if let (Command::DestroyUnit(unit), true) = (command, is_likely(command, state)) {
                self.ask(command);
                self.ask(Command::AddUnit(self.world.unit(unit).application));
                left -= 1;
            }
            if left == 0 {
                break;
            }
        }
        self.or_any(state);
    }

    /// The units of the next machines are destroyed, then the machines, and then they are added
    /// anew.
    fn evacuate_next(&mut self, state: &State) {
        let commands = &self.allowed.by_kind[4];
        let mut left = 1 + commands.len() / PART;
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
                self.ask(Command::DestroyUnit(unit));
                self.ask(Command::AddUnit(self.world.unit(unit).application));
            }
            self.ask(command);
            self.ask(Command::AddMachine(id));
            left -= 1;
            if left == 0 {
                break;
            }
        }
        self.or_any(state);
    }

    /// Asks for `command`, if the scenario allows it.
    fn ask(&mut self, command: Command) {
        if let Some(place) = self.allowed.places.get(&command) {
            self.next.push_back((*place, 0));
        }
    }

    /// Anything else, if nothing was planned.
    fn or_any(&mut self, state: &State) {
        if self.next.is_empty() {
            self.any(state);
        }
    }
}

/// Whether the command may be possible, at first sight.
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

/// How much each kind of command weighs in a workload, in the order of [`COMMANDS`].
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
