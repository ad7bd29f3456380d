//! Renamings that a world's commands allow.

use super::{Command, CommandArgument, World};
use crate::ids::{EntityId, Rename, Renaming};

impl World {
    /// The renaming that swaps each pair; `None` if the image of a command may not be given, or not
    /// as often as the command.
    ///
    /// # Panics
    /// If a pair is not one of units or of machines.
    pub fn renaming(&self, swaps: &[(EntityId, EntityId)]) -> Option<Renaming> {
        let (units, machines) = (self.units.len(), self.machines.len());
        let mut renaming = Renaming::identity(units, machines, self.commands.len());
        for pair in swaps {
            match *pair {
                (EntityId::Unit(one), EntityId::Unit(other)) => renaming.swap_units(one, other),
                (EntityId::Machine(one), EntityId::Machine(other)) => {
                    renaming.swap_machines(one, other);
                }
                pair => panic!("{pair:?} cannot take each other's place"),
            }
        }
        let commands = self.commands.iter().map(|allowed| {
            let becomes = allowed.command.renamed(&renaming);
            let index = self.commands.iter().position(|other| other.command == becomes)?;
            (self.commands[index].most == allowed.most).then_some(index)
        });
        let commands = commands.collect::<Option<_>>()?;
        renaming.set_commands(commands);
        Some(renaming)
    }
}

impl Rename for Command {
    fn renamed(&self, by: &Renaming) -> Self {
        let arguments = self.arguments().map(|argument| match argument {
            Some(CommandArgument::Entity(entity)) => {
                Some(CommandArgument::Entity(entity.renamed(by)))
            }
            other => other,
        });
        self.kind().with(arguments).expect("a command of the kind takes such arguments")
    }
}
