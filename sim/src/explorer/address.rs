//! Addresses: a run, and a place in it, as the query of an address.
//!
//! `path=3.1.4` are the actions that follow the script: each is the place of an action among those that
//! are possible where it is taken, from 0, in the order in which the protocol lists them. So an address
//! means the same run as long as the scenario stays what it is.

use form_urlencoded::{Serializer, parse};

use crate::problem::Problem;

/// The greatest number of actions in a path.
pub(super) const MOST_STEPS: usize = 1_500;
/// The greatest length of an expression, or of the name of a claim, in bytes.
const LONGEST: usize = 2_000;

/// A run, and a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    /// How many steps of the script the run begins with; all of them if it is `None`.
    pub(super) script: Option<usize>,
    /// The places of the actions that follow.
    pub(super) path: Vec<usize>,
    /// The state that is looked at; the last one if it is `None`.
    pub(super) at: Option<usize>,
    /// How many of the last steps are repeated for ever; 0 if none are.
    pub(super) around: usize,
    /// The claim that the run is about.
    pub(super) claim: Option<String>,
    /// The condition that is asked of the state.
    pub(super) condition: Option<String>,
}

impl Address {
    /// The address with this query.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn read(query: &str) -> Result<Self, Problem> {
        let mut address = Self::default();
        let mut seen = Vec::new();
        for (key, value) in parse(query.as_bytes()) {
            if seen.contains(&key) {
                return Err(Problem::new(format!("the address says `{key}` twice")));
            }
            match &*key {
                "script" => address.script = Some(number(&key, &value)?),
                "path" => address.path = path(&value)?,
                "at" => address.at = Some(number(&key, &value)?),
                "loop" => address.around = number(&key, &value)?,
                "claim" => address.claim = text(&key, &value)?,
                "where" => address.condition = text(&key, &value)?,
                _ => return Err(Problem::new(format!("an address has no `{key}`"))),
            }
            seen.push(key);
        }
        Ok(address)
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

    /// What it says, key by key.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        if let Some(script) = self.script {
            fields.push(("script", script.to_string()));
        }
        if !self.path.is_empty() {
            let path: Vec<String> = self.path.iter().map(ToString::to_string).collect();
            fields.push(("path", path.join(".")));
        }
        if let Some(at) = self.at {
            fields.push(("at", at.to_string()));
        }
        if self.around > 0 {
            fields.push(("loop", self.around.to_string()));
        }
        fields.extend(self.claim.clone().map(|claim| ("claim", claim)));
        fields.extend(self.condition.clone().map(|condition| ("where", condition)));
        fields
    }
}

fn number(key: &str, value: &str) -> Result<usize, Problem> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| is_number).ok_or_else(|| {
        Problem::new(format!("`{key}` of the address is no number: {}", shown(value)))
    })
}

fn path(value: &str) -> Result<Vec<usize>, Problem> {
    if value.is_empty() {
        return Ok(Vec::new());
    }
    if value.split('.').count() > MOST_STEPS {
        return Err(Problem::new(format!("a path has at most {MOST_STEPS} actions")));
    }
    value.split('.').map(|step| number("path", step)).collect()
}

/// A text; `None` if it is empty, as a form sends a field that nobody has filled in.
fn text(key: &str, value: &str) -> Result<Option<String>, Problem> {
    if value.len() > LONGEST {
        return Err(Problem::new(format!("`{key}` of the address is too long")));
    }
    let value = value.trim();
    Ok((!value.is_empty()).then(|| value.to_owned()))
}

/// The beginning of a value.
fn shown(value: &str) -> String {
    value.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let address = Address {
            script: Some(2),
            path: vec![3, 1, 4],
            at: Some(1),
            around: 2,
            claim: Some("a Dying relation is removed".to_owned()),
            condition: Some("units.all(u, u.life != \"dead\") && 1 < 2 ü".to_owned()),
        };
        let query = address.query();
        assert!(query.starts_with("?script=2&path=3.1.4&at=1&loop=2&claim=a+Dying+"), "{query}");
        assert_eq!(Address::read(&query[1..]).expect("it is one"), address);
        assert_eq!(Address::default().query(), "");
        assert_eq!(Address::read("").expect("it is one"), Address::default());
        assert_eq!(Address::read("path=&where=").expect("it is one"), Address::default());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("path={}", vec!["1"; MOST_STEPS + 1].join("."));
        let wordy = format!("where={}", "x".repeat(LONGEST + 1));
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
        ] {
            assert!(Address::read(query).is_err(), "{query}");
        }
    }
}
