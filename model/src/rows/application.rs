//! An application's documents.

use super::{
    declare::row,
    document::document,
    field::{Told, said, unsaid},
    value::{below, flag},
};
use crate::{ids::ApplicationId, life::Life, world::Constraints};

row! {
    /// The documents of one application.
    ApplicationDocs of ApplicationId [Default] {
        /// The application, while it exists.
        application: Option<Application> = "application", Application::bound, Told::NEVER;
        /// Its settings document.
        settings: bool = "settings", |_, _| flag(true),
            Told::at(40)
                .present([said("no settings"), unsaid("its settings are there")])
                .absent([unsaid("no settings"), said("its settings are left")]);
        /// The cleanup document that asks to destroy its units.
        units_cleanup: bool = "units-cleanup", |of, _| of.units_cleanup(),
            Told::at(50).both([unsaid("no cleanup"), said("its units are to be destroyed")])
                .cleanup("units of");
    }
}

document! {
    /// An application document.
    Application of ApplicationId [Copy] {
        /// Its life; never Dead, as it is removed in the same transaction.
        life: Life = "life", |_, _| below(3), super::LIFE;
        /// The number of units that it counts. A wrong count may be one more than is possible.
        units: u32 = "units", |of, id| below(2 + of.world.application(id).units.len()),
            Told::at(20).present([said("{} unit"), said("{} units")]).absent([unsaid("no units")]);
        /// The number of relations that it counts. A wrong count may be one more than is possible.
        relations: u32 = "relations", |of, id| below(2 + of.world.application(id).relations.len()),
            Told::at(30)
                .present([said("{} relation"), said("{} relations")])
                .absent([unsaid("no relations")]);
        /// Whether its units' open ports can be reached.
        exposed: bool = "exposed", |of, _| flag(of.world.detail.charm),
            Told::at(35)
                .present([unsaid("not exposed"), said("exposed")])
                .absent([unsaid("not exposed")]);
        /// Its constraints, which units that are added to it capture.
        constraints: Constraints = "constraints", |of, _| of.listed_constraints(),
            Told::at(38).both([unsaid("no constraints"), said("constraints {}")]);
    }
}

impl Application {
    /// An application as it is created.
    pub fn created() -> Self {
        Self {
            life: Life::Alive,
            units: 0,
            relations: 0,
            exposed: false,
            constraints: Constraints::NONE,
        }
    }
}
