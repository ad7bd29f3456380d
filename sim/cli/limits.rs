//! Limits: the time, the memory and the number of states that an answer may cost.
//!
//! A bound of zero would answer nothing, and an absurdly large one is a mistake or no bound at all.
//! Both are refused before any time is spent.

use std::{num::NonZero, thread, time::Duration};

use clap::ValueEnum as _;
use deathwatch_claims::check::{Caching, Symmetry};
use deathwatch_show::text::show_size;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The greatest number of threads, more than a machine has cores.
const MOST_THREADS: usize = 1024;
/// The greatest number of states: as many as several processes can number together.
const MOST_STATES: u64 = 1 << 40;
/// The greatest number of tries, more than there is time for.
const MOST_TRIES: u64 = 1_000_000_000_000;
/// The longest time: a year.
const MOST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The flags that bound a search.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Limits {
    /// The number of threads [default: one per core]; the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,

    /// Do not remember what was computed, but compute it anew in each state: slower, and the
    /// answer does not depend on it
    #[arg(long)]
    pub(crate) no_cache: bool,

    /// Give up on a scenario rather than explore more states than this
    #[arg(long, value_name = "N", value_parser = states)]
    pub(crate) max_states: Option<u64>,

    /// Give up rather than use more memory, such as 8GiB [default: three quarters of what is free,
    /// or of what `ulimit -v` leaves]
    ///
    /// Counts the states, their transitions and the decision of what must follow. It does not count
    /// the program itself, some 16 MiB, nor what threads remember to look it up: at most an eighth
    /// of this, and 72 MiB for each thread, or 576 MiB where more than 64 renamings are compared.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) max_memory: Option<u64>,

    /// Give up after this long in all, such as 90s, 10m or 1h30m [default: never]
    #[arg(long, value_name = "DURATION", value_parser = time)]
    pub(crate) time: Option<Duration>,
}

/// Whether a search may let one state stand for others.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct SymmetryArgs {
    /// Explore one state for all that differ only in which of some units and machines is which;
    /// the answer does not depend on it
    ///
    /// Whether it can be done is found out during the search. What shows a violation may be another
    /// run, as long as the one that would be shown else. Where a search is asked for the outline,
    /// each state is explored.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) symmetry: SymmetryName,
}

impl SymmetryArgs {
    /// The flag as it was given; `None` for the default.
    pub(crate) fn flag(self) -> Option<String> {
        let value = self.symmetry.to_possible_value().expect("all have names");
        let is_default = matches!(self.symmetry, SymmetryName::Auto);
        (!is_default).then(|| format!("--symmetry {}", value.get_name()))
    }
}

/// When one state stands for others.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default)]
pub(crate) enum SymmetryName {
    /// In a world with more than 16384 states
    #[default]
    Auto,
    /// In every world
    On,
    /// In none
    Off,
}

impl From<SymmetryName> for Symmetry {
    fn from(name: SymmetryName) -> Self {
        match name {
            SymmetryName::Auto => Self::Auto,
            SymmetryName::On => Self::On,
            SymmetryName::Off => Self::Off,
        }
    }
}

impl Limits {
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(available_threads)
    }

    pub(crate) fn caching(&self) -> Caching {
        if self.no_cache { Caching::Off } else { Caching::On }
    }

    /// The flag without which a search is another one: in large worlds it explores other states.
    pub(crate) fn cache_flag(&self) -> Option<String> {
        self.no_cache.then(|| "--no-cache".to_owned())
    }

    /// The flags on which answers depend, as a journal keeps them. The others change the time of an
    /// answer alone, or end a search without an answer to keep.
    pub(crate) fn of_answers(&self) -> impl Iterator<Item = String> {
        let Self { threads: _, no_cache: _, max_states, max_memory, time: _ } = self;
        let states = max_states.map(|states| format!("--max-states {states}"));
        let memory = max_memory.map(|bytes| format!("--max-memory {bytes}B"));
        states.into_iter().chain(memory)
    }

    /// The number of bytes that may be used: those that the user gives, else three quarters of the
    /// free memory, or without limit if this machine does not report it.
    pub(crate) fn max_bytes(&self) -> Option<u64> {
        self.max_memory.or_else(free_bytes)
    }
}

/// The greatest number of bytes without `--max-memory`: three quarters of the free memory, or of
/// the addresses that this process may still have if these are fewer; `None` if this machine
/// reports neither.
pub(crate) fn free_bytes() -> Option<u64> {
    let free = SystemMemory::now().map(|memory| memory.available);
    let least = free.into_iter().chain(free_addresses()).min();
    least.map(|free| free / 4 * 3)
}

/// The number of bytes for which this process may still have addresses, if that is limited
/// (`ulimit -v`): without those that the stacks and heaps of threads reserve, of which they use
/// little.
#[cfg(target_os = "linux")]
fn free_addresses() -> Option<u64> {
    use rustix::{
        param::page_size,
        process::{Resource, getrlimit},
    };

    /// The addresses that a thread reserves: its stack, and a heap of its own.
    const BY_THREAD: u64 = 72 << 20;

    let most = getrlimit(Resource::As).current?;
    let used = std::fs::read_to_string("/proc/self/statm").ok()?;
    let used: u64 = used.split(' ').next()?.parse().ok()?;
    let threads = u64::try_from(available_threads()).ok()?;
    Some(most.saturating_sub(used * page_size() as u64 + threads * BY_THREAD))
}

