//! An application's documents.

use super::{
    count::Count,
    declare::row,
    document::document,
    field::{FieldText, hidden, shown},
    slot::{below, flag},
};
use crate::{
    ids::{ApplicationId, Constraints},
    life::Life,
};

row! {
    /// The documents of one application.
    ApplicationDocs of ApplicationId [Default] {
        /// The application, while it exists.
        application: Option<Application> = "application", Application::bound, FieldText::NEVER;
        /// Its settings document.
        settings: bool = "settings", |_, _| flag(true),
            FieldText::at(40)
                .present([shown("no settings"), hidden("its settings are there")])
                .absent([hidden("no settings"), shown("its settings are left")]);
        /// The cleanup document that asks to destroy its units.
        units_cleanup: bool = "units-cleanup", |of, _| of.units_cleanup(),
            FieldText::at(50).both([hidden("no cleanup"), shown("its units are to be destroyed")])
                .cleanup("units of");
    }
}

document! {
    /// An application document.
    Application of ApplicationId [Copy] {
        /// Its life; never Dead, as it is removed in the same transaction.
        life: Life = "life", |_, _| below(3), super::LIFE;
        /// The number of units that it counts. A wrong count may be one more than is possible.
        units: Count = "units", |of, id| below(2 + of.world.application(id).units.len()),
            FieldText::at(20).present([shown("{} unit"), shown("{} units")]).absent([hidden("no units")]);
        /// The number of relations that it counts. A wrong count may be one more than is possible.
        relations: u32 = "relations", |of, id| below(2 + of.world.application(id).relations.len()),
            FieldText::at(30)
                .present([shown("{} relation"), shown("{} relations")])
                .absent([hidden("no relations")]);
        /// Whether its units' open ports can be reached.
        exposed: bool = "exposed", |of, _| flag(of.world.detail.charm),
            FieldText::at(35)
                .present([hidden("not exposed"), shown("exposed")])
                .absent([hidden("not exposed")]);
        /// Its constraints, which units that are added to it capture.
        constraints: Constraints = "constraints", |of, _| of.listed_constraints(),
            FieldText::at(38).both([hidden("no constraints"), shown("constraints {}")]);
    }
}

impl Application {
    /// An application as it is created.
    pub fn created() -> Self {
        Self {
            life: Life::Alive,
            units: Count::default(),
            relations: 0,
            exposed: false,
            constraints: Constraints::NONE,
        }
    }
}
