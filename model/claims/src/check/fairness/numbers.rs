//! Blocks of numbers that cannot overlap.
//!
//! Each block begins where the last one ends, and returns no number outside of itself. That is
//! checked in release, too: two classes with one number would give a wrong answer.

use deathwatch_model::{
    action::Hook,
    actor::{Agent, Client},
    ids::Id,
    operation::Operation,
    table::{Argument, Parameter, RowEnum, RowText},
    world::World,
};

#[derive(Clone, Copy, Debug)]
pub(super) struct NumberBlock {
    first: usize,
    count: usize,
}

impl NumberBlock {
    /// The block of `count` numbers from `end` on; moves `end` behind it.
    pub(super) fn behind(end: &mut usize, count: usize) -> Self {
        let first = *end;
        *end = end.saturating_add(count);
        Self { first, count }
    }

    /// The number with this index in the block.
    pub(super) fn number(self, index: usize) -> usize {
        assert!(index < self.count, "a fairness class is numbered within its block");
        self.first + index
    }
}

/// The number of entities of each kind that a duty can be about.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    machines: usize,
    applications: usize,
    units: usize,
    relations: usize,
    constraints: usize,
    users: usize,
}

impl Sizes {
    fn count(self, parameter: Parameter) -> usize {
        match parameter {
            Parameter::Machine => self.machines,
            Parameter::Application => self.applications,
            Parameter::Unit => self.units,
            Parameter::Relation => self.relations,
            Parameter::Constraints => self.constraints,
            Parameter::Agent => self.units + self.machines,
            Parameter::User => self.users,
            Parameter::Client => {
                self.units + self.machines + self.users + 2 + usize::from(Client::SCRIPTED)
            }
        }
    }

    /// The index of an argument among all of its kind, and their number.
    fn index(self, argument: Argument) -> (usize, usize) {
        let (parameter, index) = match argument {
            Argument::Machine(id) => (Parameter::Machine, id.index()),
            Argument::Application(id) => (Parameter::Application, id.index()),
            Argument::Unit(id) => (Parameter::Unit, id.index()),
            Argument::Relation(id) => (Parameter::Relation, id.index()),
            Argument::Constraints(set) => (Parameter::Constraints, set.number()),
            Argument::Agent(agent) => (Parameter::Agent, self.agent(agent)),
            Argument::User(id) => (Parameter::User, id.index()),
            Argument::Client(client) => (Parameter::Client, self.client(client)),
        };
        let count = self.count(parameter);
        assert!(index < count, "a duty is about something of its world");
        (index, count)
    }

    fn agent(self, agent: Agent) -> usize {
        match agent {
            Agent::Unit(id) => id.index(),
            Agent::Machine(id) => self.units + id.index(),
        }
    }

    fn client(self, client: Client) -> usize {
        let agents = self.units + self.machines;
        let others = agents + self.users;
        match client {
            Client::Unit(id) => self.agent(Agent::Unit(id)),
            Client::Machine(id) => self.agent(Agent::Machine(id)),
            Client::User(id) => agents + id.index(),
            Client::Provisioner => others,
            Client::Cleaner => others + 1,
            Client::Script(number) => others + 2 + usize::from(number),
        }
    }
}

/// A duty of an agent towards an entity: a transaction from its plan to its end, a hook, or an act
/// of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Duty<A> {
    Txn(Operation),
    /// A hook, from its beginning to its end.
    Hook(Hook),
    Own(A),
}

/// The duties of an agent, by number: a block for each row of operations, of hooks and of its own
/// acts, with a number for each combination of arguments.
#[derive(Clone, Debug)]
pub(super) struct DutyNumbers {
    operations: Vec<NumberBlock>,
    hooks: Vec<NumberBlock>,
    own: Vec<NumberBlock>,
    count: usize,
    sizes: Sizes,
}

impl DutyNumbers {
    /// The duties of an agent with these hooks and these acts of its own.
    pub(super) fn new(world: &World, hooks: &[RowText], own: &[RowText]) -> Self {
        let sizes = Sizes {
            machines: world.machines.len(),
            applications: world.applications.len(),
            units: world.units.len(),
            relations: world.relations.len(),
            constraints: world.constraints.listed().count(),
            users: world.user_ids().count(),
        };
        let mut count = 0;
        let mut block = |row: &RowText| {
            let counts = row.parameters.iter().map(|parameter| sizes.count(*parameter));
            NumberBlock::behind(&mut count, counts.fold(1, usize::saturating_mul))
        };
        let operations = Operation::ROWS.iter().map(&mut block).collect();
        let hooks = hooks.iter().map(&mut block).collect();
        let own = own.iter().map(&mut block).collect();
        Self { operations, hooks, own, count, sizes }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn number<A: RowEnum>(&self, duty: Duty<A>) -> usize {
        let (block, arguments) = match duty {
            Duty::Txn(operation) => (self.operations[operation.index()], operation.arguments()),
            Duty::Hook(hook) => (self.hooks[hook.index()], hook.arguments()),
            Duty::Own(act) => (self.own[act.index()], act.arguments()),
        };
        block.number(arguments.into_iter().flatten().fold(0, |index, argument| {
            let (next, count) = self.sizes.index(argument);
            index * count + next
        }))
    }
}
