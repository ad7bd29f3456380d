//! The outline of a world: the same world without its details, and the map of its states to that.

use std::sync::Arc;

use crate::{
    action::{Hook, HookKind},
    clause::{
        Clause,
        Rule::{RelationHooks, UnitAgent},
    },
    history::{History, KeptHistory},
    ids::{ClientId, Id},
    rows::{AtStart, FieldSet, RowKind, WorldBounds},
    runtime::{Charm, ManagerTask, UnitWork, UserState},
    state::{RowVisitor, State, Stored},
    store::Touched,
    txn::Txn,
    variants::{Placement, TriesCounted},
    world::{Details, HookTrait, SeriesDef, World},
};

impl World {
    /// The world without details. With details hidden, each run of this world is one of the
    /// outline.
    #[must_use]
    pub fn outline(&self) -> Self {
        self.changed(|constants| {
            let hooks = constants.detail.hooks;
            constants.hooks |= hooks;
            // The outline knows of the hooks of a departure by the broken hook alone.
            let broken = Clause { rule: RelationHooks, number: 7 };
            let departure = Clause { rule: UnitAgent, number: 11 };
            if self.is_off(broken) {
                constants.without.insert(departure);
            }
            let at = self.without_at.iter().filter(|(off, _)| *off == broken);
            constants.without_at.extend(at.map(|(_, place)| (departure, *place)));
            // A hook that is cut short counts as failed, even if no hook fails by itself; an older
            // agent's does if its disk says that it was the last try. In the outline, a hook that
            // notifies of a unit is any hook of its own, and a hook that never succeeds fails by a
            // fault.
            let faults = &constants.faults;
            let on_disk = constants.variants.tries_counted == TriesCounted::OnDisk;
            let counts = constants.detail.workflow && on_disk;
            let is_cut_short = (hooks || counts) && constants.agents_crash();
            let is_about_relation = constants.detail.relations && faults.hook_failure;
            let fails = |hook: HookKind| {
                let mut charms = constants.applications.iter().map(|it| it.charm);
                charms.any(|it| it.has(hook) && it.is(hook, HookTrait::NeverSucceeds))
            };
            let (breaks, others) = (
                fails(HookKind::Broken),
                HookKind::ALL.iter().any(|hook| *hook != HookKind::Broken && fails(*hook)),
            );
            constants.faults.unit_hook_failure |= is_cut_short || is_about_relation || others;
            constants.faults.hook_failure |= breaks;
            if constants.detail.workflow {
                // The outline has the failure of an unnamed hook, and no other hooks.
                (constants.hooks, constants.faults.hook_failure) = (false, false);
                for application in &mut constants.applications {
                    application.charm = application.charm.without(HookKind::Stop);
                }
            }
            constants.faults.disconnection = false;
            constants.retries = 0;
            let satisfies = constants.variants.placement == Placement::SatisfyingMachine;
            if constants.detail.series || satisfies {
                // The provider chooses which machine a unit gets (D2:47).
                constants.variants.placement = Placement::AnyMachine;
            }
            constants.series = SeriesDef::default();
            constants.faults.start_failure.clear();
            constants.faults.start_timeout.clear();
            constants.faults.fail_over.clear();
            constants.history = KeptHistory::default();
            constants.detail = Details::default();
        })
    }

