//! Every act that can be written in a world, enabled in any state or not. Tests use it to check
//! that no act is forgotten, and that acts which are never enabled do no harm.

use super::World;
use crate::{
    action::{Act, HookAct, TxnAct},
    actor::{Agent, Client},
    operation::Operation,
    table::{Argument, FixedArguments, Parameter, RowEnum},
};

/// Every act of every actor of `world`.
pub fn every(world: &World) -> Vec<Act> {
    let operations = every_of::<Operation>(world);
    let transactions = |client: Client| {
        let plans = operations.iter().flat_map(|it| [TxnAct::Run(*it), TxnAct::Begin(*it)]);
        let all = plans.chain([TxnAct::Commit, TxnAct::Abort]);
        all.map(move |act| Act::Txn(client, act)).collect::<Vec<_>>()
    };
    let mut all: Vec<Act> = clients(world).flat_map(transactions).collect();
    for me in world.unit_ids() {
        let hooks = every_of(world).into_iter();
        all.extend(
            hooks
                .flat_map(|it| [HookAct::Decide(it), HookAct::Run(it), HookAct::Begin(it)])
                .map(|act| Act::Hook(me, act)),
        );
        all.extend([HookAct::Exit, HookAct::End].map(|act| Act::Hook(me, act)));
        all.extend(every_of(world).into_iter().map(|act| Act::UnitAgent(me, act)));
    }
    for me in world.machine_ids() {
        all.extend(every_of(world).into_iter().map(|act| Act::MachineAgent(me, act)));
    }
    all.extend(every_of(world).into_iter().map(Act::Provisioner));
    all.extend(every_of(world).into_iter().map(Act::Cleaner));
    all.extend(every_of(world).into_iter().map(Act::Faults));
    all.extend(every_of(world).into_iter().map(Act::Operator));
    all.extend(every_of(world).into_iter().map(Act::Supervisor));
    all
}

/// Every act of one kind: each row with each combination of arguments.
pub fn every_of<A: RowEnum>(world: &World) -> Vec<A> {
    every_about(world, &|_| true)
}

/// Every act of one kind whose arguments all satisfy `is_wanted`.
pub fn every_about<A: RowEnum>(world: &World, is_wanted: &dyn Fn(Argument) -> bool) -> Vec<A> {
    let mut all = Vec::new();
    for row in A::ROWS {
        let mut combinations = vec![Vec::new()];
        for parameter in row.parameters {
            let mut values = arguments(world, *parameter);
            values.retain(|value| is_wanted(*value));
            let longer = combinations.iter().flat_map(|known: &Vec<Argument>| {
                values.iter().map(|value| known.iter().copied().chain([*value]).collect())
            });
            combinations = longer.collect();
        }
        let given = combinations.into_iter().map(|it| FixedArguments(it.into_iter()));
        all.extend(given.filter_map(|mut it| A::from_verb(row.verb, &mut it).ok().flatten()));
    }
    all
}

fn clients(world: &World) -> impl Iterator<Item = Client> + '_ {
    let agents = world.unit_ids().map(Client::Unit).chain(world.machine_ids().map(Client::Machine));
    let scripted = (0..Client::SCRIPTED).map(Client::Script);
    let users = world.user_ids().map(Client::User);
    agents.chain(users).chain([Client::Provisioner, Client::Cleaner]).chain(scripted)
}

fn arguments(world: &World, parameter: Parameter) -> Vec<Argument> {
    match parameter {
        Parameter::Unit => world.unit_ids().map(Argument::Unit).collect(),
        Parameter::Machine => world.machine_ids().map(Argument::Machine).collect(),
        Parameter::Application => world.application_ids().map(Argument::Application).collect(),
        Parameter::Relation => world.relation_ids().map(Argument::Relation).collect(),
        Parameter::Constraints => world.constraints.listed().map(Argument::Constraints).collect(),
        Parameter::Agent => {
            let units = world.unit_ids().map(Agent::Unit);
            units.chain(world.machine_ids().map(Agent::Machine)).map(Argument::Agent).collect()
        }
        Parameter::User => world.user_ids().map(Argument::User).collect(),
        Parameter::Client => clients(world).map(Argument::Client).collect(),
    }
}
