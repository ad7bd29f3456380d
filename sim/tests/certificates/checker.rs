//! A check of certificates, written from `docs/any-size.md` alone: slow, short, and without a line
//! of the search. It takes from a certificate without a check the moves, what these tell, what
//! local states add to counts, and where the conditions of claims hold.

use std::collections::{BTreeMap, BTreeSet};

use super::parsed::{Leads, PairKey, ParsedCertificate, ParsedMove, RankKey, ViewKey};

/// For each shared part, the sums that any number of processes may add to counts: its cone.
type SumsAt = BTreeMap<u64, BTreeSet<Vec<u64>>>;

/// The mistake in a certificate.
pub(super) type Flaw = String;

impl ParsedCertificate {
    /// Checks everything that follows from the moves.
    pub(super) fn check(&self) -> Result<(), Flaw> {
        self.numbers()?;
        self.begins()?;
        let sums = self.sums(&self.views)?;
        for view in &self.views {
            let next = self.next(view, &sums)?;
            demand(next.is_subset(&self.views), "a move leads to a view that is none")?;
        }
        // Runs need not end if no claim has an obligation.
        if !self.ranks.is_empty() || self.leads.iter().any(|it| !it.from.is_empty()) {
            self.measure()?;
        }
        self.rests()?;
        self.leads.iter().try_for_each(|it| self.follows(it))?;
        self.shown.iter().try_for_each(|(asked, path)| self.leads_there(asked, path, &sums))
    }

    /// Checks that the run for `asked` begins with a first view, and that each step is a move.
    fn leads_there(&self, asked: &str, path: &[ViewKey], sums: &SumsAt) -> Result<(), Flaw> {
        let begins = path.first().is_some_and(|it| self.first.contains(it));
        demand(begins, &format!("the run of {asked} begins nowhere"))?;
        for step in path.windows(2) {
            let next = self.next(&step[0], sums)?;
            demand(next.contains(&step[1]), &format!("the run of {asked} has a step too far"))?;
        }
        Ok(())
    }

    /// The successors of a view.
    fn next(&self, view: &ViewKey, sums: &SumsAt) -> Result<BTreeSet<ViewKey>, Flaw> {
        let mut next = BTreeSet::new();
        self.rule_1(view, &mut next)?;
        self.rule_2(view, sums, &mut next)?;
        Ok(next)
    }

    /// The cones of these views: for each shared part, the sums of any number of its local states.
    fn sums(&self, views: &BTreeSet<ViewKey>) -> Result<SumsAt, Flaw> {
        let mut shown = SumsAt::new();
        for (shared, locals, _) in views {
            for (of, local) in locals.iter().enumerate() {
                shown.entry(*shared).or_default().insert(self.add(of, *local)?.to_vec());
            }
        }
        for adds in shown.values_mut() {
            let mut sums = BTreeSet::from([vec![0; self.counts.len()]]);
            loop {
                let with = |sum: &Vec<u64>| adds.iter().map(|it| self.sum(sum, it)).collect();
                let more: BTreeSet<Vec<u64>> =
                    sums.iter().flat_map(|it| -> Vec<_> { with(it) }).collect();
                if more.is_subset(&sums) {
                    break;
                }
                sums.extend(more);
            }
            *adds = sums;
        }
        Ok(shown)
    }

    fn add(&self, of: usize, local: u64) -> Result<&[u64], Flaw> {
        let local = self.locals.get(&(of, local)).ok_or("a local state is unknown")?;
        Ok(&local.1)
    }

    /// The sum of two vectors of counts, cut off at the bound k.
    fn sum(&self, one: &[u64], other: &[u64]) -> Vec<u64> {
        one.iter().zip(other).map(|(one, other)| (one + other).min(self.bound)).collect()
    }

