//! The numbers of pending transactions: final once a state is known, the same with any number of
//! threads, and never one number for two.

use deathwatch_checker::{
    Stop,
    explore::{
        ExploreOptions, ExploredSpace, NewStates, Refused, SearchLimits, Space, Successors, explore,
    },
    graph::Label,
};

use super::*;
use crate::actor::Client;

/// Machines: enough for a few words.
fn machines() -> World {
    let machine = |index: usize| MachineDef {
        name: index.to_string(),
        parent: None,
        manages_model: index == 0,
        hosts_units: true,
        never_starts: false,
    };
    WorldBuilder {
        machines: (0..8).map(machine).collect(),
        transactions: Transactions::Split,
        tries: 3,
        ..WorldBuilder::default()
    }
    .build()
}

fn txn(number: usize) -> Arc<Txn> {
    Arc::new(Txn { operation: Operation::DestroyUnit(UnitId::new(number)), ops: Vec::new() })
}

/// A space in which a machine's agent plans one of `first` transactions, and then another's one of
/// 128 of its own.
struct Plans {
    codec: Codec,
    start: State,
    first: usize,
}

impl Plans {
    fn new(first: usize) -> Self {
        let world = machines();
        let start = State::empty(&world);
        let codec = Codec::new(&world, &start).expect("it is not too large");
        assert!(codec.words() > 1, "a state takes several words");
        Self { codec, start, first }
    }

    fn explored(self, threads: usize) -> ExploredSpace<Local<Txn>> {
        let options = ExploreOptions { threads, ..ExploreOptions::default() };
        explore(&self, &options, &SearchLimits::NONE, &|_| ())
    }

    /// A packed state, and which transactions the two machines' agents have planned in it.
    fn planned(&self, local: &mut Local<Txn>, words: &[u64]) -> (State, [Option<usize>; 2]) {
        let (mut state, mut here) = (self.start.clone(), self.codec.pack(&self.start, local));
        self.codec.unpack(&mut here, words, local, &mut state, &mut Touched::new());
        let planned = [0, 1].map(|machine| {
            let pending = state.runtime.pending_txn(Client::Machine(MachineId::new(machine)));
            pending.map(|txn| match txn.operation {
                Operation::DestroyUnit(unit) => unit.index(),
                _ => panic!("nobody plans anything else"),
            })
        });
        (state, planned)
    }
}

impl Space for Plans {
    type Worker = Local<Txn>;

    fn words(&self) -> usize {
        self.codec.words()
    }

    fn worker(&self) -> Local<Txn> {
        Local::default()
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![self.codec.pack(&self.start, &mut Local::default())]
    }

    fn expand(&self, local: &mut Local<Txn>, _: u64, state: &[u64], next: &mut Successors<'_>) {
        let (mut state, planned) = self.planned(local, state);
        let (machine, numbers) = match planned {
            [None, _] => (0, 0..self.first),
            [Some(first), None] => (1, self.first + 128 * first..self.first + 128 * (first + 1)),
            [Some(_), Some(_)] => return,
        };
        for number in numbers {
            let client = Client::Machine(MachineId::new(machine));
            state.runtime.set_pending(client, txn(number), &mut Touched::new());
            next.push(&self.codec.pack(&state, local), Label::FREE);
        }
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        self.codec
            .commit(|rewrite| new.for_each(rewrite), |_| Vec::new())
            .map_err(|Overflow| Refused)
    }

    fn merge(&self, _: &mut Local<Txn>, _: Local<Txn>) {}
}

#[test]
fn as_many_transactions_as_there_are_numbers_are_told_apart() {
    let most = (1 << TXN_BITS) - 1;
    let [one, three] = [1, 3].map(|threads| Plans::new(127).explored(threads));
    for found in [&one, &three] {
        assert_eq!((found.stopped, found.states as usize), (None, 1 + most));
    }
    assert!((0..one.states).all(|id| one.graph.state(id) == three.graph.state(id)));
}

#[test]
fn more_transactions_than_numbers_end_the_search() {
    for threads in [1, 3] {
        let found = Plans::new(128).explored(threads);
        assert_eq!(found.stopped, Some(Stop::Space));
        assert_eq!(found.states, 1 + 128, "what was found before is known");
    }
}

#[test]
fn what_is_pending_at_the_start_keeps_its_number() {
    let (world, mut touched) = (machines(), Touched::new());
    let mut start = State::empty(&world);
    let client = |machine| Client::Machine(MachineId::new(machine));
    start.runtime.set_pending(client(0), txn(7), &mut touched);
    let codec = Codec::new(&world, &start).expect("it is not too large");
    let words = codec.pack(&start, &mut Local::default());
    // Whatever else was planned since is forgotten.
    codec.txns.commit(|_| (), |_| Vec::new()).expect("there are enough numbers");
    let mut other = start.clone();
    other.runtime.set_pending(client(0), txn(8), &mut touched);
    assert_ne!(codec.pack(&other, &mut Local::default()), words);
    assert_eq!(codec.pack(&start, &mut Local::default()), words);
}

#[test]
fn the_numbers_of_a_state_are_those_of_its_pending_transactions() {
    let (world, mut touched) = (machines(), Touched::new());
    let mut state = State::empty(&world);
    let codec = Codec::new(&world, &state).expect("it is not too large");
    let mut local = Local::default();
    let mut packed = |state: &State| codec.pack(state, &mut local);
    let idle = packed(&state);
    assert_eq!((codec.greatest_number(&idle), codec.greatest_final_number()), (0, 0));
    for (machine, number) in [(0, 7), (1, 8), (2, 7)] {
        let client = Client::Machine(MachineId::new(machine));
        state.runtime.set_pending(client, txn(number), &mut touched);
    }
    let mut words = packed(&state);
    codec.commit(|each| each(&mut words), |_| Vec::new()).expect("there are enough numbers");
    let mut numbers: Vec<u32> = codec.numbers(&words).filter(|number| *number > 0).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 1, 2], "one transaction has one number");
    assert_eq!((codec.greatest_number(&words), codec.greatest_final_number()), (2, 2));
}
