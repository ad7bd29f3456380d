//! Conditions of a scenario's own claims in a smaller world: the units that they name have the
//! names of the rest.
//!
//! So a condition goes on being about the same units. One that names a unit which is removed would
//! be about another one of that name, so there is no such candidate: a claim keeps the units that
//! it names. Other entities keep their names, and a condition that names one which is removed means
//! nothing.

use toml::{Table, Value};

use super::elements::{Renamed, renamed_line};

/// `table` with the new names in the conditions of `[own]`; `None` if they name a unit that is
/// removed.
pub(super) fn renamed(mut table: Table, renamed: &Renamed) -> Option<Table> {
    let own = table.get_mut("own").and_then(Value::as_table_mut);
    for (_, claim) in own.into_iter().flatten() {
        let Some(claim) = claim.as_table_mut() else { continue };
        for (_, said) in claim.iter_mut().filter(|(key, _)| *key != "each") {
            match said {
                Value::String(condition) => rename(condition, renamed)?,
                Value::Table(both) => {
                    for (_, said) in both.iter_mut() {
                        let Value::String(condition) = said else { continue };
                        rename(condition, renamed)?;
                    }
                }
                _ => {}
            }
        }
    }
    Some(table)
}

/// Renames the units in the strings of a condition.
fn rename(condition: &mut String, renamed: &Renamed) -> Option<()> {
    let strings = deathwatch_language::strings(condition).expect("it was read before");
    for (span, text) in strings.into_iter().rev() {
        let now = renamed_line(&text, renamed)?;
        if now != text {
            // The names of units need no escapes.
            condition.replace_range(span.start + 1..span.end - 1, &now);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(condition: &str) -> Table {
        let text = format!("[own.\"it is so\"]\neach = \"unit\"\nalways = '''{condition}'''\n");
        toml::from_str(&text).expect("a table")
    }

    fn names() -> Renamed {
        let names = [("mysql/0", None), ("mysql/1", Some("mysql/0")), ("mysql/2", Some("mysql/1"))];
        names.into_iter().map(|(old, now)| (old.to_owned(), now.map(str::to_owned))).collect()
    }

    #[test]
    fn units_in_conditions_get_their_new_names() {
        let both = r#""mysql/1" in it.units || 'mysql/2' in it.units"#;
        let both_now = r#""mysql/0" in it.units || 'mysql/1' in it.units"#;
        let begun = r#"it.pending == "remove-unit mysql/2""#;
        let begun_now = r#"it.pending == "remove-unit mysql/1""#;
        let removed = r#"it.name != "mysql/0" && it.name != "mysql/1""#;
        let other = r#"it.name == "mysql/10""#;
        for (old, now) in [
            (both, Some(both_now)),
            (begun, Some(begun_now)),
            (removed, None),
            (other, Some(other)),
        ] {
            assert_eq!(renamed(table(old), &names()), now.map(table), "{old}");
        }
        let leads = "[own.x]\nleads = { from = \"unit('mysql/2').exists\", to = \"false\" }\n";
        let now = leads.replace("mysql/2", "mysql/1");
        let [leads, now] = [leads, &now].map(|text| toml::from_str(text).expect("a table"));
        assert_eq!(renamed(leads, &names()), Some(now));
    }
}
