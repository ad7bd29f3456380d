//! The built-in claims, said in CEL.
//!
//! Eleven are not said. "the name of a destroyed application becomes free" asks the protocol itself
//! whether a command would be accepted. "an Alive unit enters the scopes of its Alive relations"
//! asks whether a finite world has identifiers enough. "a manager machine stays Alive where all of
//! them are protected" asks which variant holds: a scenario knows its variants, and would not ask.
//! Eight ask which hook a step begins, which is long to say of hooks that begin and end in one
//! step.

/// A claim said in CEL: the name of the built-in one, the kind of its subjects unless it is about
/// the whole state, and what it says.
pub(crate) struct CelClaim(pub &'static str, pub &'static str, pub CelFormula);

/// What a claim says.
pub(crate) enum CelFormula {
    Always(&'static str),
    Step(&'static str),
    /// It is followed by another.
    Leads(&'static str, &'static str),
    /// It is followed by its opposite.
    Ends(&'static str),
}

use CelFormula::{Always, Ends, Leads, Step};

/// The claims about variants that are said for the default only.
pub(crate) const BY_DEFAULT: [&str; 2] = [
    "a subordinate becomes Dying only with its principal, application or last relation",
    "a subordinate that no relation keeps becomes Dying",
];

/// What is said of the protocol of D1 and D2.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim("a Dying machine is removed", "machine", Leads("it.life == 'dying'", "!it.exists")),
    CelClaim("a Dead machine is removed", "machine", Leads("it.life == 'dead'", "!it.exists")),
    CelClaim("a Dying unit is removed", "unit", Leads("it.life == 'dying'", "!it.exists")),
    CelClaim("a Dead unit is removed", "unit", Leads("it.life == 'dead'", "!it.exists")),
    CelClaim("a Dying application is removed", "application", Leads("it.life == 'dying'", "!it.exists")),
    CelClaim("a Dying relation is removed", "relation", Leads("it.life == 'dying'", "!it.exists")),
    CelClaim("the settings of a removed relation are deleted", "relation", Ends("it.leftovers")),
    CelClaim("a unit that is forced is removed", "unit", Leads("it.force", "!it.exists")),
    CelClaim("a machine that is forced is removed", "machine", Leads("it.force", "!it.exists")),
    CelClaim(
        "an application counts its units",
        "application",
        Always("!it.exists || it.units == units.filter(u, u.exists && u.application == it.name).size()"),
    ),
    CelClaim(
        "an application counts its relations",
        "application",
        Always("!it.exists || it.relations == size(relations.filter(r, r.exists && it.name in r.ends))"),
    ),
    CelClaim(
        "a relation counts the units in its scope",
        "relation",
        Always("!it.exists || it.count_in_scope == size(it.in_scope)"),
    ),
    CelClaim(
        "no document refers to a missing one",
        "",
        Always(
            "units.all(u, !u.exists || (u.machine == 'none' || machine(u.machine).exists)
                && (u.principal == 'none' || unit(u.principal).exists)
                && application(u.application).exists)
            && relations.all(r, r.exists
                ? r.ends.all(a, application(a).exists) && r.in_scope.all(u, unit(u).exists)
                : size(r.in_scope) == 0)",
        ),
    ),
    CelClaim(
        "machines and principals list the units that name them",
        "",
        Always(
            "machines.filter(m, m.exists).all(m, m.principals.all(u, unit(u).machine == m.name)
                && size(m.principals) == units.filter(u, u.machine == m.name).size()
                && m.containers.all(c, machine(c).exists && machine(c).parent == m.name)
                && size(m.containers) == machines.filter(c, c.exists && c.parent == m.name).size())
            && units.filter(p, p.exists).all(p, p.subordinates.all(u, unit(u).principal == p.name)
                && size(p.subordinates) == units.filter(u, u.principal == p.name).size())",
        ),
    ),
    CelClaim(
        "a Dead unit has no subordinates",
        "unit",
        Always("it.life != 'dead' || size(it.subordinates) == 0"),
    ),
    CelClaim("a Dead unit is in no scope", "unit", Always("it.life != 'dead' || size(it.scopes) == 0")),
    CelClaim(
        "a Dead machine has neither units nor containers",
        "machine",
        Always("it.life != 'dead' || size(it.principals) + size(it.containers) == 0"),
    ),
    CelClaim(
        "a Dying application is held by a unit or a relation",
        "application",
        Always("it.life != 'dying' || it.units > 0 || it.relations > 0"),
    ),
    CelClaim(
        "a Dying relation is held by a unit in its scope",
        "relation",
        Always("it.life != 'dying' || it.count_in_scope > 0"),
    ),
    CelClaim(
        "an Alive relation joins Alive applications",
        "relation",
        Always("it.life != 'alive' || it.ends.all(a, application(a).life == 'alive')"),
    ),
    CelClaim(
        "applications and relations are never Dead",
        "",
        Always("applications.all(a, a.life != 'dead') && !relations.exists(r, r.life == 'dead')"),
    ),
    CelClaim(
        "an application has its peer relations unless it is being deployed",
        "application",
        Always(
            "it.life != 'alive'
            || users.exists(s, s.exists && s.application == it.name && s.peers)
            || relations.all(r, r.scope != 'peer' || !(it.name in r.ends) || r.exists)",
        ),
    ),
    CelClaim(
        "an application has its settings document",
        "application",
        Always("it.exists == it.settings"),
    ),
    CelClaim(
        "there is no hardware without a machine document",
        "machine-agent",
        Always("it.hardware == 'absent' || machine(it.machine).exists"),
    ),
    CelClaim(
        "a relation with units in scope has their settings",
        "relation",
        Always("size(it.in_scope) == 0 || it.settings"),
    ),
    CelClaim(
        "an Alive manager machine remains",
        "",
        Always("machines.all(m, !m.manager) || machines.exists(m, m.manager && m.life == 'alive')"),
    ),
    CelClaim(
        "everything starts Alive",
        "",
        Step(
            "after.machines.all(x, before.machine(x.name).exists || x.life in ['alive', 'gone'])
            && after.applications.all(x, before.application(x.name).exists || x.life in ['alive', 'gone'])
            && after.units.all(x, before.unit(x.name).exists || x.life in ['alive', 'gone'])
            && after.relations.all(x, before.relation(x.name).exists || x.life in ['alive', 'gone'])",
        ),
    ),
    CelClaim(
        "no entity returns to an earlier life",
        "",
        Step(
            "after.machines.all(x, x.life == 'alive' ? before.machine(x.name).life in ['alive', 'gone']
                : x.life != 'dying' || before.machine(x.name).life != 'dead')
            && after.applications.all(x, x.life == 'alive'
                ? before.application(x.name).life in ['alive', 'gone']
                : x.life != 'dying' || before.application(x.name).life != 'dead')
            && after.units.all(x, x.life == 'alive' ? before.unit(x.name).life in ['alive', 'gone']
                : x.life != 'dying' || before.unit(x.name).life != 'dead')
            && after.relations.all(x, x.life == 'alive'
                ? before.relation(x.name).life in ['alive', 'gone']
                : x.life != 'dying' || before.relation(x.name).life != 'dead')",
        ),
    ),
    CelClaim(
        "only Dead units and machines are removed",
        "",
        Step(
            "before.machines.all(x, x.life in ['dead', 'gone'] || after.machine(x.name).exists)
            && before.units.all(x, x.life in ['dead', 'gone'] || after.unit(x.name).exists)",
        ),
    ),
    CelClaim(
        "a machine with principals or containers does not change its life",
        "machine",
        Step(
            "!before.exists || size(before.principals) + size(before.containers) == 0
            || before.life == after.life",
        ),
    ),
    CelClaim(
        "a scope is entered only by an Alive unit, in an Alive relation",
        "scope",
        Step(
            "before.in_scope || !after.in_scope
            || state_before.relation(before.relation).life == 'alive'
                && state_before.unit(before.unit).life == 'alive'",
        ),
    ),
    CelClaim(
        "units join only Alive applications",
        "unit",
        Step(
            "before.exists || !after.exists
            || state_before.application(before.application).life == 'alive'",
        ),
    ),
    CelClaim(
        "relations join only Alive applications",
        "relation",
        Step("before.exists || !after.exists || after.ends.all(a, application(a).life == 'alive')"),
    ),
    CelClaim(
        "subordinates are created only by Alive principals that enter an Alive relation",
        "unit",
        Step(
            "before.exists || after.principal == 'none'
            || state_before.unit(after.principal).life == 'alive'
                && relations.exists(r, r.scope == 'container' && after.application in r.ends
                    && unit(after.principal).application in r.ends
                    && state_before.relation(r.name).life == 'alive'
                    && !(after.principal in state_before.relation(r.name).in_scope)
                    && after.principal in r.in_scope)",
        ),
    ),
    CelClaim(
        "principals are assigned only while they and their machine are Alive",
        "unit",
        Step(
            "after.machine == 'none' || before.placement != 'none'
            || (before.exists ? before.life : after.life) == 'alive'
                && (state_before.machine(after.machine).exists
                    ? state_before.machine(after.machine).life
                    : machine(after.machine).life) == 'alive'",
        ),
    ),
    CelClaim(
        "principals are assigned only to machines with the host-units job",
        "unit",
        Step(
            "after.machine == 'none' || before.placement != 'none'
            || machine(after.machine).hosts_units",
        ),
    ),
    CelClaim(
        BY_DEFAULT[0],
        "unit",
        Step(
            "before.life != 'alive' || before.principal == 'none' || after.life == 'alive'
            || state_before.unit(before.principal).life != 'alive'
            || state_before.application(before.application).life != 'alive'
            || !state_before.relations.exists(r, r.scope == 'container' && r.life == 'alive'
                && before.application in r.ends
                && state_before.unit(before.principal).application in r.ends)",
        ),
    ),
    CelClaim(
        "a principal in a container scope gets an Alive subordinate",
        "scope",
        Leads(
            "it.in_scope && relation(it.relation).scope == 'container'
            && size(relation(it.relation).ends) == 2 && !unit(it.unit).subordinate
            && unit(it.unit).life == 'alive' && relation(it.relation).life == 'alive'",
            "unit(it.unit).life == 'alive' && unit(it.unit).subordinates.exists(s,
                unit(s).life == 'alive' && unit(s).application != unit(it.unit).application
                && unit(s).application in relation(it.relation).ends)
            || !it.in_scope || relation(it.relation).scope != 'container'
            || size(relation(it.relation).ends) != 2 || unit(it.unit).subordinate
            || unit(it.unit).life != 'alive' || relation(it.relation).life != 'alive'",
        ),
    ),
    CelClaim(
        "an Alive unit that is assigned is deployed",
        "unit-agent",
        Ends(
            "unit(it.unit).life == 'alive' && unit(it.unit).placement != 'none'
            && it.deployed_by != unit(it.unit).placement",
        ),
    ),
    CelClaim(
        "an Alive machine gets an instance that runs",
        "machine-agent",
        Ends("machine(it.machine).life == 'alive' && it.hardware != 'running'"),
    ),
    CelClaim(
        "a unit of a Dying application becomes Dying",
        "unit",
        Leads(
            "it.life == 'alive' && application(it.application).life == 'dying'",
            "it.life != 'alive'",
        ),
    ),
    CelClaim(
        BY_DEFAULT[1],
        "unit",
        Ends(
            "it.life == 'alive' && it.subordinate && (it.principal == 'none'
            || !relations.exists(r, r.scope == 'container' && r.life == 'alive'
                && it.application in r.ends && unit(it.principal).application in r.ends))",
        ),
    ),
    CelClaim(
        "an agent whose unit is not there is recalled",
        "unit-agent",
        Ends("it.deployed_by != 'none' && it.deployed_by != unit(it.unit).placement"),
    ),
];
