//! Parties: everything that has an entry of its own on the schedule.

use deathwatch_model::{
    action::{Actor, Agent},
    agents::Task,
    claims::EntityId,
    ids::{Id, MachineId, UnitId},
};

/// Somebody, or something, whose turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Party {
    /// An agent.
    Agent(Agent),
    /// The supervisor, about one agent.
    Restart(Agent),
    /// The operator, about one unit.
    Resolve(UnitId),
    /// The operator, about one machine.
    Terminate(MachineId),
    /// The operator, about the agents that neglect a duty.
    Upgrade,
    /// A task in a manager machine's agent.
    ManagerTask(ManagerTask),
    /// The user.
    User,
    /// A fault that strikes now and then.
    Strike(Strike),
    /// The end of the storm.
    Calm,
}

/// The tasks that run in the agent of a manager machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ManagerTask {
    /// The provisioner.
    Provisioner,
    /// The cleaner.
    Cleaner,
}

impl ManagerTask {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Provisioner, Self::Cleaner];

    /// As the protocol knows it.
    pub(super) fn actor(self) -> Actor {
        match self {
            Self::Provisioner => Actor::Provisioner,
            Self::Cleaner => Actor::Cleaner,
        }
    }
}

/// The faults that strike now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strike {
    /// An agent crashes.
    Crash,
    /// A machine fails, which is noticed.
    HardwareFailure,
    /// A machine fails, which nobody notices.
    UndetectedHardwareFailure,
    /// Machines next to each other fail at once.
    RackFailure,
    /// Provisioner and cleaner are gone for a while.
    ProvisionerOutage,
    /// Every transaction on one document aborts for a while.
    AbortStorm,
}

impl Party {
    /// Who looks at what, as the protocol knows them: of a task, at its transaction pending;
    /// `None` for what is not an actor.
    pub(super) fn task(self) -> Option<Task> {
        let task = |actor, of| Some(Task { actor, of });
        match self {
            Self::Agent(Agent::Unit(id)) => task(Actor::UnitAgent(id), None),
            Self::Agent(Agent::Machine(id)) => task(Actor::MachineAgent(id), None),
            Self::Restart(Agent::Unit(id)) => task(Actor::Supervisor, Some(EntityId::Unit(id))),
            Self::Restart(Agent::Machine(id)) => {
                task(Actor::Supervisor, Some(EntityId::Machine(id)))
            }
            Self::Resolve(id) => task(Actor::Operator, Some(EntityId::Unit(id))),
            Self::Terminate(id) => task(Actor::Operator, Some(EntityId::Machine(id))),
            Self::Upgrade => task(Actor::Operator, None),
            Self::ManagerTask(it) => task(it.actor(), None),
            Self::User => task(Actor::User, None),
            Self::Strike(_) | Self::Calm => None,
        }
    }
}

/// The agent of a unit or a machine; nothing else has one.
pub(super) fn agent_of(subject: EntityId) -> Option<Agent> {
    match subject {
        EntityId::Unit(id) => Some(Agent::Unit(id)),
        EntityId::Machine(id) => Some(Agent::Machine(id)),
        EntityId::Application(_) | EntityId::Relation(_) => None,
    }
}

/// The bit of an agent that is on its way back from a crash.
const AWAY: u8 = 8;

/// Who is on the schedule: a bit for each party that wakes when something is touched.
#[derive(Debug)]
pub(super) struct Awake {
    units: Vec<u8>,
    machines: Vec<u8>,
    others: u8,
}

impl Awake {
    /// Nobody of a world with so many machines and units.
    pub(super) fn nobody(machines: usize, units: usize) -> Self {
        Self { units: vec![0; units], machines: vec![0; machines], others: 0 }
    }

    /// Notes that `party` is on the schedule; says whether it was not.
    pub(super) fn rouse(&mut self, party: Party) -> bool {
        let (bits, bit) = self.place(party);
        let was = *bits & bit != 0;
        *bits |= bit;
        !was
    }

    /// Notes that the turn of `party` has come.
    pub(super) fn rest(&mut self, party: Party) {
        let (bits, bit) = self.place(party);
        *bits &= !bit;
    }

    /// Whether `party` is on the schedule.
    pub(super) fn is_awake(&mut self, party: Party) -> bool {
        let (bits, bit) = self.place(party);
        *bits & bit != 0
    }

    /// Whether `agent` is on its way back from a crash.
    pub(super) fn is_away(&self, agent: Agent) -> bool {
        let bits = match agent {
            Agent::Unit(id) => self.units[id.index()],
            Agent::Machine(id) => self.machines[id.index()],
        };
        bits & AWAY != 0
    }

    /// Notes whether `agent` is on its way back from a crash.
    pub(super) fn set_away(&mut self, agent: Agent, is_away: bool) {
        let bits = match agent {
            Agent::Unit(id) => &mut self.units[id.index()],
            Agent::Machine(id) => &mut self.machines[id.index()],
        };
        *bits = if is_away { *bits | AWAY } else { *bits & !AWAY };
    }

    fn place(&mut self, party: Party) -> (&mut u8, u8) {
        match party {
            Party::Agent(Agent::Unit(id)) => (&mut self.units[id.index()], 1),
            Party::Restart(Agent::Unit(id)) => (&mut self.units[id.index()], 2),
            Party::Resolve(id) => (&mut self.units[id.index()], 4),
            Party::Agent(Agent::Machine(id)) => (&mut self.machines[id.index()], 1),
            Party::Restart(Agent::Machine(id)) => (&mut self.machines[id.index()], 2),
            Party::Terminate(id) => (&mut self.machines[id.index()], 4),
            Party::ManagerTask(ManagerTask::Provisioner) => (&mut self.others, 1),
            Party::ManagerTask(ManagerTask::Cleaner) => (&mut self.others, 2),
            Party::Upgrade => (&mut self.others, 4),
            // These come by the clock and are never roused.
            Party::User | Party::Calm | Party::Strike(_) => (&mut self.others, 8),
        }
    }
}
