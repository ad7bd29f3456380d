//! Renamed states: facts about a unit or a machine become facts about its image.

use super::*;
use crate::ids::{EntityId, Rename as _, Renaming};

/// Two units of the first application and two machines exchange their names.
fn exchange(world: &World) -> Renaming {
    let units = [3, 70].map(|index| EntityId::Unit(UnitId::new(index)));
    let machines = [2, 65].map(|index| EntityId::Machine(MachineId::new(index)));
    let swaps = [(units[0], units[1]), (machines[0], machines[1])];
    world.renaming(&swaps).expect("no command names one of them")
}

fn renamed(codec: &Codec, words: &[u64], by: &Renaming, txns: &mut Local<Txn>) -> Vec<u64> {
    let (mut scratch, mut renamed) = (RenamedRows::new(&world()), vec![0; words.len()]);
    for index in 0..codec.rows() {
        codec.pack_renamed(words, index, by, (&mut scratch, txns), &mut renamed);
    }
    renamed
}

#[test]
fn what_is_said_of_one_is_said_of_the_other() {
    let world = world();
    let start = start(&world);
    let codec = Codec::new(&world, &start).expect("it is not too large");
    let by = exchange(&world);
    assert!(codec.fits(&by) && !by.is_identity() && by.then(&by).is_identity());
    let (mut txns, mut other) = (Local::default(), Local::default());
    let mut chance =
        RandomChange { rng: ChaCha8Rng::seed_from_u64(3), world: &world, touched: Touched::new() };
    let (mut state, mut there) = (start.clone(), start.clone());
    let mut here = codec.pack(&start, &mut txns);
    for _ in 0..60 {
        for _ in 0..chance.below(80) {
            chance.change(&mut state);
        }
        let words = codec.pack(&state, &mut txns);
        let image = renamed(&codec, &words, &by, &mut txns);
        assert_eq!(renamed(&codec, &image, &by, &mut txns), words, "and back");
        codec.unpack(&mut here, &image, &mut other, &mut there, &mut Touched::new());
        for id in world.unit_ids() {
            let (mine, theirs) = (state.store.unit(id), there.store.unit(id.renamed(&by)));
            assert_eq!(mine.map(|it| it.life), theirs.map(|it| it.life));
            assert_eq!(
                mine.map(|it| it.placement.renamed(&by)),
                theirs.map(|it| it.placement),
                "a placement names a machine or a unit"
            );
            let subordinates = mine.map(|it| it.subordinates.renamed(&by));
            assert_eq!(subordinates.as_ref(), theirs.map(|it| &it.subordinates));
            let agents = [state.runtime.unit(id), there.runtime.unit(id.renamed(&by))];
            assert_eq!(agents[0].charm, agents[1].charm);
            assert_eq!(agents[0].deployed.renamed(&by), *agents[1].deployed, "it follows");
            let relation = RelationId::new(0);
            let [mine, theirs] = [(&state, id), (&there, id.renamed(&by))]
                .map(|(state, id)| state.store.in_scope(relation, id));
            assert_eq!(mine, theirs);
        }
        for id in world.machine_ids() {
            let (mine, theirs) = (state.store.machine(id), there.store.machine(id.renamed(&by)));
            assert_eq!(mine.map(|it| it.life), theirs.map(|it| it.life));
            let principals = mine.map(|it| it.principals.renamed(&by));
            assert_eq!(principals.as_ref(), theirs.map(|it| &it.principals));
        }
        let pending = |state: &State| {
            let mut all: Vec<Txn> =
                state.runtime.pending_txns().map(|txn| (**txn).clone()).collect();
            all.sort_unstable();
            all
        };
        let mut mine: Vec<Txn> = pending(&state).iter().map(|txn| txn.renamed(&by)).collect();
        mine.sort_unstable();
        assert_eq!(mine, pending(&there));
    }
}

#[test]
fn what_can_be_said_of_one_alone_does_not_fit() {
    let (world, host) = (world(), MachineId::new(7));
    let codec = Codec::new(&world, &start(&world)).expect("it is not too large");
    let swaps = [(EntityId::Machine(MachineId::new(2)), EntityId::Machine(host))];
    let by = world.renaming(&swaps).expect("no command names a machine");
    assert!(!codec.fits(&by), "one of them can have a container");
    let forced = [(EntityId::Unit(UnitId::new(0)), EntityId::Unit(UnitId::new(1)))];
    assert_eq!(world.renaming(&forced), None, "a command may be given for one of them");
}
