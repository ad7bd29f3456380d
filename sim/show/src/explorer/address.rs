//! Addresses: a run, and a place in it, as the query of an address.
//!
//! `path=3.1.4` are the actions that follow the script: each is the place of an action among those
//! that are possible where it is taken, from 0, in the order in which the protocol lists them. So
//! an address means the same run as long as the scenario stays what it is. Where the path has the
//! word `line`, the action is the next `line=` of the address: one that is not listed, as a client
//! may try anything. `open=unit a/0`, which may be said again and again, are the entities that are
//! unfolded, and `list=unit&from=50` is the list that is. `set=relation-tracking:remote-scope`,
//! which may be said again and again, is what of the world is set otherwise; its runs have no
//! script. `file=` says of which text of the file the address is, if the file was read again
//! (`reload`). `also=NAME` is another scenario of the file: the one of the table `also` of this
//! name, or `#` for the first one. `board=on` unfolds the board of verdicts.

use form_urlencoded::{Serializer, parse};

use deathwatch_scenario::problem::Problem;

/// The greatest number of actions in a path.
pub const MOST_STEPS: usize = 1_500;
/// The greatest length of an expression, or of the name of a claim, in bytes.
const LONGEST: usize = 2_000;
/// The keys that may be said again and again.
const REPEATABLE: [&str; 4] = ["open", "line", "set", "with"];
/// The greatest number of settings, which are more than there are toggles.
const MOST_SET: usize = 200;
/// The mark in a path for the next `line` of the address.
const LINE: &str = "line";
/// The greatest number of entities that are unfolded.
const MOST_OPEN: usize = 24;

/// A run, and a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RunAddress {
    /// The number of steps of the script with which the run begins; all of them if it is `None`.
    pub(super) script: Option<usize>,
    pub(super) path: Vec<Taken>,
    /// The state that is looked at; the last one if it is `None`.
    pub(super) at: Option<usize>,
    /// The number of last steps that are repeated for ever; 0 if none are.
    pub(super) cycle_len: usize,
    /// The claim that the run is about.
    pub(super) claim: Option<String>,
    /// The condition to evaluate in the state.
    pub(super) condition: Option<String>,
    /// The entities that are unfolded, each once, as "unit wordpress/0".
    pub(super) open: Vec<String>,
    /// The list that is unfolded: of entities or of actions.
    pub(super) list: Option<String>,
    /// The place of the first entry of the list that is shown.
    pub(super) from: usize,
    /// The typed step. An address that leads on has none.
    pub(super) step: Option<String>,
    /// The settings of the world that differ from the file, in their order and each name once.
    pub(super) set: Vec<String>,
    /// Settings to be made instead. An address that leads on has none.
    pub(super) with: Vec<String>,
    /// The line of the step by which the run parts from the one that it was under other settings.
    pub(super) parts: Option<String>,
    /// The text of the file that the run is of; that which the explorer began with if it is `None`.
    pub(super) file: Option<String>,
    /// The scenario of the file that the run is of: the name of its table `also`, or [`FIRST`];
    /// that which the explorer began with if it is `None`.
    pub(super) also: Option<String>,
    /// Whether the board of verdicts is unfolded.
    pub(super) has_board: bool,
}

/// The name of a file's first scenario in an address.
pub(super) const FIRST: &str = "#";
/// The value that unfolds the board.
const ON: &str = "on";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The one with this place among those that are possible.
    Place(usize),
    /// An action that the protocol does not list, as a client or a user may try anything: a line of
    /// a script.
    Line(String),
}

