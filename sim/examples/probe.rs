//! Probe.
#![allow(missing_docs, clippy::all, clippy::pedantic)]
use deathwatch_sim::{
    replay, scenario,
    simulate::{End, Simulation},
};
use std::{collections::BTreeMap, path::PathBuf, time::Instant};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seeds: u64 = args[1].parse().unwrap();
    let paths: Vec<PathBuf> = args[2..].iter().map(PathBuf::from).collect();
    for path in scenario::find(&paths).unwrap() {
        let t0 = Instant::now();
        let scenario = scenario::load(&path).unwrap();
        let Ok(replay) = replay::replay(&scenario) else {
            println!("{} no replay", scenario.name);
            continue;
        };
        let Ok(sim) = Simulation::new(&scenario, &replay) else {
            println!("{} no sim", scenario.name);
            continue;
        };
        let load = t0.elapsed();
        let start = Instant::now();
        let mut found: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let (mut steps, mut unsettled, mut time, mut commands) = (0, 0, 0, 0);
        let mut kinds = BTreeMap::new();
        for seed in 0..seeds {
            let run = sim.run(seed, &|| false).unwrap();
            steps += run.stats.steps;
            time += run.stats.time;
            commands += run.stats.commands;
            if let End::Unsettled(what) = &run.end {
                unsettled += 1;
                println!("   unsettled {seed}: {what}");
            }
            for (k, v) in &run.stats.faults {
                *kinds.entry(k.to_string()).or_insert(0) += v;
            }
            for v in &run.violations {
                let e = found.entry(v.claim.name).or_insert((seed, 0));
                e.1 += 1;
                if args.len() > 3 && e.1 == 1 {
                    println!("    {} {}", v.claim.name, v.diagnosis);
                }
            }
        }
        let took = start.elapsed();
        println!(
            "{} load {load:?} {} steps {:.2}M/s unsettled {unsettled} time {} cmds {} faults {kinds:?}",
            scenario.name,
            steps,
            steps as f64 / took.as_secs_f64() / 1e6,
            time / seeds,
            commands / seeds
        );
        let asked: BTreeMap<&str, String> =
            sim.claims.iter().map(|(c, e)| (c.name, e.to_string())).collect();
        for (claim, (seed, count)) in &found {
            println!("      {} {claim}: first {seed}, {count}", asked[claim]);
        }
        for (claim, e) in &asked {
            if e == "violated" && !found.contains_key(claim) {
                println!("      MISSED {claim}");
            }
        }
    }
}
