//! Certificates as they are read: the lines as plain tables.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A view: the shared part, the local state of one process of each type, and the counts that the
/// hidden ones add.
pub(super) type ViewKey = (u64, Vec<u64>, Vec<u64>);

/// The key of moves: the type and local state of the process that moves, or `None` for a shared
/// actor; the shared part; and the counts that all others add.
pub(super) type MovesKey = (Option<(usize, u64)>, u64, Vec<u64>);

/// A node of a graph of the ranking: the settled shared part; the type and settled local state of a
/// process; the counts that others add; and the shared part or local state with what is pending.
pub(super) type RankKey = (u64, Option<(usize, u64)>, Option<Vec<u64>>, Option<u64>);

/// A shared part and a local state.
pub(super) type PairKey = (u64, u64);

#[derive(Clone, Debug)]
pub(super) struct ParsedMove {
    pub(super) is: String,
    pub(super) shared: u64,
    pub(super) local: Option<u64>,
    /// The number of the message to all others, and whether the move clears each count.
    pub(super) tells: Option<(u64, Vec<bool>)>,
}

/// A claim of the kind leads for one subject: where its condition holds, where its goal does, and
/// where its obligation is open.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    pub(super) claim: String,
    pub(super) of: Option<usize>,
    pub(super) from: BTreeSet<PairKey>,
    pub(super) to: BTreeSet<PairKey>,
    pub(super) open: BTreeSet<PairKey>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ParsedCertificate {
    pub(super) types: usize,
    pub(super) bound: u64,
    /// The rows that each count is about, and the units that it counts.
    pub(super) counts: Vec<(String, String)>,
    /// The settled shared part of each shared part: the same without what is pending.
    pub(super) shared: BTreeMap<u64, u64>,
    /// The settled local state of each local state of each type, and what it adds to counts.
    pub(super) locals: BTreeMap<(usize, u64), (u64, Vec<u64>)>,
    pub(super) first: BTreeSet<ViewKey>,
    pub(super) views: BTreeSet<ViewKey>,
    pub(super) moves: BTreeMap<MovesKey, Vec<ParsedMove>>,
    pub(super) told: BTreeMap<(u64, usize, u64), u64>,
    pub(super) ranks: BTreeMap<RankKey, u64>,
    pub(super) rest: BTreeSet<ViewKey>,
    pub(super) leads: Vec<Leads>,
    /// The runs of instances, each with the claim or witness that it shows.
    pub(super) shown: Vec<(String, Vec<ViewKey>)>,
    /// The number of pairs of a claim and a subject that nothing violates.
    pub(super) kept: usize,
}

impl ParsedCertificate {
    /// Reads the lines of a certificate.
    pub(super) fn read(text: &str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            let (kind, of) = line.as_object().and_then(|it| it.iter().next()).expect("one kind");
            read.line(kind, of);
        }
        read
    }

    fn line(&mut self, kind: &str, it: &Value) {
        match kind {
            "certificate" => {
                assert_eq!(it["version"], 2, "another form");
                self.types = all(&it["applications"]).len();
                self.bound = number(&it["bound"]);
                let counts = all(&it["counts"]).iter();
                self.counts = counts.map(|it| (text(&it["of"]), text(&it["counts"]))).collect();
            }
            "shared" => {
                self.shared.insert(number(&it["id"]), number(&it["settled"]));
            }
            "local" => {
                let local = (number(&it["settled"]), numbers(&it["adds"]));
                self.locals.insert((place(&it["of"]), number(&it["id"])), local);
            }
            "first" => assert!(self.first.insert(view(it)), "twice"),
            "view" => assert!(self.views.insert(view(it)), "twice"),
            "rest" => assert!(self.rest.insert(view(it)), "twice"),
            "moves" => {
                let key = (pair(&it["by"]), number(&it["shared"]), numbers(&it["others"]));
                let moves = all(&it["moves"]).iter().map(one_move).collect();
                assert!(self.moves.insert(key, moves).is_none(), "twice");
            }
            "told" => {
                let key = (number(&it["tells"]), place(&it["of"]), number(&it["local"]));
                self.told.insert(key, number(&it["becomes"]));
            }
            "rank" => {
                let others = it.get("others").map(numbers);
                let key = (
                    number(&it["settled_shared"]),
                    pair(&it["settled_local"]),
                    others,
                    it["pending"].as_u64(),
                );
                self.ranks.insert(key, number(&it["rank"]));
            }
            "shown" if it["views"].is_null() => {}
            "shown" => {
                let views = all(&it["views"]).iter().map(view).collect();
                self.shown.push((text(&it["asked"]), views));
            }
            "holds" if it.get("leads").is_none() => self.kept += 1,
            "holds" => {
                let pairs = |name: &str| {
                    let list = all(&it["leads"][name]).iter();
                    list.map(|it| (number(&it[0]), number(&it[1]))).collect()
                };
                self.leads.push(Leads {
                    claim: text(&it["claim"]),
                    of: it["of"].as_u64().map(|of| usize::try_from(of).expect("small")),
                    from: pairs("from"),
                    to: pairs("to"),
                    open: pairs("open"),
                });
            }
            other => panic!("an unknown kind of line: {other}"),
        }
    }
}

fn one_move(it: &Value) -> ParsedMove {
    let tells = it
        .get("tells")
        .map(|it| (number(&it["id"]), all(&it["clears"]).iter().map(is).collect::<Vec<bool>>()));
    ParsedMove {
        is: text(&it["is"]),
        shared: number(&it["shared"]),
        local: it["local"].as_u64(),
        tells,
    }
}

fn view(it: &Value) -> ViewKey {
    (number(&it["shared"]), numbers(&it["locals"]), numbers(&it["hidden"]))
}

fn pair(it: &Value) -> Option<(usize, u64)> {
    it.as_array().map(|it| (place(&it[0]), number(&it[1])))
}

fn all(it: &Value) -> &[Value] {
    it.as_array().expect("a list")
}

fn text(it: &Value) -> String {
    it.as_str().expect("a text").to_owned()
}

fn is(it: &Value) -> bool {
    it.as_bool().expect("yes or no")
}

fn number(it: &Value) -> u64 {
    it.as_u64().expect("a number")
}

fn place(it: &Value) -> usize {
    usize::try_from(number(it)).expect("small")
}

fn numbers(it: &Value) -> Vec<u64> {
    all(it).iter().map(number).collect()
}
