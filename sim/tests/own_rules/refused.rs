//! Mistakes in rules: each is told with its place, and with what was expected.

use std::fmt::Write as _;

use crate::common::{parse, render};

fn with(tables: &str) -> String {
    format!(
        "shows = \"A test.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
         [world.applications]\nwordpress = {{ units = [\"1\"] }}\nmysql = {{}}\n\
         [world.relations]\n\"wordpress:db mysql:server\" = {{}}\n{tables}\n"
    )
}

/// A scenario with a rule that says this.
fn rule(says: &str) -> String {
    with(&format!("[rule.\"a rule\"]\n{says}"))
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a list of mistakes")]
fn each_mistake_is_told_with_its_place() {
    let duty = "actor = \"machine-agent\"\neach = \"machine\"\n";
    let only = "only = \"set-unit-dead\"\neach = \"unit\"\n";
    let machine = |act: &str| rule(&format!("{duty}act = \"{act}\""));
    let sources = [
        ("a rule that does nothing", rule("each = \"unit\"")),
        ("a rule that does two things", rule(&format!("{only}act = \"destroy-unit {{it}}\""))),
        ("an unknown key", rule("onyl = \"set-unit-dead\"")),
        (
            "a key that belongs to another form",
            rule("only = \"set-unit-dead\"\nof = \"integrate\""),
        ),
        ("a duty of nobody", rule("each = \"unit\"\nact = \"destroy-unit {it}\"")),
        ("a duty towards nothing", rule("actor = \"cleaner\"\nact = \"destroy-unit wordpress/0\"")),
        ("an unknown actor", rule("actor = \"machine-agnet\"\neach = \"machine\"\nact = \"x\"")),
        (
            "a duty of the user",
            rule("actor = \"user\"\neach = \"unit\"\nact = \"destroy-unit {it}\""),
        ),
        ("a rule for faults", rule("only = \"crash\"\nwhen = 'true'")),
        ("a rule of faults", rule("actor = \"faults\"\neach = \"unit\"\nact = \"crash {it}\"")),
        ("an unknown kind of rows", rule("actor = \"cleaner\"\neach = \"units\"\nact = \"x\"")),
        ("rows of others", rule("actor = \"machine-agent\"\neach = \"unit\"\nact = \"x\"")),
        ("an unknown act", machine("destroy-machin {it}")),
        ("an act about something else", machine("destroy-unit {it}")),
        ("an unknown name in an act", machine("destroy-machine {machine}")),
        ("a brace that is not closed", machine("destroy-machine {it")),
        ("an act that lacks something", machine("destroy-machine")),
        ("an act of another duty", machine("deploy-unit wordpress/0")),
        ("an act that begins", machine("begin destroy-machine {it}")),
        ("a machine that is added", machine("add-machine {it}")),
        ("an unknown verb", rule("only = \"run-brokn-hook\"\nwhen = 'true'")),
        (
            "an act that the actor does not do",
            rule(&format!("{only}actor = \"operator\"\nwhen = 'true'"))
                .replace("set-unit-dead", "deploy-unit"),
        ),
        (
            "rows that no act has",
            rule("only = \"set-unit-dead\"\neach = \"machine\"\nwhen = 'true'"),
        ),
        ("an order without a condition", rule(only)),
        ("a condition that is none", rule(&format!("{only}when = 'it.life =='"))),
        ("an unknown field", rule(&format!("{only}when = 'it.lief == \"dying\"'"))),
        (
            "what an act does not name",
            rule("only = \"leave-scope\"\nwhen = 'machine(act.machine).exists'"),
        ),
        ("an act as a value", rule("only = \"leave-scope\"\nwhen = 'act == act'")),
        (
            "somebody else's memory",
            rule(
                "only = \"deploy-unit\"\nactor = \"machine-agent\"\neach = \"machine\"\nwhen = 'unit_agent(act.unit).down'",
            ),
        ),
        (
            "the memory of all",
            rule(&format!(
                "{duty}act = \"destroy-machine {{it}}\"\nwhen = 'unit_agents.all(a, a.down)'"
            )),
        ),
        (
            "memory that nobody has",
            rule(
                "actor = \"cleaner\"\neach = \"unit\"\nwhen = 'unit_agent(it.name).down'\nact = \"destroy-unit {it}\"",
            ),
        ),
        (
            "history",
            rule(
                "actor = \"cleaner\"\neach = \"unit\"\nwhen = 'unit_history(it.name).restarted'\nact = \"destroy-unit {it}\"\n[detail]\nhooks = true",
            ),
        ),
        ("what nobody can know", rule(&format!("{only}when = 'quiescent'"))),
        (
            "an unknown reason",
            rule("refusal = \"it exists alredy\"\nof = \"integrate\"\nbecomes = \"no-op\""),
        ),
        (
            "a reason that does not occur",
            rule("refusal = \"it has subordinates\"\nof = \"integrate\"\nbecomes = \"no-op\""),
        ),
        (
            "an unknown operation",
            rule("refusal = \"it exists already\"\nof = \"integrat\"\nbecomes = \"no-op\""),
        ),
        (
            "an unknown end",
            rule("refusal = \"it exists already\"\nof = \"integrate\"\nbecomes = \"noop\""),
        ),
        ("a refusal of nothing", rule("refusal = \"it exists already\"\nbecomes = \"no-op\"")),
        (
            "a name of the protocol",
            with("[rule.\"remove-unit.4\"]\nonly = \"set-unit-dead\"\nwhen = 'true'"),
        ),
        ("a clause without a branch", rule("clause = \"remove-unit.3\"\nwhen = 'true'")),
        ("an unknown clause", rule("clause = \"remove-unit.44\"\nwhen = 'true'")),
        ("a branch without a condition", rule("clause = \"remove-unit.4\"")),
        (
            "a branch in a split world",
            rule("clause = \"remove-unit.4\"\nwhen = 'true'\n[world]\ntransactions = \"split\"")
                .replacen(
                    "[world.machines]\n",
                    "world.transactions = \"split\"\n[world.machines]\n",
                    1,
                )
                .replacen("\n[world]\ntransactions = \"split\"", "", 1),
        ),
        (
            "a rule that is not there",
            "shows = \"A test.\"\nwitnesses = [\"a rule\"]\n[world.applications]\nwordpress = {}\n"
                .to_owned(),
        ),
        ("a clause at no place", with("[switch-off]\nclauses = [\"unit-agent.1 wordpress/7\"]")),
        (
            "a clause that is on or off for all",
            with("[switch-off]\nclauses = [\"unit-agent.16 wordpress/0\"]"),
        ),
        (
            "a duty of no such agent",
            with("[switch-off]\nneglected = [\"unit-agent.10 cleaner x\"]"),
        ),
        (
            "a field that is hidden in the outline",
            rule(
                "only = \"destroy-application\"\neach = \"application\"\n\
                 when = '!it.exists || !it.exposed'\n\
                 [detail]\nhooks = true\ncharm = true\n[check]\nrefines = true",
            ),
        ),
        (
            "a variant that the outline has otherwise",
            rule(&format!(
                "{only}when = 'variant(\"placement\") == \"clean-machine-that-satisfies\"'\n[variants]\n\
                 placement = \"clean-machine-that-satisfies\"\n[detail]\nconstraints = true\n\
                 [check]\nrefines = true"
            )),
        ),
        (
            "rows that the outline has not",
            rule(
                "only = \"leave-scope\"\nactor = \"unit-agent\"\n\
                 when = 'unit_hooks(me).phase == \"started\"'\n\
                 [detail]\nhooks = true\n[check]\nrefines = true",
            ),
        ),
        (
            "hooks that have other names in the outline",
            rule(
                "only = \"run-hooks\"\nwhen = 'true'\n[detail]\nhooks = true\n\
                 relations = true\n[check]\nrefines = true",
            ),
        ),
    ];
    let mut told = String::new();
    for (what, source) in sources {
        let Err(problem) = parse(&source) else { panic!("{what} is no mistake\n{source}") };
        let place = problem.position().expect("it has a place");
        let _ = write!(told, "## {what} ({place})\n{}\n", render(&problem));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(told));
}
