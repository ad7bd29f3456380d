//! Places of clauses: a table from each clause of the protocol to the lines of the model that carry
//! it out, which pages show.
//!
//! The model cites a clause by number in the call that carries it out. A number is a citation where
//! it is the argument of a parameter called `number`, stands behind the name of a rule, or is
//! what a function or a variable says a number is. The rule is the one that the call names, or else
//! that of the function or the file.

mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use self::text::{
    RustFunction, constants, functions, is_of_name, last_name, numbers, statement, with_numbers,
    without_words,
};

/// The folder of the model that declares clauses, and carries out none.
const DECLARED: &str = "clause";
/// The folders in which constants may stand for the numbers of clauses.
const CITING: [&str; 2] = ["agents", "ops"];

#[expect(clippy::disallowed_methods, reason = "cargo says where the table goes")]
fn main() {
    let model = Path::new("../../model/src");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", model.display());
    let rules = rules(&read(&model.join("clause/rule/mod.rs")));
    let mut files = Vec::new();
    collect(model, &mut files);
    files.sort();
    let cites = |file: &&PathBuf| CITING.iter().any(|it| file.starts_with(model.join(it)));
    let named = files.iter().filter(cites).flat_map(|it| constants(&read(it))).collect();
    let sources: Vec<ModelFile> = files.iter().map(|it| ModelFile::of(it, model, &named)).collect();
    let parameters = parameters(&sources);
    let mut places = CitedLines::new();
    for source in &sources {
        source.cite(&rules, &sources, &parameters, &mut places);
        source.cite_named(&rules, &mut places);
    }
    let mut table = "&[\n".to_owned();
    for ((clause, file, function), lines) in &places {
        let source = sources.iter().find(|it| it.name == *file).expect("it is one of them");
        let (line, code) = source.shown(lines);
        writeln!(
            table,
            "    CodePlace {{ clause: {clause:?}, file: {file:?}, line: {line}, function: {function:?}, \
             code: {code:?} }},"
        )
        .expect("a string takes everything");
    }
    table.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("places.rs");
    fs::write(out, table).expect("the folder is there");
}

/// The lines that cite a clause, by the name of the clause, the file and the function.
type CitedLines = BTreeMap<(String, String, String), BTreeSet<usize>>;

/// The places of the parameters that are called `number`, by the names of the functions.
type Parameters = BTreeMap<String, BTreeSet<usize>>;

/// A rule: its name and its file, by the name of its variant.
type Rules = BTreeMap<String, (String, String)>;

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            if !path.ends_with(DECLARED) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// The rules, as their table has them: `    Deploy "deploy" "ops/deploy.rs" {`.
fn rules(table: &str) -> Rules {
    let mut rules = Rules::new();
    for line in table.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [variant, name, file, ..] = words[..]
            && variant.starts_with(|it: char| it.is_ascii_uppercase())
            && let (Some(name), Some(file)) = (in_quotes(name), in_quotes(file))
        {
            rules.insert(variant.to_owned(), (name.to_owned(), file.to_owned()));
        }
    }
    rules
}

fn in_quotes(word: &str) -> Option<&str> {
    word.strip_prefix('"')?.strip_suffix('"')
}

/// A file of the model.
struct ModelFile {
    /// Its name, from the root of the repository.
    name: String,
    /// The same, from the folder of the sources.
    inside: String,
    text: String,
    /// The text with spaces in the place of comments and quotations, and with numbers in the place
    /// of their names.
    code: String,
    functions: Vec<RustFunction>,
}

impl ModelFile {
    fn of(file: &Path, model: &Path, named: &BTreeMap<String, u8>) -> Self {
        let inside = file.strip_prefix(model).expect("it is in there").display().to_string();
        let whole = read(file);
        let text = whole.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let code = with_numbers(&without_words(&text), named);
        let functions = functions(&code);
        Self { name: format!("model/src/{inside}"), inside, text, code, functions }
    }

    /// Notes each line that cites a clause.
    fn cite(&self, rules: &Rules, sources: &[Self], parameters: &Parameters, to: &mut CitedLines) {
        let named = self.named(rules);
        for (at, number) in numbers(&self.code) {
            let Some(function) = self.functions.iter().rfind(|it| it.from < at && at < it.to)
            else {
                continue;
            };
            let before = self.code[..at].trim_end();
            let rule = rule_before(before, &named);
            let callee = self.callee(at, parameters);
            if rule.is_none() && callee.is_none() && !self.is_said(function, before, at) {
                continue;
            }
            let told = callee.and_then(|(of, name)| {
                let stem = |it: &&ModelFile| it.inside.ends_with(&format!("/{of}.rs"));
                match sources.iter().find(stem) {
                    Some(other) => other.rule_told(name, &other.named(rules)),
                    None => self.rule_told(name, &named),
                }
            });
            let rules: Vec<&str> = match rule.or(told) {
                Some(rule) => vec![rule],
                None => self.rules_of(function, rules, &named),
            };
            for rule in rules {
                let key = (format!("{rule}.{number}"), self.name.clone(), function.name.clone());
                let line = self.text[..at].matches('\n').count();
                to.entry(key).or_default().insert(line);
            }
        }
    }