#[cfg(not(target_os = "linux"))]
fn free_addresses() -> Option<u64> {
    None
}

/// The number of threads that this machine runs at once.
pub(crate) fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The memory of this machine, or of the container we run in.
struct SystemMemory {
    total: u64,
    available: u64,
}

impl SystemMemory {
    fn now() -> Option<Self> {
        let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kind).ok()?;
        let (total, available) = (system.total_memory(), system.available_memory());
        let memory = match system.cgroup_limits() {
            Some(limits) if limits.total_memory > 0 => Self {
                total: total.min(limits.total_memory),
                available: available.min(limits.free_memory),
            },
            _ => Self { total, available },
        };
        (memory.total > 0).then_some(memory)
    }
}

pub(crate) fn threads(text: &str) -> Result<usize, String> {
    count(text, MOST_THREADS)
}

/// A number of things from 1 to `most`.
pub(crate) fn count(text: &str, most: usize) -> Result<usize, String> {
    let most = u64::try_from(most).map_err(|error| error.to_string())?;
    usize::try_from(number(text, most)?).map_err(|error| error.to_string())
}

pub(crate) fn states(text: &str) -> Result<u64, String> {
    number(text, MOST_STATES)
}

pub(crate) fn tries(text: &str) -> Result<u64, String> {
    number(text, MOST_TRIES)
}

/// A number from 1 to `most`.
fn number(text: &str, most: u64) -> Result<u64, String> {
    let expected = || format!("expected a number from 1 to {most}");
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected());
    }
    match text.parse() {
        Ok(0) => Err(format!("nothing can be found within a bound of zero; {}", expected())),
        Ok(number) if number <= most => Ok(number),
        Ok(_) | Err(_) => Err(format!("that is too large; {}", expected())),
    }
}

/// An amount of memory, in bytes.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let bytes = size(text)?;
    match SystemMemory::now() {
        Some(memory) if bytes > memory.total => {
            let total = show_size(memory.total);
            Err(format!("that protects from nothing: this machine has {total} in all"))
        }
        _ => Ok(bytes),
    }
}

/// A size, as in "8GiB".
fn size(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a size, such as 512MiB or 8GiB";
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim_start() {
        _ if number.is_empty() => return Err(EXPECTED.to_owned()),
        "" if number.trim_matches('0').is_empty() => 1,
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000_u64,
        _ => return Err(EXPECTED.to_owned()),
    };
    let bytes = number.parse().ok().and_then(|number: u64| number.checked_mul(factor));
    match bytes {
        Some(0) => Err(format!("nothing can be found without memory; {EXPECTED}")),
        Some(bytes) => Ok(bytes),
        None => Err(format!("that is too large; {EXPECTED}")),
    }
}

/// A duration, as in "1h30m".
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a duration, such as 90s, 10m or 1h30m";
    let too_large = || format!("that is too long; {EXPECTED}, a year at most");
    let mut total = Duration::ZERO;
    let mut rest = if text == "0" { "0s" } else { text };
    while !rest.is_empty() {
        let (number, unit, after) = part(rest).ok_or(EXPECTED)?;
        let milliseconds = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(EXPECTED.to_owned()),
        };
        let number: u64 = number.parse().map_err(|_| too_large())?;
        let part = number.checked_mul(milliseconds).map(Duration::from_millis);
        total = part.and_then(|part| total.checked_add(part)).ok_or_else(too_large)?;
        rest = after;
    }
    match total {
        _ if text.is_empty() => Err(EXPECTED.to_owned()),
        Duration::ZERO => Err(format!("nothing can be found in no time; {EXPECTED}")),
        total if total > MOST_TIME => Err(too_large()),
        total => Ok(total),
    }
}

/// The first number of `text`, its unit, and the rest.
fn part(text: &str) -> Option<(&str, &str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (unit, after) = rest.split_at(letters);
    (digits > 0 && letters > 0).then_some((number, unit, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_from_one_to_the_most() {
        assert_eq!(number("1", 8), Ok(1));
        assert_eq!(number("8", 8), Ok(8));
        for bad in ["0", "00", "9", "-1", "+1", "", "x", "1.5", "99999999999999999999999"] {
            assert!(number(bad, 8).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_a_unit() {
        assert_eq!(size("8GiB"), Ok(8 << 30));
        assert_eq!(size("1 MB"), Ok(1_000_000));
        for bad in ["", "8", "GiB", "0GiB", "-1GiB", "8gib", "1.5GiB", "99999999999TiB"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_add_up() {
        assert_eq!(time("1h30m"), Ok(Duration::from_secs(5400)));
        assert_eq!(time("250ms"), Ok(Duration::from_millis(250)));
        for bad in ["", "10", "s", "0s", "0h0m", "-1s", "1y", "10m5", "366d", "99999999999999999d"]
        {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_shown_in_the_largest_unit_that_fits() {
        assert_eq!(show_size(1023), "1023 B");
        assert_eq!(show_size(1536), "1.5 KiB");
        assert_eq!(show_size(u64::MAX), "17179869183.9 GiB");
    }
}
