//! Mine.
#![allow(missing_docs, clippy::all, clippy::pedantic)]
use deathwatch_model::clause::Clause;
use deathwatch_sim::{replay, scenario, simulate::{End, Simulation, Stats}};
use std::{collections::BTreeMap, path::PathBuf, time::Instant};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (a, b): (u64, u64) = args[1].split_once("..").map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).unwrap();
    let paths: Vec<PathBuf> = args[2..].iter().map(PathBuf::from).collect();
    for path in scenario::find(&paths).unwrap() {
        let t0 = Instant::now();
        let scenario = match scenario::load(&path) { Ok(s) => s, Err(e) => { println!("{}: {e:?}", path.display()); continue } };
        let replay = replay::replay(&scenario).unwrap();
        let sim = match Simulation::new(&scenario, &replay) { Ok(s) => s, Err(e) => { println!("{e:?}"); continue } };
        let load = t0.elapsed();
        let start = Instant::now();
        let mut found: BTreeMap<&str, (u64, u64, String)> = BTreeMap::new();
        let mut stats = Stats::default();
        let mut uns = Vec::new();
        for seed in a..b {
            let run = sim.run(seed, &|| false).unwrap();
            if let End::Unsettled(what) = &run.end { uns.push((seed, what.clone())); }
            stats.extend(&run.stats);
            for v in &run.violations {
                let e = found.entry(v.claim.name).or_insert((seed, 0, format!("step {} {:?} {}", v.step, v.subject, v.diagnosis)));
                e.1 += 1;
            }
        }
        let took = start.elapsed();
        let n = b - a;
        println!("{} load {load:?} took {took:?} steps/seed {} {:.2}M/s time {} cmds/seed {} planned {} committed {} aborted {} contended {} largest {:?}", scenario.name, stats.steps / n, stats.steps as f64 / took.as_secs_f64() / 1e6, stats.time, stats.commands / n, stats.planned, stats.committed, stats.aborted, stats.contended, stats.largest);
        println!("   removed {:?} p50 {:?} p99 {:?}", stats.removal.iter().map(|r| r.len()).collect::<Vec<_>>(), stats.removal.iter().map(|r| r.percentile(50)).collect::<Vec<_>>(), stats.removal.iter().map(|r| r.percentile(99)).collect::<Vec<_>>());
        println!("   faults {:?}", stats.faults);
        let never: Vec<String> = Clause::all().filter(|c| !stats.clauses.contains(*c)).map(|c| c.to_string()).collect();
        println!("   never {}", never.join(" "));
        for u in uns.iter().take(3) { println!("   UNSETTLED {u:?} of {}", uns.len()); }
        for (c, f) in &found { println!("   VIOLATED {c}: {f:?}"); }
    }
}
