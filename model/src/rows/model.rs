//! The model's document.

use super::{
    declare::row,
    field::{FieldText, hidden, shown},
};
use crate::ids::Constraints;

row! {
    /// The document of the model, which is always there, in worlds that have the detail
    /// `constraints`.
    ModelDocs of () [Copy, Default] {
        /// Its constraints, which hold for what an application does not say.
        constraints: Constraints = "constraints", |of, ()| of.listed_constraints(),
            FieldText::at(10).both([hidden("no constraints"), shown("constraints {}")]);
    }
}
