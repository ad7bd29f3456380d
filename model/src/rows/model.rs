//! The model's document.

use super::{
    declare::row,
    field::{Told, said, unsaid},
};
use crate::world::Constraints;

row! {
    /// The document of the model, which is always there, in worlds that have the detail `constraints`.
    ModelDocs of () [Copy, Default] {
        /// Its constraints, which hold for what an application does not say.
        constraints: Constraints = "constraints", |of, ()| of.listed_constraints(),
            Told::at(10).both([unsaid("no constraints"), said("constraints {}")]);
    }
}
