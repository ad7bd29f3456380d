//! Storage of the runtime's rows outside lists: they are read, changed and restored here.

use super::{Client, Membership, Runtime, Sighting, UnitRuntime, Upgrade};
use crate::{
    ids::{ClientId, Id, RelationId, UnitId},
    rows::{RowTable, put},
    store::Touched,
};

impl RowTable<UnitRuntime> for Runtime {
    #[inline]
    fn look<T>(&self, id: UnitId, look: impl FnOnce(&UnitRuntime) -> T) -> T {
        look(self.unit(id))
    }

    /// Changes the row. `redeploy` changes `deployed_by`, as it changes the disks of deployers,
    /// too.
    fn change(&mut self, id: UnitId, touched: &mut Touched, change: impl FnOnce(&mut UnitRuntime)) {
        let unit = self.unit_mut(id, touched);
        let before = unit.deployed_by;
        change(unit);
        let after = std::mem::replace(&mut unit.deployed_by, before);
        if before != after {
            self.redeploy(id, after, touched);
        }
    }

    #[inline]
    fn restore(&mut self, id: UnitId, other: &Self) {
        put(&mut self.units, &other.units, id);
    }
}

impl RowTable<Membership> for Runtime {
    #[inline]
    fn look<T>(&self, (id, unit): (RelationId, UnitId), look: impl FnOnce(&Membership) -> T) -> T {
        look(&self.membership(id, unit))
    }

    fn change(
        &mut self,
        (id, unit): (RelationId, UnitId),
        touched: &mut Touched,
        change: impl FnOnce(&mut Membership),
    ) {
        let mut membership = self.membership(id, unit);
        change(&mut membership);
        self.set_membership(id, unit, membership, touched);
    }

    #[inline]
    fn restore(&mut self, (id, unit): (RelationId, UnitId), other: &Self) {
        self.memberships[id.index()].put(unit, other.membership(id, unit));
    }
}

impl RowTable<Sighting> for Runtime {
    #[inline]
    fn look<T>(&self, (id, unit): (RelationId, UnitId), look: impl FnOnce(&Sighting) -> T) -> T {
        look(&self.sighting(id, unit))
    }

    fn change(
        &mut self,
        (id, unit): (RelationId, UnitId),
        touched: &mut Touched,
        change: impl FnOnce(&mut Sighting),
    ) {
        self.change_sighting(id, unit, change, touched);
    }

    #[inline]
    fn restore(&mut self, key: (RelationId, UnitId), other: &Self) {
        self.put_sighting(key, other.sighting(key.0, key.1));
    }
}

impl RowTable<Client> for Runtime {
    fn look<T>(&self, id: ClientId, look: impl FnOnce(&Client) -> T) -> T {
        look(self.client(id).unwrap_or(&Client::default()))
    }

    fn change(&mut self, id: ClientId, touched: &mut Touched, change: impl FnOnce(&mut Client)) {
        change(self.client_mut(id, touched));
    }

    fn restore(&mut self, _: ClientId, other: &Self) {
        self.clients.clone_from(&other.clients);
    }
}

impl RowTable<Upgrade> for Runtime {
    fn look<T>(&self, (): (), look: impl FnOnce(&Upgrade) -> T) -> T {
        look(self.upgrade())
    }

    fn change(&mut self, (): (), touched: &mut Touched, change: impl FnOnce(&mut Upgrade)) {
        change(self.upgrade_mut(touched));
    }

    fn restore(&mut self, (): (), other: &Self) {
        self.upgrade = other.upgrade;
    }
}