    fn numbers(&self) -> Result<(), Flaw> {
        for (shared, locals, hidden) in &self.views {
            demand(self.shared.contains_key(shared), "a shared part is unknown")?;
            demand(locals.len() == self.types, "a view shows too many or too few")?;
            demand(hidden.len() == self.counts.len(), "a view has too many or too few counts")?;
            demand(hidden.iter().all(|it| *it <= self.bound), "more is hidden than the bound")?;
            for (of, local) in locals.iter().enumerate() {
                demand(self.add(of, *local)?.len() == hidden.len(), "it adds to other counts")?;
            }
        }
        // Each Alive unit is a unit, and at most one thing of a kind is pending.
        for (count, (of, counts)) in self.counts.iter().enumerate() {
            let all = self.counts.iter().position(|it| it.0 == *of && it.1 == "units");
            for (_, adds) in self.locals.values() {
                let most = match counts.as_str() {
                    "alive" => adds[all.ok_or("nobody counts who is there")?],
                    "pending" => 1,
                    _ => adds[count],
                };
                demand(adds[count] <= most, "it adds more than there is")?;
            }
        }
        Ok(())
    }

    /// The first views are those of the instances: with one process of each type, with one more
    /// that is there, and, of a type to which processes are added, with one that is not there yet.
    fn begins(&self) -> Result<(), Flaw> {
        demand(self.first.is_subset(&self.views), "a first view is none")?;
        let alone = |it: &&ViewKey| it.2.iter().all(|it| *it == 0);
        let alone = self.first.iter().find(alone).ok_or("no instance is the smallest")?;
        let mut later = BTreeSet::new();
        for (shared, locals, hidden) in &self.first {
            demand(*shared == alone.0, "instances begin differently")?;
            for (of, (local, there)) in locals.iter().zip(&alone.1).enumerate() {
                let more = (*shared, locals.clone(), self.sum(hidden, self.add(of, *there)?));
                demand(self.first.contains(&more), "larger instances are left out")?;
                if local != there {
                    let is_none = self.add(of, *local)?.iter().all(|it| *it == 0);
                    demand(is_none, "instances begin differently")?;
                    later.insert((of, *local));
                }
            }
        }
        for (of, none) in later {
            for (shared, locals, hidden) in self.first.iter().filter(|it| it.1[of] == alone.1[of]) {
                let mut locals = locals.clone();
                locals[of] = none;
                let beside = (*shared, locals, self.sum(hidden, self.add(of, alone.1[of])?));
                demand(self.first.contains(&beside), "who comes later is left out")?;
            }
        }
        Ok(())
    }

    fn moves(
        &self,
        by: Option<(usize, u64)>,
        shared: u64,
        others: Vec<u64>,
    ) -> Result<&[ParsedMove], Flaw> {
        let moves = self.moves.get(&(by, shared, others));
        Ok(moves.ok_or("nobody asked for moves that are made")?)
    }

    /// The counts that all processes add but one: the other visible ones and the hidden ones.
    fn others(&self, view: &ViewKey, except: Option<usize>) -> Result<Vec<u64>, Flaw> {
        let mut sum = view.2.clone();
        for (of, local) in view.1.iter().enumerate().filter(|(of, _)| Some(*of) != except) {
            sum = self.sum(&sum, self.add(of, *local)?);
        }
        Ok(sum)
    }

    /// The local state of a process after a move tells it something. It must add the same to counts
    /// as before, except to those that the move clears.
    fn told(&self, it: &ParsedMove, of: usize, local: u64) -> Result<u64, Flaw> {
        let Some((told, clears)) = &it.tells else { return Ok(local) };
        let after = self.told.get(&(*told, of, local)).ok_or("it is unknown what one is told")?;
        let (before, now) = (self.add(of, local)?, self.add(of, *after)?);
        let mut counts = before.iter().zip(now).zip(clears);
        demand(counts.all(|((was, is), clears)| was == is || *clears), "what is told is counted")?;
        Ok(*after)
    }

    fn told_all(&self, it: &ParsedMove, locals: &[u64]) -> Result<Vec<u64>, Flaw> {
        locals.iter().enumerate().map(|(of, local)| self.told(it, of, *local)).collect()
    }

    /// The counts of the others after a move, which may clear some.
    fn left(it: &ParsedMove, counts: &[u64]) -> Vec<u64> {
        let clears = |count: usize| it.tells.as_ref().is_some_and(|(_, clears)| clears[count]);
        let left = counts.iter().enumerate();
        left.map(|(count, number)| if clears(count) { 0 } else { *number }).collect()
    }

