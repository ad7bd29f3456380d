//! A sweep as JSON.

use deathwatch_model::check::Stop;
use deathwatch_sim::{
    simulate::stats::{Histogram, KINDS, Stats},
    sweep::{Answered, Drawn, Group, Odd, Report},
    verdict,
    wait_for::WaitFor,
};
use serde_json::{Map, Value, json};

use super::{Lacks, Swept};

/// One scenario.
pub(super) fn swept(swept: &Swept) -> Value {
    let report = &swept.report;
    let mut value = Map::new();
    let mut set = |key: &str, is: Value| value.insert(key.to_owned(), is);
    set("scenario", report.scenario.as_str().into());
    set("expected", report.is_as_expected().into());
    set("answer", verdict::answer(report.answer).into());
    set("seeds", report.seeds.into());
    set("planned", report.planned.into());
    set("steps", report.stats.steps.into());
    if let Some(took) = &swept.took {
        set("seconds", took.time.as_secs_f64().into());
        set("seeds_per_second", rate(took.rate(took.seeds)));
        set("steps_per_second", rate(took.rate(took.steps)));
    }
    set("claims", report.claims.iter().map(claim).collect());
    set("groups", report.groups.iter().map(|it| group(swept, it)).collect());
    set("unsettled", odd(report.unsettled.as_ref()));
    set("diverged", odd(report.diverged.as_ref()));
    set("failures", report.failures.iter().map(String::as_str).collect());
    set("ended_by", report.ended_by.into());
    set("missing", report.missing.iter().map(String::as_str).collect());
    set("stopped", swept.lacks.as_ref().and_then(stopped).into());
    set("reason", swept.undecided_because().into());
    set("drawn", report.drawn.iter().map(drawn).collect());
    set("stats", stats(&report.stats, report));
    set("digest", format!("{:016x}", report.digest).into());
    Value::Object(value)
}

fn rate(rate: u128) -> Value {
    u64::try_from(rate).unwrap_or(u64::MAX).into()
}

fn claim(claim: &Answered) -> Value {
    json!({
        "name": claim.claim.name,
        "kind": claim.claim.kind().name(),
        "answer": verdict::answer(claim.said()),
        "expected": claim.expected.of_seeds(claim.claim).to_string(),
        "seeds": claim.seeds,
        "first_seed": claim.first,
        "groups": claim.kinds,
    })
}

fn group(swept: &Swept, group: &Group) -> Value {
    let (first, violated) = (&group.first, &group.first.violated);
    let claims = group.claims.iter().map(|(name, seeds)| json!({ "name": name, "seeds": seeds }));
    let [replay, shrink] = swept.commands(group, first);
    let [_, shrink_clearest] = swept.commands(group, &group.clearest);
    json!({
        "kind": group.kind.to_string(),
        "text": group.kind.says(),
        "passage": group.kind.source(),
        "expected": !group.is_surprise,
        "seeds": group.seeds,
        "alone": group.alone,
        "claims": claims.collect::<Value>(),
        "first_seed": first.seed,
        "claim": violated.claim,
        "step": violated.step,
        "steps": first.steps,
        "subject": violated.subject,
        "rule": violated.rule,
        "diagnosis": violated.wait_for.as_ref().map(WaitFor::paragraph),
        "wait_for": violated.wait_for,
        "replay": replay,
        "shrink": shrink,
        "clearest_seed": group.clearest.seed,
        "shrink_clearest": shrink_clearest,
    })
}

fn odd(odd: Option<&Odd>) -> Value {
    odd.map(|it| json!({ "seeds": it.seeds, "first_seed": it.first, "reason": it.says })).into()
}

fn drawn(drawn: &Drawn) -> Value {
    json!({ "details": drawn.details, "seeds": drawn.seeds, "first_seed": drawn.first })
}

/// The reason that ended a sweep early, in a word.
fn stopped(lacks: &Lacks) -> Option<&'static str> {
    match lacks {
        Lacks::Stopped(Stop::Time) => Some("time"),
        Lacks::Stopped(Stop::Interrupted) => Some("interrupted"),
        Lacks::Stopped(Stop::States | Stop::Edges | Stop::Memory | Stop::Threads | Stop::Space)
        | Lacks::NotMerged(_) => None,
    }
}

fn stats(stats: &Stats, report: &Report) -> Value {
    let by_kind = |of: &dyn Fn(usize) -> Value| -> Value {
        let pairs = KINDS.iter().enumerate().map(|(at, kind)| (format!("{kind}s"), of(at)));
        Value::Object(pairs.collect())
    };
    json!({
        "commands": stats.commands,
        "transactions": {
            "planned": stats.planned,
            "committed": stats.committed,
            "aborted": stats.aborted,
            "contended": stats.contended,
        },
        "faults": stats.faults,
        "longest_ms": stats.time,
        "largest": by_kind(&|at| stats.largest[at].into()),
        "removal_ms": by_kind(&|at| removal(&stats.removal[at])),
        "exercised": stats.clauses.iter().map(|it| it.to_string()).collect::<Vec<_>>(),
        "never_exercised": report.never_exercised().iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn removal(spread: &Histogram) -> Value {
    json!({
        "count": spread.len(),
        "p50": spread.percentile(50),
        "p90": spread.percentile(90),
        "p99": spread.percentile(99),
        "max": (!spread.is_empty()).then_some(spread.max),
    })
}
