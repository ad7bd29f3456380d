//! Bad series and bad constraints.

use super::{diagnostics, plain};

/// A world of two machines and a principal with a subordinate, with this detail, more of `[world]`,
/// and more tables.
fn with(detail: &str, world: &str, tables: &str) -> String {
    format!(
        "shows = \"A test.\"\n[detail]\n{detail} = true\n[world]\n{world}\n[world.machines]\n\
         0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n[world.applications]\n\
         wordpress = {{ units = [\"1\"] }}\nlogging = {{ subordinate = true, most-units = 1 }}\n\
         [world.relations]\n\"wordpress:info logging:info\" = {{ scope = \"container\" }}\n{tables}\n"
    )
}

/// The same with series: of machine 1, of the principal and of the subordinate application.
fn series(machine: &str, principal: &str, subordinate: &str) -> String {
    let text = with("series", "", "");
    let text = text.replace("[\"manage-model\"] ", "[\"manage-model\"], series = \"precise\" ");
    let text = text.replace("1 = {}", &format!("1 = {{ series = \"{machine}\" }}"));
    let text = text.replace("[\"1\"] ", &format!("[\"1\"], series = \"{principal}\" "));
    text.replace("most-units = 1 ", &format!("most-units = 1, series = \"{subordinate}\" "))
}

#[test]
fn bad_series_are_refused() {
    let _plain = plain();
    let without = series("precise", "precise", "precise").replace("series = true", "hooks = true");
    insta::assert_snapshot!(diagnostics([
        ("no series at all", with("series", "", "")),
        ("series without the detail", without),
        ("no name of a series", series("precise 12.04", "precise", "precise")),
        ("a unit on a machine of another", series("quantal", "precise", "precise")),
        ("a container relation of two", series("precise", "precise", "quantal")),
    ]));
}

#[test]
fn bad_constraints_are_refused() {
    let _plain = plain();
    let sets = |sets: &str| with("constraints", &format!("constraints = [{sets}]"), "");
    let many: Vec<String> = (0..15).map(|mem| format!("\"mem={mem}G\"")).collect();
    let tables = |tables: &str| {
        let world = "constraints = [\"mem=2G\", \"cpu=4\"]";
        with("constraints", world, tables)
    };
    let both = |world: &str, tables: &str| {
        let world = format!("constraints = [\"mem=2G\"]\n{world}");
        with("constraints", &world, tables).replacen("[detail]", "[detail]\nprovisioning = true", 1)
    };
    let user = |line: &str| tables(&format!("[user]\n\"{line}\" = 1"));
    insta::assert_snapshot!(diagnostics([
        ("constraints without the detail", with("hooks", "constraints = [\"mem=2G\"]", "")),
        ("no constraint", sets("\"mem\"")),
        ("no value", sets("\"mem=\"")),
        ("keys in another order", sets("\"mem=2G,cpu=4\"")),
        ("a set twice", sets("\"mem=2G\", \"mem=2G\"")),
        ("too many sets", sets(&many.join(", "))),
        ("a command without constraints", user("set-constraints wordpress")),
        ("a command with others", user("set-constraints wordpress mem=3G")),
        ("a command with what is not listed", user("set-model-constraints cpu=4,mem=2G")),
        ("an option without constraints", both("", "[user]\n\"resolved 1 --constraints\" = 1")),
        ("an option for no machine", both("", "[user]\n\"resolved 7 --constraints mem=2G\" = 1")),
        ("an option with others", both("", "[user]\n\"resolved 0 --constraints mem=3G\" = 1")),
        ("an option without the detail", user("resolved 0 --constraints mem=2G")),
        ("hardware that is none", both("hardware = [\"mem\"]", "")),
        ("hardware twice", both("hardware = [\"mem=2G\", \"mem=2G\"]", "")),
        ("hardware without a detail", with("constraints", "hardware = []", "")),
        ("a command for nobody", user("set-constraints drupal mem=2G")),
        ("a start with others", tables("[start.constraints]\nmodel = \"mem=3G\"")),
        ("a start that no command makes", tables("[start.constraints]\nmodel = \"cpu=4,mem=2G\"")),
        ("a start that is no text", tables("[start.constraints]\nwordpress = 2")),
        (
            "a script with others",
            tables("").replacen(
                "[detail]",
                "steps = \"client: set-model-constraints mem=3G\"\n[detail]",
                1
            )
        ),
        (
            "the model without the detail",
            with("hooks", "", "[expect.constraints]\nmodel = \"none\"")
        ),
    ]));
}
