//! The record of seeds that failed: a list in their scenario, so that they are run first from then
//! on.

use std::collections::BTreeSet;

use toml_edit::{Array, DocumentMut, Item, Table, Value};

use deathwatch_scenario::scenario::part_of;

/// The text of a file with `seeds` among the known ones of its scenario, or of that of a table
/// `also`; `None` if all of them are known already. Comments and layout stay as they are.
///
/// # Errors
/// If the list cannot be added to the text. The error says why.
pub fn record(source: &str, also: Option<&str>, seeds: &[u64]) -> Result<Option<String>, String> {
    let mut document: DocumentMut =
        source.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let part = part_of(&mut document, also).ok_or("it has no such table `also`")?;
    let table = part.entry("simulate").or_insert_with(|| Item::Table(Table::new()));
    let table = table.as_table_like_mut().ok_or("`simulate` is not a table")?;
    let known = table.entry("seeds").or_insert_with(|| Item::Value(Array::new().into()));
    let known = known.as_array_mut().ok_or("`simulate.seeds` is not an array")?;
    let mut there: BTreeSet<i64> = known.iter().filter_map(Value::as_integer).collect();
    let before = known.len();
    for seed in seeds {
        let seed = i64::try_from(*seed).map_err(|_| format!("seed {seed} is too large"))?;
        if there.insert(seed) {
            push(known, seed);
        }
    }
    Ok((known.len() > before).then(|| document.to_string()))
}

/// Adds a seed, with the layout of the one before it.
fn push(known: &mut Array, seed: i64) {
    let is_lined_up = |value: &Value| {
        value.decor().prefix().and_then(|it| it.as_str()).is_some_and(|it| it.contains('\n'))
    };
    // A comment before the last seed is about that seed, so only the white space is copied.
    let indent = known.iter().last().filter(|last| is_lined_up(last)).map(|last| {
        let prefix = last.decor().prefix().and_then(|it| it.as_str()).unwrap_or_default();
        let space = prefix.rsplit('\n').next().unwrap_or_default();
        format!("\n{space}")
    });
    match indent {
        None => known.push(seed),
        Some(indent) => {
            let value = Value::from(seed).decorated(indent, "");
            known.push_formatted(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(source: &str, seeds: &[u64]) -> String {
        record(source, None, seeds).expect("it can be recorded").expect("it is new")
    }

    #[test]
    fn comments_and_layout_stay() {
        let source = "# A story.\nshows = \"x\"  # why\n\n[simulate]\nhours = 3\nseeds = [4, 17] # known\n\n[claims]\n";
        assert_eq!(recorded(source, &[17, 9]), source.replace("[4, 17]", "[4, 17, 9]"));
    }

    #[test]
    fn a_list_of_lines_gets_a_line_more() {
        let source = "[simulate]\nseeds = [\n    4,\n    # The bad one.\n    17,\n]\n";
        assert_eq!(recorded(source, &[9]), source.replace("17,\n", "17,\n    9,\n"));
    }

    #[test]
    fn what_is_not_there_is_made() {
        assert_eq!(
            recorded("shows = \"x\"\n", &[1, 2, 1]),
            "shows = \"x\"\n\n[simulate]\nseeds = [1, 2]\n"
        );
        assert_eq!(
            recorded("[simulate]\nhours = 3\n", &[1]),
            "[simulate]\nhours = 3\nseeds = [1]\n"
        );
        assert_eq!(
            recorded("simulate = { hours = 3 }\n", &[1]),
            "simulate = { hours = 3 , seeds = [1] }\n"
        );
    }

    #[test]
    fn nothing_new_is_no_change() {
        assert_eq!(record("[simulate]\nseeds = [ 4 ]\n", None, &[4]), Ok(None));
        assert_eq!(
            record("simulate = 3\n", None, &[4]),
            Err("`simulate` is not a table".to_owned())
        );
        assert!(record("[simulate]\nseeds = 4\n", None, &[4]).is_err());
        assert!(record("[simulate", None, &[4]).is_err());
        assert!(record("", None, &[u64::MAX]).is_err());
    }
}