    /// Rule 1: moves of the visible processes and of shared actors.
    fn rule_1(&self, view: &ViewKey, next: &mut BTreeSet<ViewKey>) -> Result<(), Flaw> {
        let (shared, locals, hidden) = view;
        for it in self.moves(None, *shared, self.others(view, None)?)? {
            let told = self.told_all(it, locals)?;
            next.insert((it.shared, told, Self::left(it, hidden)));
        }
        for (of, mine) in locals.iter().enumerate() {
            let others = self.others(view, Some(of))?;
            for it in self.moves(Some((of, *mine)), *shared, others)? {
                let mut after = locals.clone();
                for (other, local) in locals.iter().enumerate().filter(|(it, _)| *it != of) {
                    after[other] = self.told(it, other, *local)?;
                }
                after[of] = it.local.ok_or("a process moves and is nowhere")?;
                next.insert((it.shared, after, Self::left(it, hidden)));
            }
        }
        Ok(())
    }

    fn rule_2(
        &self,
        view: &ViewKey,
        sums: &SumsAt,
        next: &mut BTreeSet<ViewKey>,
    ) -> Result<(), Flaw> {
        let (shared, locals, _) = view;
        for of in 0..self.types {
            for (local, rest) in self.hidden_among(view, of, &self.views, sums)? {
                let others = self.others(&(*shared, locals.clone(), rest.clone()), None)?;
                for it in self.moves(Some((of, local)), *shared, others)? {
                    let after = it.local.ok_or("a process moves and is nowhere")?;
                    let hidden = self.sum(&Self::left(it, &rest), self.add(of, after)?);
                    next.insert((it.shared, self.told_all(it, locals)?, hidden));
                }
            }
        }
        Ok(())
    }

    /// The local states of a hidden process of a type, each with the rest that the other hidden
    /// ones add. The rest is in the cone, and the view that shows this process is in `views`.
    fn hidden_among(
        &self,
        view: &ViewKey,
        of: usize,
        views: &BTreeSet<ViewKey>,
        sums: &SumsAt,
    ) -> Result<Vec<(u64, Vec<u64>)>, Flaw> {
        let (shared, locals, hidden) = view;
        let mine = self.add(of, locals[of])?;
        let mut found = Vec::new();
        let all = self.locals.range((of, 0)..(of + 1, 0));
        for ((_, local), (_, adds)) in all {
            let mut rests: Vec<Vec<u64>> = vec![Vec::new()];
            for (count, hidden) in hidden.iter().enumerate() {
                let fits = |rest: &u64| (rest + adds[count]).min(self.bound) == *hidden;
                let fitting: Vec<u64> = (0..=self.bound).filter(fits).collect();
                let with = |rest: &Vec<u64>| {
                    let rest = rest.clone();
                    let all = fitting.iter().map(move |it| [&rest[..], &[*it]].concat());
                    all.collect::<Vec<_>>()
                };
                rests = rests.iter().flat_map(with).collect();
            }
            for rest in rests.into_iter().filter(|rest| sums[shared].contains(rest)) {
                let mut exchanged = locals.clone();
                exchanged[of] = *local;
                if views.contains(&(*shared, exchanged, self.sum(&rest, mine))) {
                    found.push((*local, rest));
                }
            }
        }
        Ok(found)
    }

    fn rank(&self, key: &RankKey) -> Result<u64, Flaw> {
        self.ranks.get(key).copied().ok_or_else(|| format!("no rank of {key:?}"))
    }

    /// Checks that each move but a fault leads to a lower rank.
    fn measure(&self) -> Result<(), Flaw> {
        // The counts that a settled local state adds are a function of it.
        let mut adds: BTreeMap<(usize, u64), Vec<u64>> = BTreeMap::new();
        for ((of, _), (settled, all)) in &self.locals {
            let settled_adds = self.settled(all);
            let known = adds.entry((*of, *settled)).or_insert_with(|| settled_adds.clone());
            demand(*known == settled_adds, "what is pending is counted as if it were not")?;
        }
        for ((by, shared, others), moves) in &self.moves {
            for it in moves.iter().filter(|it| it.is != "fault") {
                self.falls(*by, *shared, others, it)?;
            }
        }
        Ok(())
    }

    fn settled(&self, counts: &[u64]) -> Vec<u64> {
        let counts = counts.iter().zip(&self.counts);
        counts.map(|(number, of)| if of.1 == "pending" { 0 } else { *number }).collect()
    }