impl RunAddress {
    /// The address with this query.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn read(query: &str) -> Result<Self, Problem> {
        let mut address = Self::default();
        let (mut seen, mut lines) = (Vec::new(), Vec::new());
        for (key, value) in parse(query.as_bytes()) {
            if !REPEATABLE.contains(&&*key) && seen.contains(&key) {
                return Err(Problem::new(format!("the address says `{key}` twice")));
            }
            match &*key {
                "script" => address.script = Some(number(&key, &value)?),
                "path" => address.path = path(&value)?,
                "at" => address.at = Some(number(&key, &value)?),
                "loop" => address.cycle_len = number(&key, &value)?,
                "claim" => address.claim = text(&key, &value)?,
                "where" => address.condition = text(&key, &value)?,
                "open" => address.unfold(text(&key, &value)?)?,
                "list" => address.list = text(&key, &value)?,
                "from" => address.from = number(&key, &value)?,
                "line" => lines.extend(text(&key, &value)?),
                "step" => address.step = text(&key, &value)?,
                "set" => setting(&mut address.set, text(&key, &value)?)?,
                "with" => setting(&mut address.with, text(&key, &value)?)?,
                "parts" => address.parts = text(&key, &value)?,
                "file" => address.file = text(&key, &value)?,
                "also" => address.also = text(&key, &value)?,
                "board" if value == ON => address.has_board = true,
                _ => return Err(Problem::new(format!("an address has no `{key}`"))),
            }
            seen.push(key);
        }
        address.fill_in(lines)?;
        Ok(address)
    }

    /// Puts these lines where the path has one each.
    fn fill_in(&mut self, lines: Vec<String>) -> Result<(), Problem> {
        let mut places: Vec<&mut String> = Vec::new();
        for taken in &mut self.path {
            match taken {
                Taken::Place(_) => {}
                Taken::Line(line) => places.push(line),
            }
        }
        if places.len() != lines.len() {
            let (count, given) = (places.len(), lines.len());
            let problem = format!("the path has {count} lines, and the address gives {given}");
            return Err(Problem::new(problem));
        }
        for (place, line) in places.into_iter().zip(lines) {
            *place = line;
        }
        Ok(())
    }

    fn unfold(&mut self, entity: Option<String>) -> Result<(), Problem> {
        self.open.extend(entity.filter(|it| !self.open.contains(it)));
        if self.open.len() > MOST_OPEN {
            return Err(Problem::new(format!("at most {MOST_OPEN} entities are unfolded at once")));
        }
        Ok(())
    }

    /// The address with this entity unfolded; where there would be too many, the first one folds.
    pub(super) fn opened(&self, entity: &str) -> Self {
        let mut address = self.closed(entity);
        if address.open.len() == MOST_OPEN {
            address.open.remove(0);
        }
        address.open.push(entity.to_owned());
        address
    }

    /// The address with this entity folded.
    pub(super) fn closed(&self, entity: &str) -> Self {
        let mut address = self.clone();
        address.open.retain(|it| it != entity);
        address
    }

    /// The address with this list unfolded, from this entry on.
    pub(super) fn listed(&self, list: Option<&str>, from: usize) -> Self {
        Self { list: list.map(str::to_owned), from, ..self.clone() }
    }

    /// Whether the address names no run, so that it is the first page of an explorer.
    pub(super) fn is_start(&self) -> bool {
        self.script.is_none() && self.path.is_empty() && self.at.is_none()
    }

    /// Its query, with the `?` before it.
    pub(super) fn query(&self) -> String {
        let mut query = Serializer::for_suffix("?".to_owned(), 1);
        let fields = self.fields();
        query.extend_pairs(fields.iter().map(|(key, value)| (*key, value.as_str())));
        match query.finish().as_str() {
            "?" => String::new(),
            query => query.to_owned(),
        }
    }

    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        if let Some(script) = self.script {
            fields.push(("script", script.to_string()));
        }
        if !self.path.is_empty() {
            let path: Vec<String> = self.path.iter().map(Taken::written).collect();
            fields.push(("path", path.join(".")));
            let line = |taken: &Taken| match taken {
                Taken::Place(_) => None,
                Taken::Line(line) => Some(("line", line.clone())),
            };
            fields.extend(self.path.iter().filter_map(line));
        }
        if let Some(at) = self.at {
            fields.push(("at", at.to_string()));
        }
        if self.cycle_len > 0 {
            fields.push(("loop", self.cycle_len.to_string()));
        }
        fields.extend(self.claim.clone().map(|claim| ("claim", claim)));
        fields.extend(self.condition.clone().map(|condition| ("where", condition)));
        fields.extend(self.open.iter().map(|entity| ("open", entity.clone())));
        fields.extend(self.list.clone().map(|list| ("list", list)));
        if self.from > 0 {
            fields.push(("from", self.from.to_string()));
        }
        fields.extend(self.set.iter().map(|setting| ("set", setting.clone())));
        fields.extend(self.parts.clone().map(|line| ("parts", line)));
        fields.extend(self.file.clone().map(|digest| ("file", digest)));
        fields.extend(self.also.clone().map(|name| ("also", name)));
        fields.extend(self.has_board.then(|| ("board", ON.to_owned())));
        fields
    }
}

/// Adds a setting, which takes the place of an earlier one of the same name.
fn setting(settings: &mut Vec<String>, added: Option<String>) -> Result<(), Problem> {
    let Some(added) = added else { return Ok(()) };
    let name = |setting: &str| setting.split(':').next().map(str::to_owned);
    settings.retain(|known| name(known) != name(&added));
    settings.push(added);
    if settings.len() > MOST_SET {
        return Err(Problem::new(format!("at most {MOST_SET} settings are said at once")));
    }
    Ok(())
}

