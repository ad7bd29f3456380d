//! Mistakes in certificates, of each kind.

use std::collections::BTreeSet;

use super::{
    parsed::{MovesKey, ParsedCertificate, ParsedMove},
    read,
};
use crate::common::cases;

struct MistakeKind {
    name: &'static str,
    /// The number of places in a certificate where it can be made.
    places: fn(&ParsedCertificate) -> usize,
    /// Makes it at a place; `None` if nothing would change there.
    make: fn(&mut ParsedCertificate, usize) -> Option<()>,
    /// Whether it has to be noticed everywhere. A change of facts that the check takes for granted
    /// may give another certificate that is right.
    is_never_right: bool,
}

fn moves(it: &ParsedCertificate) -> usize {
    it.moves.values().map(Vec::len).sum()
}

/// Changes the move with the number `place` in the order of `moves`.
fn change(
    it: &mut ParsedCertificate,
    place: usize,
    change: impl FnOnce(&MovesKey, &mut ParsedMove) -> Option<()>,
) -> Option<()> {
    let all = it.moves.iter_mut();
    let mut all = all.flat_map(|(key, moves)| moves.iter_mut().map(move |it| (key, it)));
    let (key, one) = all.nth(place)?;
    change(key, one)
}

/// Removes the item with this number.
fn without<T: Ord + Clone>(all: &mut BTreeSet<T>, place: usize) -> Option<()> {
    let one = all.iter().nth(place)?.clone();
    all.remove(&one).then_some(())
}

fn last_of_type(it: &ParsedCertificate, of: usize) -> u64 {
    it.locals.range((of, 0)..(of + 1, 0)).next_back().map_or(0, |((_, id), _)| *id)
}

