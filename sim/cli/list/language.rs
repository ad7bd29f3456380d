//! Lists of the language of scenarios: steps, refusals, fields, and rows with their conditions.

use deathwatch_language::{KINDS, QUIESCENT, VARIANT, list_name};
use deathwatch_model::{clause::Clause, txn::Why};
use deathwatch_scenario::scenario::{
    FieldForm, detail_of, field_forms,
    language::{self, FORMS, Form},
};
use serde_json::json;

use super::List;

impl List {
    /// Adds rows of the scenario language.
    fn forms(&mut self, kind: &str, forms: &[Form]) {
        for Form { form, example, meaning } in forms {
            self.line(&format!("  {form}  {meaning}  ({example})"));
            let name = form.trim_start_matches("=> ");
            self.items.push(json!({
                "kind": kind,
                "name": name,
                "form": form,
                "means": meaning,
                "example": example,
            }));
        }
    }
}

pub(super) fn steps() -> List {
    let mut list = List::new("steps");
    list.line("A line of a script is an actor and a step. An actor:");
    list.forms("actor", &FORMS.actors);
    list.line("A step, below the actors that do it:");
    let mut actors = "";
    for step in language::steps() {
        if step.actors != actors {
            actors = step.actors;
            list.line(&format!("  {actors}:"));
        }
        let (form, meaning, example) = (step.form(), step.row.meaning, step.example());
        list.line(&format!("    {form}  {meaning}  ({example})"));
        list.items.push(json!({
            "kind": "step",
            "name": step.row.verb,
            "form": form,
            "arguments": step.arguments(),
            "actors": actors.split(", ").collect::<Vec<_>>(),
            "means": meaning,
            "example": example,
        }));
    }
    list.line("What scripts say beside that, where transactions are split or actors run:");
    list.forms("script", &FORMS.steps);
    list.line("An outcome, behind a step that is not meant to do anything:");
    list.forms("outcome", &FORMS.outcomes);
    list.line("What a rule of a scenario's own says of a step, in a table [rule.\"NAME\"]:");
    list.forms("rule", &FORMS.rules);
    list
}

pub(super) fn refusals() -> List {
    let mut list = List::new("refusals");
    for why in Why::ALL {
        let clauses: Vec<String> = why.clauses().iter().map(Clause::to_string).collect();
        let (text, example) = (why.text(), why.example());
        list.line(&format!("{text}  ({}; {example})", clauses.join(", ")));
        list.items.push(json!({
            "name": text,
            "clauses": clauses,
            "example": format!("{example} => refused: {text}"),
        }));
    }
    list
}

/// The fields of `[expect]` and `[start]`.
pub(super) fn fields() -> List {
    let mut list = List::new("fields");
    for FieldForm { name, row, of, key, detail, values, is_settable, meaning } in field_forms() {
        let where_not = if is_settable { "" } else { "  (not in [start])" };
        let needs = needs(detail);
        list.line(&format!(
            "{name}  of {of}, such as \"{key}\": {values}{needs}  {meaning}{where_not}"
        ));
        list.items.push(json!({
            "name": name,
            "row": row,
            "of": of,
            "key": key,
            "detail": detail,
            "values": values,
            "means": meaning,
            "start": is_settable,
        }));
    }
    list
}

/// The note of the detail that a field needs.
fn needs(detail: Option<&str>) -> String {
    detail.map_or_else(String::new, |detail| format!("; needs {detail}"))
}

/// The rows that conditions are about.
pub(super) fn rows() -> List {
    let mut list = List::new("rows");
    let keys: Vec<(&str, &str)> = field_forms().map(|it| (it.row, it.name)).collect();
    for kind in KINDS {
        let (name, about) = (kind.name(), kind.about());
        let found = deathwatch_language::finder(kind);
        let found_by = found.as_ref().map_or(String::new(), |it| format!(", one by {it}"));
        let all = list_name(kind);
        list.line(&format!("{name}  {about}; all of them are `{all}`{found_by}"));
        let mut fields = Vec::new();
        for field in deathwatch_language::fields(kind) {
            let (values, meaning) = (field.values(), field.meaning);
            let guard = match (field.needs_guard(true), field.is_of_step()) {
                (true, _) => "; where it exists",
                (false, true) => "; of a step",
                (false, false) => "",
            };
            let detail = detail_of(kind, field.declared.map_or("", |it| it.name));
            let needs = needs(detail);
            list.line(&format!("  {}  {values}{guard}{needs}  {meaning}", field.name));
            let key = field.declared.map(|it| it.name).filter(|key| keys.contains(&(name, *key)));
            fields.push(json!({
                "name": field.name,
                "key": key,
                "values": values,
                "detail": detail,
                "guarded": field.needs_guard(true),
                "means": meaning,
            }));
        }
        list.items.push(json!({
            "name": name,
            "about": about,
            "list": all,
            "found_by": found,
            "fields": fields,
        }));
    }
    let quiescent = "whether nobody can move who is assumed to act";
    list.line(&format!("{QUIESCENT}  of the whole state: true or false  {quiescent}"));
    list.items.push(json!({ "name": QUIESCENT, "about": quiescent }));
    let variant = "the value of a variant, one of those that `list variants` names";
    list.line(&format!("{VARIANT}(NAME)  of the world: {variant}"));
    list.items.push(json!({ "name": VARIANT, "about": variant }));
    list
}