fn number(key: &str, value: &str) -> Result<usize, Problem> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| is_number).ok_or_else(|| {
        Problem::new(format!("`{key}` of the address is no number: {}", shown(value)))
    })
}

impl Taken {
    /// The choice as a part of a path.
    fn written(&self) -> String {
        match self {
            Self::Place(place) => place.to_string(),
            Self::Line(_) => LINE.to_owned(),
        }
    }
}

fn path(value: &str) -> Result<Vec<Taken>, Problem> {
    if value.is_empty() {
        return Ok(Vec::new());
    }
    if value.split('.').count() > MOST_STEPS {
        return Err(Problem::new(format!("a path has at most {MOST_STEPS} actions")));
    }
    let step = |step| match step {
        LINE => Ok(Taken::Line(String::new())),
        place => number("path", place).map(Taken::Place),
    };
    value.split('.').map(step).collect()
}

/// A text; `None` if it is empty, as a form sends a field that was not filled in.
fn text(key: &str, value: &str) -> Result<Option<String>, Problem> {
    if value.len() > LONGEST {
        return Err(Problem::new(format!("`{key}` of the address is too long")));
    }
    let value = value.trim();
    Ok((!value.is_empty()).then(|| value.to_owned()))
}

fn shown(value: &str) -> String {
    value.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let address = RunAddress {
            script: Some(2),
            path: vec![
                Taken::Place(3),
                Taken::Line("client: begin remove-unit a/0".to_owned()),
                Taken::Place(4),
                Taken::Line("client: commit".to_owned()),
            ],
            at: Some(1),
            cycle_len: 2,
            claim: Some("a Dying relation is removed".to_owned()),
            condition: Some("units.all(u, u.life != \"dead\") && 1 < 2 ü".to_owned()),
            open: vec!["unit a/0".to_owned(), "relation a:x b:y".to_owned()],
            list: Some("unit".to_owned()),
            from: 50,
            step: None,
            set: vec!["relation-tracking:remote-scope".to_owned(), "crash:on".to_owned()],
            with: Vec::new(),
            parts: Some("client: commit".to_owned()),
            file: Some("0123456789ab".to_owned()),
            also: Some("fixed".to_owned()),
            has_board: true,
        };
        let query = address.query();
        assert!(query.starts_with("?script=2&path=3.line.4.line&line=client%3A+begin"), "{query}");
        assert_eq!(RunAddress::read(&query[1..]).expect("it is one"), address);
        assert_eq!(RunAddress::default().query(), "");
        assert_eq!(RunAddress::read("").expect("it is one"), RunAddress::default());
        assert_eq!(RunAddress::read("path=&where=").expect("it is one"), RunAddress::default());
    }

    #[test]
    fn an_entity_is_unfolded_once() {
        let address = RunAddress::read("open=unit+a%2F0&open=unit+a%2F0&open=").expect("it is one");
        assert_eq!(address.open, ["unit a/0"]);
        assert_eq!(address.opened("unit a/0").open, ["unit a/0"]);
        assert_eq!(address.closed("unit a/0").open, [""; 0]);
        let all = (0..=MOST_OPEN).fold(address, |it, unit| it.opened(&format!("unit b/{unit}")));
        assert_eq!(all.open.len(), MOST_OPEN, "the first ones give way");
    }

    #[test]
    fn a_name_is_set_once() {
        let address = RunAddress::read("set=a:x&set=b:y&set=a:z&set=").expect("it is one");
        assert_eq!(address.set, ["b:y", "a:z"]);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("path={}", vec!["1"; MOST_STEPS + 1].join("."));
        let wordy = format!("where={}", "x".repeat(LONGEST + 1));
        let open = (0..=MOST_OPEN).map(|unit| format!("open=unit+a/{unit}"));
        let wide = open.collect::<Vec<_>>().join("&");
        let set = (0..=MOST_SET).map(|name| format!("set=a{name}:x"));
        let many = set.collect::<Vec<_>>().join("&");
        for query in [
            "path=1..2",
            "path=1.x",
            "path=-1",
            "path=+1",
            "path=99999999999999999999999",
            "at=",
            "at=1&at=1",
            "at=%00",
            "sudo=1",
            &long,
            &wordy,
            &wide,
            &many,
            "parts=x&parts=y",
            "from=x",
            "board=off",
            "path=1.line",
            "path=1&line=client%3A+commit",
            "list=unit&list=unit",
        ] {
            assert!(RunAddress::read(query).is_err(), "{query}");
        }
    }
}
