//! Help: flags below headings, in the same order for all commands; those that few people need are
//! in `--help` only.

use clap::{Arg, Command};

/// Headings, each with the flags below it. Flags without a heading are the command's own question.
const HEADINGS: [(&str, &str); 4] = [
    ("Limits", "time max-states max-memory max-steps tries states threads jobs"),
    (
        "Output",
        "format output html verbose quiet timings color write-traces write-graph subject \
         write-scenario write-end help",
    ),
    ("Continuous integration", "shard journal baseline watch keep-going"),
    (
        "Large worlds",
        "no-cache symmetry spill checkpoint resume processes cluster process secret connect-within",
    ),
];

/// Flags that are left out of the short help.
const RARE: &str = "engine no-cache symmetry spill checkpoint resume processes cluster process \
    secret connect-within subject write-graph write-traces timings";

/// A command with its flags below headings.
pub(crate) fn with_headings(command: Command) -> Command {
    let command = command.mut_args(placed);
    command.mut_subcommands(with_headings)
}

fn placed(arg: Arg) -> Arg {
    let Some(name) = arg.get_long().map(str::to_owned) else { return arg };
    let is_among = |flags: &str| flags.split(' ').any(|flag| flag == name);
    let heading = HEADINGS.iter().find(|(_, flags)| is_among(flags));
    let arg = if is_among(RARE) { arg.hide_short_help(true) } else { arg };
    match heading {
        Some((heading, _)) => arg.help_heading(*heading),
        None => arg,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::command_line;

    #[test]
    fn every_flag_of_the_tables_is_one_of_some_command() {
        let mut known = BTreeSet::from(["help".to_owned(), "color".to_owned()]);
        for command in command_line().get_subcommands() {
            known.extend(command.get_arguments().filter_map(Arg::get_long).map(str::to_owned));
        }
        let named = HEADINGS.iter().map(|(_, flags)| *flags).chain([RARE]);
        let named = named.flat_map(|flags| flags.split(' '));
        let unknown: Vec<&str> = named.filter(|it| !known.contains(*it)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn the_short_help_of_a_command_fits_two_screens() {
        for mut command in command_line().get_subcommands().cloned() {
            let lines = command.render_help().to_string().lines().count();
            let all = command.render_long_help().to_string();
            assert!(lines <= 90, "{}: {lines}", command.get_name());
            let shown = command.get_arguments().filter(|it| !it.is_hide_set());
            for flag in shown.filter_map(Arg::get_long) {
                assert!(all.contains(&format!("--{flag}")), "{}: {flag}", command.get_name());
            }
        }
    }
}
