//! Links: where a page of the explorer leads.

/// A world of the board: another scenario of the file, if one is named, or this one with settings.
pub(crate) type BoardAddress<'a> = (Option<&'a str>, &'a [String]);

/// The addresses that a page leads to.
pub trait Links {
    /// The address of the state with this number.
    fn at(&self, state: usize) -> String;

    /// The address of the state to which the action with this place leads.
    fn take(&self, action: usize) -> String;

    /// The address of the state to which a typed line leads. The protocol does not list such an
    /// action, as it is a client's.
    fn say(&self, line: &str) -> String;

    /// The step that was typed and is not possible.
    fn step(&self) -> &str;

    /// The address of another page about the same state.
    fn to(&self, page: &str) -> String;

    /// The address of a run that violates a claim.
    fn counterexample(&self, claim: &str) -> String;

    /// The hidden fields of a form, besides the one that is filled in.
    fn fields(&self) -> Vec<(&'static str, String)>;

    /// The address of the same run in the world of the file with these settings.
    fn what_if(&self, settings: &[String]) -> String;

    /// The address of this state with the board of verdicts unfolded or not.
    fn board(&self, is_open: bool) -> String;

    /// The address of another scenario of the file.
    fn beside(&self, name: &str) -> String;

    /// The address of a run that decides a claim in a world of the board.
    fn verdict(&self, claim: &str, world: BoardAddress<'_>) -> String;

    /// The address of the answers of such a world for every number of units.
    fn every_number(&self, world: BoardAddress<'_>) -> String;

    /// The settings of the world that differ from the file.
    fn set(&self) -> &[String];

    fn condition(&self) -> &str;

    /// The address of this state with an entity unfolded, which is named as in "unit wordpress/0".
    fn open(&self, entity: &str) -> String;

    /// The address of this state with an entity folded.
    fn close(&self, entity: &str) -> String;

    /// The address of this state with a list unfolded from an entry on, or with none.
    fn list(&self, list: Option<&str>, from: usize) -> String;

    fn opened(&self) -> &[String];

    /// The list that is unfolded, and the place of the first entry that is shown.
    fn listed(&self) -> Option<(&str, usize)>;
}

/// The number of links of about this size in bytes that a page has room for; it needs `needed`. An
/// address holds the whole run, so a page after many steps leads to fewer places at once.
pub(super) fn room(links: &dyn Links, needed: usize) -> usize {
    const ROOM: usize = 250_000;
    const LEAST: usize = 12;
    needed.min((ROOM / (links.at(0).len() + 400)).max(LEAST))
}
