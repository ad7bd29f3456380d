//! The texts of a claim: one condition, or two of which one leads to the other.

use deathwatch_language::{Error, Expression, ExpressionKind, Reads};
use deathwatch_model::{rows::RowKind, world::World};

use super::{OwnClaim, OwnFormula};

/// The texts of a claim, by its kind.
#[derive(Clone, Debug)]
pub enum ClaimTexts<T> {
    /// A condition that holds in every state.
    Always(T),
    /// A condition that holds of every transition that changes a row that it reads.
    Step(T),
    /// Two conditions: the first is followed by the second.
    Leads(T, T),
    /// A condition that holds in some state.
    Reachable(T),
}

impl<T: AsRef<str>> ClaimTexts<T> {
    /// The claim with these texts, about each row of a kind or about the whole state.
    ///
    /// # Errors
    /// The result of `wrong`, which gets the text and its mistake.
    pub fn claim<E>(
        &self,
        world: &World,
        each: Option<RowKind>,
        wrong: impl Fn(&T, &Error) -> E,
    ) -> Result<OwnClaim, E> {
        let read = |form, text: &T| read(world, form, text.as_ref()).map_err(|it| wrong(text, &it));
        let (state, step) = (ExpressionKind::State(each), ExpressionKind::Step(each));
        Ok(match self {
            Self::Always(text) => one(each, read(state, text)?, OwnFormula::Always),
            Self::Step(text) => {
                let said = read(step, text)?;
                let watches = said.triggers();
                OwnClaim { watches, ..one(each, said, OwnFormula::Step) }
            }
            Self::Reachable(text) => one(each, read(state, text)?, OwnFormula::Reachable),
            Self::Leads(from, to) => {
                let (from, to) = (read(state, from)?, read(state, to)?);
                let reads = from.reads().clone().and(to.reads());
                let (keeps, watches) = (from.keeps() | to.keeps(), reads.clone());
                let ends = to.is_opposite_of(&from);
                let says = OwnFormula::Leads(Box::new([from, to]));
                OwnClaim { each, reads, watches, keeps, says, ends }
            }
        })
    }
}

fn one(each: Option<RowKind>, said: Expression, says: fn(Expression) -> OwnFormula) -> OwnClaim {
    let (reads, watches, keeps) = (said.reads().clone(), said.reads().clone(), said.keeps());
    OwnClaim { each, reads, watches, keeps, says: says(said), ends: false }
}

/// Reads a condition. One on transitions must read a row, as it applies to changed rows.
fn read(world: &World, form: ExpressionKind, source: &str) -> Result<Expression, Error> {
    let expression = Expression::new(world, form, source)?;
    let says_nothing =
        matches!(form, ExpressionKind::Step(_)) && *expression.reads() == Reads::default();
    if says_nothing {
        return Err(Error::new(
            &(0..source.len()),
            "this reads nothing that a transition changes",
            "a field of a row was expected, before or after the transition",
        ));
    }
    Ok(expression)
}