    /// The state of the outline that corresponds to a state of this world: without the rows that
    /// details add, and without pending work that only details have.
    #[must_use]
    pub fn hide(&self, state: &State) -> State {
        let (mut hidden, touched) = (state.clone(), &mut Touched::new());
        if self.detail.hooks {
            for unit in self.unit_ids() {
                // A hook that is to run again is in no error any more.
                let hooks = *hidden.runtime.hooks(unit);
                let mark = hooks.marked().filter(|_| !hooks.retry);
                let agent = hidden.runtime.unit_mut(unit, touched);
                match &agent.pending {
                    Some(UnitWork::Hook(hook)) if hook.is_detail() => agent.pending = None,
                    Some(UnitWork::Hook(Hook::Broken(relation))) => {
                        agent.pending = Some(UnitWork::Hook(Hook::Departure(*relation)));
                    }
                    // A stop hook that was cut short looks to all others like one that failed.
                    None if mark == Some(Hook::Stop) => agent.charm = Charm::StopFailed,
                    None if let Some(Hook::Broken(relation)) = mark => {
                        agent.hook_error = Some(relation);
                    }
                    Some(_) | None => {}
                }
            }
        }
        if self.detail.workflow {
            for unit in self.unit_ids() {
                let agent = hidden.runtime.unit_mut(unit, touched);
                agent.pending.take_if(|pending| matches!(pending, UnitWork::Hook(_)));
            }
        }
        if self.detail.constraints {
            self.hide_captures(&mut hidden, touched);
            hidden.store.hide_constraints(self, touched);
        }
        if self.detail.any() {
            self.hide_commands(&mut hidden, touched);
        }
        hidden.runtime.hide_details();
        hidden.store.hide_details();
        hidden.history = History::default();
        hidden
    }

    /// The hidden fields of rows of a kind: they can change in this world, but not in its outline.
    #[must_use]
    pub fn hidden_fields(&self, outline: &Self, kind: RowKind) -> FieldSet {
        struct Room<'a>(&'a WorldBounds<'a>);

        impl RowVisitor for Room<'_> {
            type Out = FieldSet;

            fn visit<R: Stored>(self, key: R::Key) -> FieldSet {
                R::room(self.0, key)
            }
        }

        let [here, there] = [self, outline].map(|world| {
            let bounds = WorldBounds::of(world, AtStart { forced: true, units_cleanup: true });
            let rooms = kind.rows(world).map(|row| row.visit(Room(&bounds)));
            rooms.fold(FieldSet::default(), FieldSet::and)
        });
        here.without(there)
    }

    /// Hides the ops of pending transactions that are about constraints.
    fn hide_captures(&self, hidden: &mut State, touched: &mut Touched) {
        let hide = |txn: &mut Arc<Txn>| Arc::make_mut(txn).ops.retain(|op| !op.is_of_constraints());
        for id in self.user_ids() {
            hidden.runtime.user_mut(id, touched).state.txn_mut().into_iter().for_each(hide);
        }
        for index in 0..hidden.runtime.clients().len() {
            let client = hidden.runtime.client_mut(ClientId::new(index), touched);
            client.pending.iter_mut().for_each(hide);
        }
        for id in self.unit_ids() {
            if let Some(UnitWork::Txn(txn)) = &mut hidden.runtime.unit_mut(id, touched).pending {
                hide(txn);
            }
        }
    }

    /// Hides the commands that only details have: the numbers given, their pending transactions (by
    /// other actors, too, if rules of the scenario's own say so), and their effects.
    fn hide_commands(&self, hidden: &mut State, touched: &mut Touched) {
        let is_detail = |txn: &Txn| !txn.operation.rule().needs().is_empty();
        for id in self.user_ids() {
            let user = hidden.runtime.user_mut(id, touched);
            if user.state.txn().is_some_and(|txn| is_detail(txn)) {
                user.state = UserState::Idle;
            }
        }
        let given = hidden.runtime.given_mut(touched);
        for (given, allowed) in given.iter_mut().zip(&self.commands) {
            if !allowed.command.kind().row().rule.needs().is_empty() {
                *given = 0;
            }
        }
        for task in ManagerTask::ALL {
            hidden.runtime.task_mut(task, touched).pending.take_if(|txn| is_detail(txn));
        }
        for index in 0..hidden.runtime.clients().len() {
            let client = hidden.runtime.client_mut(ClientId::new(index), touched);
            client.pending.take_if(|txn| is_detail(txn));
        }
        for id in self.unit_ids() {
            let agent = hidden.runtime.unit_mut(id, touched);
            agent.pending.take_if(|it| matches!(it, UnitWork::Txn(txn) if is_detail(txn)));
        }
        for id in self.machine_ids() {
            let agent = hidden.runtime.machine_mut(id, touched);
            agent.pending.take_if(|txn| is_detail(txn));
        }
        for id in self.application_ids() {
            if let Some(it) = &mut hidden.store.application_docs_mut(id, touched).application {
                it.exposed = false;
            }
        }
    }
}
