//! Links: the addresses to which the page of a state leads.

use form_urlencoded::Serializer;

use super::{
    address::{RunAddress, Taken},
    position::Position,
};
use crate::page::Links;

/// The addresses that a page leads to.
pub(super) struct Here<'a> {
    /// The number of steps of the script.
    pub(super) script: usize,
    pub(super) address: &'a RunAddress,
    pub(super) position: &'a Position,
}

impl Here<'_> {
    /// The address after one more action.
    fn on(&self, taken: Taken) -> String {
        let mut address = onward(self.script, self.address, self.position, [taken]);
        address.claim.clone_from(&self.address.claim);
        format!("/{}", address.query())
    }
}

impl Here<'_> {
    /// The address of the end of the script, in the same world.
    fn start(&self) -> RunAddress {
        let RunAddress { set, file, also, has_board, .. } = self.address.clone();
        RunAddress { set, file, also, has_board, ..RunAddress::default() }
    }

    /// The same in the world of another scenario of the file, if one is named.
    fn start_of(&self, beside: Option<&str>) -> RunAddress {
        match beside {
            None => self.start(),
            Some(name) => {
                RunAddress { also: Some(name.to_owned()), set: Vec::new(), ..self.start() }
            }
        }
    }
}

/// The path of the page that an explorer begins with where these variants are set.
pub fn first_path<'a>(set: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let settings: Vec<String> = set.map(|(name, value)| format!("{name}:{value}")).collect();
    let page = if settings.is_empty() { "/" } else { "/what-if" };
    page.to_owned() + &with(String::new(), &settings)
}

/// A query with settings that are to be made.
fn with(query: String, settings: &[String]) -> String {
    let begun = if query.is_empty() { "?".to_owned() } else { query + "&" };
    let end = begun.len();
    let mut query = Serializer::for_suffix(begun, end);
    query.extend_pairs(settings.iter().map(|setting| ("with", setting.as_str())));
    query.finish().trim_end_matches(['&', '?']).to_owned()
}

impl Links for Here<'_> {
    fn at(&self, state: usize) -> String {
        let address = RunAddress { at: Some(state), ..self.address.clone() };
        format!("/{}", address.query())
    }

    fn take(&self, action: usize) -> String {
        self.on(Taken::Place(action))
    }

    fn say(&self, line: &str) -> String {
        self.on(Taken::Line(line.to_owned()))
    }

    fn step(&self) -> &str {
        self.address.step.as_deref().unwrap_or_default()
    }

    fn to(&self, page: &str) -> String {
        format!("{page}{}", self.address.query())
    }

    fn counterexample(&self, claim: &str) -> String {
        let mut address = onward(self.script, self.address, self.position, []);
        address.claim = Some(claim.to_owned());
        format!("/counterexample{}", address.query())
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut address = self.address.clone();
        address.condition = None;
        address.claim = None;
        address.fields()
    }

    fn open(&self, entity: &str) -> String {
        format!("/{}#world", self.address.opened(entity).query())
    }

    fn close(&self, entity: &str) -> String {
        format!("/{}#world", self.address.closed(entity).query())
    }

    fn list(&self, list: Option<&str>, from: usize) -> String {
        format!("/{}", self.address.listed(list, from).query())
    }

    fn opened(&self) -> &[String] {
        &self.address.open
    }

    fn listed(&self) -> Option<(&str, usize)> {
        self.address.list.as_deref().map(|list| (list, self.address.from))
    }

    fn what_if(&self, settings: &[String]) -> String {
        format!("/what-if{}", with(self.address.query(), settings))
    }

    fn board(&self, is_open: bool) -> String {
        let address = RunAddress { has_board: is_open, ..self.address.clone() };
        format!("/{}", address.query())
    }

    fn beside(&self, name: &str) -> String {
        format!("/{}", self.start_of(Some(name)).query())
    }

    fn verdict(&self, claim: &str, (beside, settings): (Option<&str>, &[String])) -> String {
        let address = RunAddress { claim: Some(claim.to_owned()), ..self.start_of(beside) };
        format!("/counterexample{}", with(address.query(), settings))
    }

    fn every_number(&self, (beside, settings): (Option<&str>, &[String])) -> String {
        format!("/every-number{}", with(self.start_of(beside).query(), settings))
    }

    fn set(&self) -> &[String] {
        &self.address.set
    }

    fn condition(&self) -> &str {
        self.address.condition.as_deref().unwrap_or_default()
    }
}

/// The address of the run up to the present state, to which `more` is added. The whole script has
/// `all` steps.
pub(super) fn onward(
    all: usize,
    address: &RunAddress,
    position: &Position,
    more: impl IntoIterator<Item = Taken>,
) -> RunAddress {
    let script = position.script.min(position.at);
    let kept = position.at - script;
    let mut path: Vec<Taken> = address.path[..kept].to_vec();
    path.extend(more);
    RunAddress {
        script: (script < all).then_some(script),
        path,
        at: None,
        cycle_len: 0,
        claim: None,
        condition: address.condition.clone(),
        open: address.open.clone(),
        list: address.list.clone(),
        from: address.from,
        set: address.set.clone(),
        file: address.file.clone(),
        also: address.also.clone(),
        has_board: address.has_board,
        ..RunAddress::default()
    }
}
