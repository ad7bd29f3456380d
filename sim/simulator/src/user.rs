//! The user: which command is given next.
//!
//! A workload is a way of choosing commands among those that the world allows. A command that is
//! not possible yet is tried again later, a few times.

use std::collections::{BTreeMap, VecDeque};

use deathwatch_model::{
    ids::{ApplicationId, UnitId},
    life::Life,
    state::State,
    world::{Command, CommandArgument, CommandKind, Finds, World},
};

use crate::{
    dice::Dice,
    settings::{PerCommand, SimulationSettings, Workload},
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

/// The commands that a world allows, by kind.
#[derive(Debug)]
pub struct AllowedCommands {
    by_kind: PerCommand<Vec<usize>>,
    /// The index of each in the world.
    indices: BTreeMap<Command, usize>,
}

impl AllowedCommands {
    /// The commands that `world` allows.
    pub fn of(world: &World) -> Self {
        let mut by_kind = PerCommand::<Vec<usize>>::default();
        for (index, allowed) in world.commands.iter().enumerate() {
            by_kind[allowed.command.kind()].push(index);
        }
        let indices = world.commands.iter().enumerate();
        Self { by_kind, indices: indices.map(|(index, it)| (it.command, index)).collect() }
    }
}

#[derive(Debug)]
pub(crate) struct User<'a> {
    world: &'a World,
    allowed: &'a AllowedCommands,
    workload: Workload,
    weights: PerCommand<u32>,
    /// The planned commands, as indices into the world's, and how often each was tried.
    next: VecDeque<(usize, u8)>,
    /// The position of a workload that goes through the commands one by one.
    cursor: usize,
    dice: Dice,
}

impl<'a> User<'a> {
    /// A user who has not given any command.
    pub(crate) fn new(
        world: &'a World,
        allowed: &'a AllowedCommands,
        drawn: &SimulationSettings,
        dice: Dice,
    ) -> Self {
        let weights = PerCommand::of(|kind| match allowed.by_kind[kind].as_slice() {
            [] => 0,
            [_, ..] => weight(drawn.workload, kind) * drawn.rates[kind],
        });
        let (workload, next) = (drawn.workload, VecDeque::new());
        let mut user = Self { world, allowed, workload, weights, next, cursor: 0, dice };
        user.cursor = user.dice.below(1 << 16) as usize;
        user
    }

    /// The pause before the next command, in milliseconds.
    pub(crate) fn pause(&mut self, drawn: &SimulationSettings) -> u64 {
        // The commands of a plan are given in one go.
        let is_burst = self.next.front().is_some_and(|(_, tries)| *tries == 0);
        if is_burst { 1 } else { self.dice.within(&drawn.pause) }
    }

    /// The next command, as an index into the world's, and how often it was tried; `None` if there
    /// is none.
    pub(crate) fn command(&mut self, state: &State) -> Option<(usize, u8)> {
        if self.next.is_empty() {
            self.plan(state);
        }
        self.next.pop_front()
    }

    /// The command was not possible, for the `tries`th time.
    pub(crate) fn put_off(&mut self, index: usize, tries: u8) {
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
        let Some(mut kind) = self.kind() else { return };
        let is_any = self.workload == Workload::Any;
        let mut index = self.one_of(kind);
        for _ in 0..DRAWS {
            if is_likely(self.world.commands[index].command, state) {
                break;
            }
            if !is_any {
                // A workload is to make something happen, if need be by another kind of command.
                kind = self.kind().unwrap_or(kind);
            }
            index = self.one_of(kind);
        }
        self.next.push_back((index, ONCE));
    }

    /// A kind of command, drawn by its weight.
    fn kind(&mut self) -> Option<CommandKind> {
        self.dice.weighted(self.weights.as_slice()).map(|index| CommandKind::ALL[index])
    }

    fn one_of(&mut self, kind: CommandKind) -> usize {
        let commands = &self.allowed.by_kind[kind];
        commands[self.dice.index(commands.len())]
    }

