//! The smallest world with one entity of each kind.

use super::{
    ApplicationDef, CharmDef, Details, MachineDef, RelationDef, Scope, UnitDef, World, WorldBuilder,
};
use crate::ids::{ApplicationId, Id, RelationId};

impl World {
    /// A world with these details and one entity of each kind, without history. Any text that names
    /// no entity has the same meaning in it as in all other worlds with these details.
    pub fn smallest(detail: Details) -> Self {
        let (application, relation) = (ApplicationId::new(0), RelationId::new(0));
        WorldBuilder {
            machines: vec![MachineDef {
                name: "0".to_owned(),
                parent: None,
                manages_model: true,
                hosts_units: true,
                never_starts: false,
            }],
            applications: vec![ApplicationDef {
                name: "application".to_owned(),
                subordinate: false,
                charm: CharmDef::default(),
                relations: vec![relation],
                units: 0..1,
            }],
            units: vec![UnitDef { name: "application/0".to_owned(), application }],
            relations: vec![RelationDef {
                name: "application:peers".to_owned(),
                ends: [application; 2],
                scope: Scope::Peer,
            }],
            detail,
            ..WorldBuilder::default()
        }
        .build()
    }
}