    /// Notes the line below each comment that names a clause.
    fn cite_named(&self, rules: &Rules, to: &mut CitedLines) {
        let mut at = 0;
        let mut named: Vec<&str> = Vec::new();
        for (line, text) in self.text.lines().enumerate() {
            if let Some(comment) = text.trim_start().strip_prefix("// ") {
                named.extend(comment.split('`').skip(1).step_by(2).filter(|it| {
                    let rule = it.rsplit_once('.').map(|(rule, _)| rule);
                    rules.values().any(|(name, _)| Some(name.as_str()) == rule)
                }));
            } else if let Some(function) =
                self.functions.iter().rfind(|it| it.from < at && at < it.to)
            {
                for clause in named.drain(..) {
                    let key = (clause.to_owned(), self.name.clone(), function.name.clone());
                    to.entry(key).or_default().insert(line);
                }
            }
            at += text.len() + 1;
        }
    }

    /// The names by which the file calls rules, with the names of the rules.
    fn named<'a>(&self, rules: &'a Rules) -> BTreeMap<String, &'a str> {
        let mut named = BTreeMap::new();
        for (variant, (name, _)) in rules {
            for (at, _) in self.code.match_indices(variant.as_str()) {
                let (before, rest) = (&self.code[..at], &self.code[at + variant.len()..]);
                let of_group =
                    before.rsplit_once("Rule::{").is_some_and(|(_, it)| !it.contains('}'));
                let is_whole = !rest.starts_with(is_of_name) && !before.ends_with(is_of_name);
                if is_whole && (before.ends_with("Rule::") || of_group) {
                    let alias = rest.strip_prefix(" as ");
                    let alias = alias.and_then(|it| it.split(|it| !is_of_name(it)).next());
                    named.insert(alias.unwrap_or(variant).to_owned(), name.as_str());
                }
            }
        }
        named
    }

    /// The imports of the file.
    fn imports(&self) -> &str {
        let last = self.code.rfind("\nuse ").unwrap_or_default();
        let end = self.code[last..].find(';').map_or(self.code.len(), |it| last + it);
        &self.code[..end]
    }

    /// The module from which the file imports a function.
    fn module_of(&self, function: &str) -> Option<&str> {
        let imports = self.imports();
        let at = imports.match_indices(function).map(|(at, _)| at).find(|at| {
            let rest = &imports[at + function.len()..];
            !imports[..*at].ends_with(is_of_name) && !rest.starts_with(is_of_name)
        })?;
        let before = &imports[..at];
        let group = before.rfind('{').filter(|it| !before[*it..].contains('}'));
        let path = group.map_or(before, |it| &before[..it]).strip_suffix("::")?;
        Some(last_name(path).1)
    }

    /// The one rule that the file imports.
    fn imported<'a>(&self, named: &BTreeMap<String, &'a str>) -> Option<&'a str> {
        let imports = self.imports();
        let is_there = |name: &str| {
            imports.match_indices(name).any(|(at, _)| {
                let rest = &imports[at + name.len()..];
                !imports[..at].ends_with(is_of_name) && !rest.starts_with(is_of_name)
            })
        };
        let mut imported = named.iter().filter(|(name, _)| is_there(name));
        let (_, only) = imported.next()?;
        imported.next().is_none().then_some(*only)
    }

    /// The rule whose clause numbers the function of this name takes as an argument, if its body
    /// shows it.
    fn rule_told<'a>(&self, name: &str, named: &BTreeMap<String, &'a str>) -> Option<&'a str> {
        let function = self.functions.iter().find(|it| it.name == name)?;
        let body = &self.code[function.from..function.to];
        let rule = named.iter().find(|(name, _)| {
            ["", "Rule::"].iter().any(|of| {
                body.contains(&format!("rule: {of}{name}, number }}"))
                    || body.contains(&format!(", {of}{name}, number,"))
            })
        });
        rule.map(|(_, rule)| *rule)
    }

    /// The function whose parameter gets this number as a clause, and the module through which it
    /// is called.
    fn callee(&self, at: usize, parameters: &Parameters) -> Option<(&str, &str)> {
        let (open, index) = self.call_around(at)?;
        let (before, name) = last_name(&self.code[..open]);
        let is_own = self.functions.iter().any(|it| it.name == name);
        let module = match before.strip_suffix("::") {
            Some(path) => last_name(path).1,
            None if is_own => "",
            None => self.module_of(name).unwrap_or_default(),
        };
        parameters.get(name)?.contains(&index).then_some((module, name))
    }

    /// The bracket that a place stands in, and the number of arguments before it.
    fn call_around(&self, at: usize) -> Option<(usize, usize)> {
        let (mut depth, mut index) = (0, 0);
        for (place, it) in self.code[..at].char_indices().rev() {
            match it {
                ')' | ']' | '}' => depth += 1,
                '(' if depth == 0 => return Some((place, index)),
                '[' | '{' | ';' if depth == 0 => return None,
                '(' | '[' | '{' => depth -= 1,
                ',' if depth == 0 => index += 1,
                _ => {}
            }
        }
        None
    }

    /// Whether a function or a variable has this number as its clause: `Some(2)`, `=> 18`.
    fn is_said(&self, function: &RustFunction, before: &str, at: usize) -> bool {
        let returned = function.signature.rsplit_once("->").map_or("", |(_, it)| it);
        let start = before.rfind([';', '{']).map_or(0, |it| it + 1);
        let within = &self.code[function.from..at];
        let is_number = within.rfind("let number =").is_some_and(|it| !within[it..].contains(';'));
        let gives = returned.contains("u8") || is_number;
        let after = self.code[at..].trim_start_matches(|it: char| it.is_ascii_digit());
        let is_pair = before.ends_with('(') && after.starts_with(", ");
        let is_whole =
            before.ends_with("=>") || before.ends_with("Some(") && after.starts_with(')');
        let is_chosen = before.ends_with('{') && after.starts_with(" }");
        gives && (is_whole || is_pair) && !before[start..].contains("nth(") || is_chosen
    }

    /// The rules that a function is about: of several of a file the one that it is called after, or
    /// else all of them.
    fn rules_of<'a>(
        &self,
        function: &RustFunction,
        rules: &'a Rules,
        named: &BTreeMap<String, &'a str>,
    ) -> Vec<&'a str> {
        let own = rules.values().filter(|(_, file)| *file == self.inside);
        let own: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
        let called = own.iter().find(|it| it.replace('-', "_") == function.name);
        match called {
            Some(called) => vec![*called],
            None if own.is_empty() => self.imported(named).into_iter().collect(),
            None => own,
        }
    }

    /// The number of the first of these lines, and the text of their statements.
    fn shown(&self, lines: &BTreeSet<usize>) -> (usize, String) {
        let text: Vec<&str> = self.text.lines().collect();
        let code: Vec<&str> = self.code.lines().collect();
        let mut shown = BTreeSet::new();
        for line in lines {
            shown.extend(statement(*line, &text, &code));
        }
        let indent = |line: &str| line.len() - line.trim_start().len();
        let least = shown.iter().map(|it| indent(text[*it])).min().unwrap_or_default();
        let mut told = String::new();
        let mut before = None;
        for line in &shown {
            if before.is_some_and(|before| before + 1 < *line) {
                told.push_str("…\n");
            }
            before = Some(*line);
            told.push_str(text[*line].get(least..).unwrap_or_default());
            told.push('\n');
        }
        (lines.first().map_or(0, |it| it + 1), told.trim_end().to_owned())
    }
}

