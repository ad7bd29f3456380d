//! scratch
use deathwatch_model::{
    check::*, claims::*, hosts::*, ids::*, life::*, state::*, store::*, variants::*, world::*,
};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let side: usize = args[1].parse().unwrap();
    let threads: usize = args[2].parse().unwrap();
    let flags = args.get(3).cloned().unwrap_or_default();
    let mut w = World { tries: 3, ..World::default() };
    let m =
        |name: String, mgr| MachineDef { name, host: None, manages_model: mgr, hosts_units: !mgr };
    w.machines.push(m("0".into(), true));
    for i in 0..2 * side {
        w.machines.push(m((i + 1).to_string(), false));
    }
    for (a, name) in ["wordpress", "mysql"].iter().enumerate() {
        w.applications.push(ApplicationDef {
            name: name.to_string(),
            subordinate: false,
            relations: vec![RelationId::new(0)],
            units: a * side..(a + 1) * side,
        });
        for u in 0..side {
            w.units
                .push(UnitDef { name: format!("{name}/{u}"), application: ApplicationId::new(a) });
        }
    }
    w.relations.push(RelationDef {
        name: "wordpress:db mysql:server".into(),
        ends: [ApplicationId::new(0), ApplicationId::new(1)],
        scope: Scope::Global,
    });
    for v in args.iter().skip(4) {
        let (a, b) = v.split_once('=').unwrap();
        w.variants.set(a, b).unwrap();
    }
    if flags.contains('s') {
        w.transactions = Transactions::Split;
    }
    w.faults.crash = flags.contains('c');
    w.faults.downtime = flags.contains('d');
    if flags.contains('h') {
        w.faults.hardware_failure = (1..=2 * side).map(MachineId::new).collect();
    }
    let mut cmds = vec![Command::DestroyRelation(RelationId::new(0))];
    if flags.contains('a') {
        cmds.push(Command::DestroyApplication(ApplicationId::new(0)));
        cmds.push(Command::DestroyApplication(ApplicationId::new(1)));
    }
    if flags.contains('u') {
        for u in w.unit_ids() {
            cmds.push(Command::DestroyUnit(u));
        }
    }
    if flags.contains('m') {
        for u in w.machine_ids() {
            cmds.push(Command::DestroyMachine(u));
        }
    }
    w.commands = cmds.into_iter().map(|command| Allowed { command, most: None }).collect();
    let mut s = State::empty(&w);
    let t = &mut Touched::new();
    for id in w.machine_ids() {
        s.store.machine_docs_mut(id, t).machine = Some(Machine {
            life: Life::Alive,
            principals: IdSet::default(),
            containers: IdSet::default(),
        });
        s.hosts.machine_mut(id, t).hardware = Hardware::Running;
    }
    for id in w.application_ids() {
        let d = s.store.application_docs_mut(id, t);
        d.application = Some(Application { life: Life::Alive, units: side as u32, relations: 1 });
        d.settings = true;
    }
    for id in w.unit_ids() {
        let mid = MachineId::new(id.index() + 1);
        s.store.unit_docs_mut(id, t).unit = Some(Unit {
            life: Life::Alive,
            host: Host::Machine(mid),
            subordinates: IdSet::default(),
        });
        s.store.machine_docs_mut(mid, t).machine.as_mut().unwrap().principals.insert(id);
        s.hosts.deploy(id, Host::Machine(mid), t);
    }
    s.store.relation_docs_mut(RelationId::new(0), t).relation =
        Some(Relation { life: Life::Alive, in_scope: 0 });
    let q = Question {
        world: &w,
        start: &s,
        claims: Claim::all().filter(|c| !flags.contains('n') || c.kind() != Kind::Leads).collect(),
        witnesses: vec![],
    };
    let t0 = std::time::Instant::now();
    let last = std::sync::Mutex::new(std::time::Instant::now());
    let r = check(
        &q,
        &Settings {
            threads,
            max_states: None,
            max_bytes: Some(16 << 30),
            stop: &|| None,
            progress: &|p| {
                let mut l = last.lock().unwrap();
                if l.elapsed().as_secs() >= 2 {
                    eprintln!("{:?} {:?}", t0.elapsed(), p);
                    *l = std::time::Instant::now();
                }
            },
        },
    )
    .unwrap();
    println!(
        "{:?} states {} transitions {} depth {} bytes {} per state {} stopped {:?}",
        t0.elapsed(),
        r.states,
        r.transitions,
        r.depth,
        r.bytes,
        r.bytes_per_state,
        r.stopped
    );
    for f in &r.findings {
        let Asked::Claim(c) = f.asked else { continue };
        println!("{:?} {} ({})", f.answer, c.name, f.applied);
        if let (Answer::Violated, Some(t)) = (f.answer, &f.trace) {
            for a in &t.steps {
                println!("    {}", w.show(a));
            }
            for a in &t.cycle {
                println!("  @ {}", w.show(a));
            }
            println!("    => {:?}", t.diagnosis);
        }
    }
}