    fn falls(
        &self,
        by: Option<(usize, u64)>,
        shared: u64,
        others: &[u64],
        it: &ParsedMove,
    ) -> Result<(), Flaw> {
        let settled = |shared: u64| self.shared.get(&shared).copied().ok_or("unknown");
        let (before, after) = (settled(shared)?, settled(it.shared)?);
        let falls = |was: RankKey, is: RankKey| {
            demand(self.rank(&was)? > self.rank(&is)?, "a rank does not fall")
        };
        if before != after {
            return falls((before, None, None, None), (after, None, None, None));
        }
        demand(it.tells.is_none(), "others are told something, and nothing shared changes")?;
        let others = Some(self.settled(others));
        let Some((of, local)) = by else {
            let pending = |shared| (before, None, others.clone(), Some(shared));
            return falls(pending(shared), pending(it.shared));
        };
        let next = it.local.ok_or("a process moves and is nowhere")?;
        let settled = |local| self.locals.get(&(of, local)).ok_or("unknown").map(|it| it.0);
        let (was, is) = (settled(local)?, settled(next)?);
        if was != is {
            let of = |settled| (before, Some((of, settled)), None, None);
            return falls(of(was), of(is));
        }
        demand(shared == it.shared, "what is pending changes twice")?;
        let pending = |local| (before, Some((of, was)), others.clone(), Some(local));
        falls(pending(local), pending(next))
    }

    /// Checks that `rest` is the greatest set of idle views in which each hidden count has a
    /// process that a view of the set shows.
    fn rests(&self) -> Result<(), Flaw> {
        let mut rest = BTreeSet::new();
        for view in &self.views {
            let mut rests = is_idle(self.moves(None, view.0, self.others(view, None)?)?);
            for (of, local) in view.1.iter().enumerate() {
                let others = self.others(view, Some(of))?;
                rests &= is_idle(self.moves(Some((of, *local)), view.0, others)?);
            }
            if rests {
                rest.insert(view.clone());
            }
        }
        loop {
            let mut left = BTreeSet::new();
            let sums = self.sums(&rest)?;
            for view in &rest {
                let mut shown = vec![false; view.2.len()];
                for of in 0..self.types {
                    for (local, _) in self.hidden_among(view, of, &rest, &sums)? {
                        let adds = self.add(of, local)?;
                        shown.iter_mut().zip(adds).for_each(|(shown, adds)| *shown |= *adds > 0);
                    }
                }
                if view.2.iter().zip(shown).all(|(hidden, shown)| *hidden == 0 || shown) {
                    left.insert(view.clone());
                }
            }
            if left == rest {
                return demand(rest == self.rest, "other views rest than are listed");
            }
            rest = left;
        }
    }

    /// Checks that every pair with an open obligation is listed, and that no view at rest shows
    /// one.
    fn follows(&self, it: &Leads) -> Result<(), Flaw> {
        let pair = |view: &ViewKey| (view.0, it.of.map_or(0, |of| view.1[of]));
        let pairs: BTreeSet<PairKey> = self.views.iter().map(pair).collect();
        let listed = [&it.from, &it.to, &it.open];
        demand(listed.iter().all(|it| it.is_subset(&pairs)), "a pair is in no view")?;
        for pair in it.from.difference(&it.to) {
            demand(it.open.contains(pair), "what is asked for is not open")?;
        }
        for ((by, shared, _), moves) in &self.moves {
            for (_, local) in it.open.range((*shared, 0)..(*shared + 1, 0)) {
                for step in moves {
                    // The process may be the mover, or another one that is told.
                    let mine = by.filter(|by| it.of == Some(by.0) && by.1 == *local);
                    let own = mine.and(step.local);
                    let told = it.of.map_or(Ok(0), |of| self.told(step, of, *local))?;
                    for after in own.into_iter().chain([told]) {
                        let next = (step.shared, after);
                        let goes_on = pairs.contains(&next) && !it.to.contains(&next);
                        let why = "what was open is forgotten";
                        demand(!goes_on || it.open.contains(&next), why)?;
                    }
                }
            }
        }
        let is_open = |view: &ViewKey| it.open.contains(&pair(view));
        demand(!self.rest.iter().any(is_open), &format!("{} is open at rest", it.claim))
    }
}

fn is_idle(moves: &[ParsedMove]) -> bool {
    moves.iter().all(|it| it.is != "owed")
}

fn demand(holds: bool, flaw: &str) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(flaw.to_owned()) }
}