/// The rule in front of a number: `UnitAgent, 6`, `rule: UnitAgent, number: 6`, or, where a
/// deployer has several clauses, `rule: UnitAgent, deploy: 3, remove: 4`.
fn rule_before<'a>(before: &str, named: &BTreeMap<String, &'a str>) -> Option<&'a str> {
    if let Some(text) = before.strip_suffix(',') {
        return named.get(last_name(text.trim_end()).1).copied();
    }
    let (_, field) = last_name(before.strip_suffix(':')?);
    ["number", "deploy", "remove", "recall"].contains(&field).then_some(())?;
    let inside = &before[before.rfind('{')?..];
    let (_, rule) = inside.split_once("rule:")?;
    let rule = rule.split(',').next()?.trim();
    named.get(last_name(rule).1).copied()
}

/// The places of the parameters that are called `number`.
fn parameters(sources: &[ModelFile]) -> Parameters {
    let mut parameters = Parameters::new();
    let mut add = |name: &str, place| {
        parameters.entry(name.to_owned()).or_default().insert(place);
    };
    for source in sources {
        for function in &source.functions {
            let signature = &function.signature;
            let Some((before, _)) = signature.split_once("number: u8") else { continue };
            let Some((_, before)) = before.split_once('(') else { continue };
            // Of what stands in brackets no comma counts, nor does `self`.
            let mut depth = 0;
            let commas = before.chars().filter(|it| {
                depth += match it {
                    '<' | '(' | '[' => 1,
                    '>' | ')' | ']' => -1,
                    _ => 0,
                };
                *it == ',' && depth == 0
            });
            let is_method = before.trim_start_matches(['&', ' ', '\n']).trim_start_matches("mut ");
            let place = commas.count() - usize::from(is_method.starts_with("self"));
            add(&function.name, place);
        }
        for (at, _) in source.code.match_indices("= |number") {
            add(last_name(source.code[..at].trim_end()).1, 0);
        }
    }
    parameters
}