    /// Plans to destroy every application; the next time, to deploy and integrate all again.
    fn remove_all(&mut self, state: &State) {
        let by_kind = &self.allowed.by_kind;
        let (deploy, integrate) = (&by_kind[CommandKind::Deploy], &by_kind[CommandKind::Integrate]);
        let destroy = &by_kind[CommandKind::DestroyApplication];
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
        self.next_share(CommandKind::DestroyUnit, state, |user, command| {
            let Command::DestroyUnit(unit) = command else { return false };
            let is_planned = is_likely(command, state);
            if is_planned {
                user.add(command);
                user.add(Command::AddUnit(user.world.unit(unit).application));
            }
            is_planned
        });
    }

    /// Plans to destroy the units of the next machines, then the machines, and to add them anew.
    fn evacuate_next(&mut self, state: &State) {
        self.next_share(CommandKind::DestroyMachine, state, |user, command| {
            let Command::DestroyMachine(id) = command else { return false };
            let Some(machine) = state.store.machine(id) else { return false };
            if machine.life != Life::Alive || user.world.machine(id).manages_model {
                return false;
            }
            let units: Vec<UnitId> = machine.principals.iter().collect();
            for unit in units {
                user.add(Command::DestroyUnit(unit));
                user.add(Command::AddUnit(user.world.unit(unit).application));
            }
            user.add(command);
            user.add(Command::AddMachine(id));
            true
        });
    }

    /// Goes on through the commands of a kind, and from the last to the first, until `plan` has
    /// planned something for a share of them.
    fn next_share(
        &mut self,
        kind: CommandKind,
        state: &State,
        plan: impl Fn(&mut Self, Command) -> bool,
    ) {
        let all = self.allowed.by_kind[kind].len();
        let mut left = 1 + all / SHARE;
        for _ in 0..all {
            self.cursor += 1;
            let index = self.allowed.by_kind[kind][self.cursor % all];
            left -= usize::from(plan(self, self.world.commands[index].command));
            if left == 0 {
                break;
            }
        }
        self.or_any(state);
    }

    /// Plans `command`, if the world allows it.
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
    let mut given = command.arguments().into_iter().flatten();
    let Some(entity) = given.find_map(CommandArgument::entity) else { return true };
    let life = entity.life(state);
    match command.kind().row().finds {
        Finds::Absent => life.is_none(),
        Finds::Alive => life == Some(Life::Alive),
        Finds::Present => life.is_some(),
    }
}

fn weight(workload: Workload, kind: CommandKind) -> u32 {
    use CommandKind::{
        AddMachine, AddUnit, Deploy, DestroyApplication, DestroyMachine, DestroyRelation,
        DestroyUnit, ForceDestroyUnit, Integrate,
    };
    // A kind that is not listed weighs one.
    let heavier: &[(CommandKind, u32)] = match workload {
        Workload::Any
        | Workload::MassRemoval
        | Workload::RollingReplacement
        | Workload::MachineEvacuation => &[],
        Workload::SteadyChurn => &[
            (Deploy, 4),
            (AddUnit, 40),
            (AddMachine, 4),
            (Integrate, 8),
            (DestroyMachine, 2),
            (DestroyUnit, 40),
            (DestroyRelation, 4),
            (DestroyApplication, 2),
        ],
        Workload::RelationChurn => {
            &[(Deploy, 2), (AddUnit, 6), (Integrate, 40), (DestroyUnit, 6), (DestroyRelation, 40)]
        }
        Workload::SubordinatesEverywhere => &[
            (Deploy, 6),
            (AddUnit, 20),
            (AddMachine, 2),
            (Integrate, 30),
            (DestroyUnit, 20),
            (DestroyRelation, 20),
            (DestroyApplication, 4),
            (ForceDestroyUnit, 2),
        ],
    };
    heavier.iter().find(|(heavier, _)| *heavier == kind).map_or(1, |(_, weight)| *weight)
}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.index(last + 1));
    }
}
