//! A scenario's own claims in the worlds of instances.

use deathwatch_model::{
    ids::{EntityId, Id as _, MachineId, Renaming, UnitId},
    world::World,
};

use super::family::Instance;
use crate::claims::Claim;

/// The claim of a world in the world of an instance. It may name entities that are there once in
/// each instance, as they have the same names everywhere.
///
/// # Errors
/// If it names an entity of a process, or one that no instance has. The text names that.
pub(super) fn in_instance(
    claim: &'static Claim,
    world: &World,
    instance: &Instance,
) -> Result<&'static Claim, String> {
    for entity in claim.named() {
        let (name, there) = match entity {
            EntityId::Unit(id) => {
                let name = &world.unit(id).name;
                (name.clone(), instance.world.unit_named(name).map(EntityId::Unit))
            }
            EntityId::Machine(id) => {
                let name = &world.machine(id).name;
                (
                    format!("machine {name}"),
                    instance.world.machine_named(name).map(EntityId::Machine),
                )
            }
            EntityId::Application(_) | EntityId::Relation(_) => continue,
        };
        match there {
            None => return Err(format!("it names {name}, which does not exist at the start")),
            Some(it) if instance.owner_of(it).is_some() => {
                return Err(format!("it names {name}, of which there may be any number"));
            }
            Some(_) => {}
        }
    }
    let unit = |id| instance.world.unit_named(&world.unit(id).name).unwrap_or(UnitId::new(0));
    let machine =
        |id| instance.world.machine_named(&world.machine(id).name).unwrap_or(MachineId::new(0));
    let units = world.unit_ids().map(unit).collect();
    let machines = world.machine_ids().map(machine).collect();
    Ok(claim.renamed(&Renaming::into_other(units, machines, Vec::new())))
}
