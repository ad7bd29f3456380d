//! The rest of the table `[start]` when elements are removed, with the new names of the elements
//! that stay.

use toml::{Table, Value};

use super::remove::Removal;

impl Removal {
    /// The remaining entries of `[start]`, by their new names.
    pub(super) fn start(&self, entries: &Table) -> Table {
        let rest = entries.iter().filter_map(|(key, value)| {
            let value = match value {
                Value::Table(fields) => {
                    let fields = fields.iter().filter_map(|(subject, value)| {
                        Some((self.stated(subject)?, self.stated_value(value)?))
                    });
                    Value::Table(fields.collect())
                }
                value => self.stated_value(value)?,
            };
            let is_empty = value.as_table().is_some_and(Table::is_empty);
            (!is_empty).then(|| (key.clone(), value))
        });
        rest.collect()
    }

    /// The value with the new names of the elements in it; `None` if it names a removed one.
    fn stated_value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::String(name) => self.stated(name)?.into(),
            Value::Array(list) => {
                Value::Array(list.iter().filter_map(|it| self.stated_value(it)).collect())
            }
            Value::Table(counts) => {
                let counts = counts.iter().filter_map(|(command, count)| {
                    Some((self.new_key("user", command)?, count.clone()))
                });
                Value::Table(counts.collect())
            }
            value => value.clone(),
        })
    }

    /// The new form of a name or of a cleanup document, which has a name in it.
    fn stated(&self, text: &str) -> Option<String> {
        let kinds = ["settings of ", "units of ", "force unit ", "force machine "];
        let prefix = kinds.into_iter().find(|prefix| text.starts_with(prefix)).unwrap_or_default();
        let name = &text[prefix.len()..];
        if self.has_relation(name) || self.has_application(name) || self.has_machine(name) {
            return None;
        }
        Some(format!("{prefix}{}", self.new_name(name)?))
    }
}
