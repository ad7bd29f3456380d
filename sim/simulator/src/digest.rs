//! The digest of a run: one number for everything that was offered and chosen.
//!
//! An action is mixed as it is written, by its verb and by the indices of whom it is about. So the
//! digest of a seed stays what it is while acts are added, or kept in another way.

use deathwatch_model::{
    action::{Action, BEGIN},
    actor::{Actor, Agent},
    ids::{Id, UserId},
    table::Argument,
};

/// Mixes numbers into one. The same on every machine, and in every version of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Notes a step: its time, how many actions were offered, and which was chosen.
    pub(crate) fn note(&mut self, time: u64, offered: usize, action: &Action) {
        self.mix(time);
        self.mix(offered as u64);
        self.actor(action.actor());
        self.mix(match action.act.first_part() {
            None => 0,
            Some(BEGIN) => 1,
            Some(_) => 2,
        });
        let (verb, arguments) = action.act.verb();
        self.text(verb);
        arguments.into_iter().flatten().for_each(|argument| self.argument(argument));
        if let Some(clause) = action.duty {
            self.text(clause.rule.name());
            self.mix(clause.number.into());
        }
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    fn actor(&mut self, actor: Actor) {
        let (kind, number) = match actor {
            Actor::User(id) => (0, id.index()),
            Actor::Client(number) => (1, number.into()),
            Actor::UnitAgent(id) => (2, id.index()),
            Actor::MachineAgent(id) => (3, id.index()),
            Actor::Provisioner => (4, 0),
            Actor::Cleaner => (5, 0),
            Actor::Faults => (6, 0),
            Actor::Operator => (7, 0),
            Actor::Supervisor => (8, 0),
        };
        self.mix(kind);
        self.mix(number as u64);
    }

    fn argument(&mut self, argument: Argument) {
        match argument {
            Argument::Unit(id) => self.mix(id.index() as u64),
            Argument::Machine(id) => self.mix(id.index() as u64),
            Argument::Application(id) => self.mix(id.index() as u64),
            Argument::Relation(id) => self.mix(id.index() as u64),
            Argument::Constraints(set) => self.mix(set.number() as u64),
            Argument::Agent(Agent::Unit(id)) => self.actor(Actor::UnitAgent(id)),
            Argument::Agent(Agent::Machine(id)) => self.actor(Actor::MachineAgent(id)),
            // The first user is not written.
            Argument::User(UserId::FIRST) => {}
            Argument::User(id) => self.actor(Actor::User(id)),
            Argument::Client(client) => self.actor(client.actor()),
        }
    }

    /// Mixes each byte in. Most of a note is text, so four are mixed in at a time.
    fn text(&mut self, text: &str) {
        let (fours, rest) = text.as_bytes().as_chunks::<4>();
        for &[one, two, three, four] in fours {
            self.mix(one.into());
            self.mix(two.into());
            self.mix(three.into());
            self.mix(four.into());
        }
        for byte in rest {
            self.mix((*byte).into());
        }
    }

    fn mix(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