const KINDS: [MistakeKind; 17] = [
    MistakeKind {
        name: "a view is left out",
        places: |it| it.views.len(),
        make: |it, place| without(&mut it.views, place),
        is_never_right: true,
    },
    MistakeKind {
        name: "a first view is left out",
        places: |it| it.first.len(),
        make: |it, place| without(&mut it.first, place),
        is_never_right: true,
    },
    MistakeKind {
        name: "moves are left out",
        places: |it| it.moves.len(),
        make: |it, place| {
            let key = it.moves.keys().nth(place)?.clone();
            it.moves.remove(&key).map(drop)
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "a move leads to where it came from",
        places: moves,
        make: |it, place| {
            change(it, place, |(by, shared, _), one| {
                (one.shared, one.local) = (*shared, by.map(|by| by.1));
                (one.is != "fault").then_some(())
            })
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "a move leads to another shared part",
        places: moves,
        make: |it, place| {
            let last = *it.shared.keys().next_back()?;
            change(it, place, |_, one| {
                one.shared = if one.shared == last { 0 } else { one.shared + 1 };
                Some(())
            })
        },
        is_never_right: false,
    },
    MistakeKind {
        name: "a move leads to another local state",
        places: moves,
        make: |it, place| {
            let last: Vec<u64> = (0..it.types).map(|of| last_of_type(it, of)).collect();
            change(it, place, |(by, ..), one| {
                let (last, local) = (last[(*by)?.0], one.local?);
                one.local = Some(if local == last { 0 } else { local + 1 });
                (last > 0).then_some(())
            })
        },
        is_never_right: false,
    },
    MistakeKind {
        name: "a broadcast is forgotten",
        places: moves,
        make: |it, place| {
            let told = it.told.clone();
            change(it, place, |_, one| {
                let (id, clears) = one.tells.take()?;
                let mut told = told.range((id, 0, 0)..(id + 1, 0, 0));
                let is_heard = told.any(|((_, _, local), becomes)| local != becomes);
                (is_heard || clears.contains(&true)).then_some(())
            })
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "who is told stays as he was",
        places: |it| it.told.len(),
        make: |it, place| {
            let ((_, _, local), becomes) = it.told.iter_mut().nth(place)?;
            let is_heard = local != becomes;
            *becomes = *local;
            is_heard.then_some(())
        },
        is_never_right: false,
    },
    MistakeKind {
        name: "a rank is too low",
        places: |it| it.ranks.len(),
        make: |it, place| {
            let rank = it.ranks.values_mut().nth(place)?;
            *rank = rank.checked_sub(1)?;
            Some(())
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "a rank is left out",
        places: |it| it.ranks.len(),
        make: |it, place| {
            let key = it.ranks.keys().nth(place)?.clone();
            it.ranks.remove(&key).map(drop)
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "a view at rest is left out",
        places: |it| it.rest.len(),
        make: |it, place| without(&mut it.rest, place),
        is_never_right: true,
    },
    MistakeKind {
        name: "a view that does not rest is listed",
        places: |it| it.views.len(),
        make: |it, place| {
            let view = it.views.iter().nth(place)?.clone();
            it.rest.insert(view).then_some(())
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "an open pair is left out",
        places: |it| it.leads.iter().map(|it| it.open.len()).sum(),
        make: |it, mut place| {
            for leads in &mut it.leads {
                if place < leads.open.len() {
                    return without(&mut leads.open, place);
                }
                place -= leads.open.len();
            }
            None
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "a run is another one",
        places: |it| it.shown.iter().map(|(_, path)| 2 * path.len()).sum(),
        make: |it, mut place| {
            for (_, path) in &mut it.shown {
                if place < path.len() {
                    path.remove(place);
                    return (place < path.len()).then_some(());
                }
                if place < 2 * path.len() {
                    let at = place - path.len();
                    let other = it.views.iter().find(|other| **other != path[at])?;
                    path[at] = other.clone();
                    return Some(());
                }
                place -= 2 * path.len();
            }
            None
        },
        is_never_right: false,
    },
    MistakeKind {
        name: "a local state counts otherwise",
        places: |it| it.locals.len() * it.counts.len(),
        make: |it, place| {
            let counts = it.counts.len();
            let (_, adds) = it.locals.values_mut().nth(place / counts)?;
            adds[place % counts] = 1 - adds[place % counts].min(1);
            Some(())
        },
        is_never_right: false,
    },
    MistakeKind {
        name: "the bound is another one",
        places: |_| 2,
        make: |it, place| {
            it.bound = if place == 0 { it.bound - 1 } else { it.bound + 1 };
            Some(())
        },
        is_never_right: true,
    },
    MistakeKind {
        name: "somebody who must move need not",
        places: moves,
        make: |it, place| {
            change(it, place, |_, one| {
                let is_owed = one.is == "owed";
                "free".clone_into(&mut one.is);
                is_owed.then_some(())
            })
        },
        is_never_right: false,
    },
];

#[test]
fn each_mistake_in_a_certificate_is_noticed() {
    let right = [
        "relation-scope-bug/1-as-written.toml#",
        "relation-scope-bug/2-a-crash-is-enough.toml#before-entering",
        "known-bugs/06-forgotten-on-restart.toml#fixed",
        "weakening/deployer.toml#",
    ]
    .map(|address| (address, read(address)));
    // The most mistakes of a kind in a certificate, whose places are spread over it, and the least
    // in all of them.
    let (most, least) = cases((6, 2), (25, 8));
    for kind in KINDS {
        let (mut made, mut noticed) = (0, 0);
        for (address, right) in &right {
            let places = (kind.places)(right);
            for place in (0..places).step_by(places.div_ceil(most).max(1)) {
                let mut wrong = right.clone();
                if (kind.make)(&mut wrong, place).is_some() {
                    let is_noticed = wrong.check().is_err();
                    let must_be = kind.is_never_right;
                    assert!(is_noticed || !must_be, "{}, place {place} of {address}", kind.name);
                    (made, noticed) = (made + 1, noticed + u32::from(is_noticed));
                }
            }
        }
        assert!(made >= least && noticed * 2 >= made, "{}: {noticed} of {made}", kind.name);
    }
}
