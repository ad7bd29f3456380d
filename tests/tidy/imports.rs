//! The imports between rooms of a crate: its modules, and the paths to others in their files.
//!
//! Text is read and not parsed: a path begins with `crate::`, or with the number of `super::` that
//! leads to the root of the crate. Tests are left out, as they may reach anywhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::read;

/// The rooms of the crate in this folder, with the rooms that each uses.
pub(crate) fn imported_rooms(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let (rooms, lib) = (rooms(source), code(&read(&source.join("lib.rs"))));
    let names = names_at_the_root(&lib, &rooms);
    let mut found: BTreeMap<String, BTreeSet<String>> =
        rooms.iter().map(|room| (room.clone(), BTreeSet::new())).collect();
    let mut folders = vec![(source.to_owned(), Vec::<String>::new())];
    while let Some((folder, module)) = folders.pop() {
        for (name, is_folder) in entries(&folder) {
            let mut module = module.clone();
            if name != "mod" {
                module.push(name.clone());
            }
            let is_left_out = name == "tests" || module == ["lib"];
            if is_left_out {
                continue;
            }
            if is_folder {
                folders.push((folder.join(&name), module));
                continue;
            }
            let text = code(&read(&folder.join(format!("{name}.rs"))));
            for used in used_at_the_root(&text, module.len()) {
                let room = rooms.get(&used).or_else(|| names.get(&used));
                let is_root = room.is_some() || words(&lib).any(|word| word == used);
                assert!(is_root, "{}/{module:?}: what is crate::{used}?", source.display());
                let users = found.get_mut(&module[0]).expect("it is a room");
                users.extend(room.filter(|room| **room != module[0]).cloned());
            }
        }
    }
    found
}

fn rooms(source: &Path) -> BTreeSet<String> {
    let names = entries(source).into_iter().map(|(name, _)| name);
    names.filter(|name| !["lib", "main", "tests"].contains(&name.as_str())).collect()
}

/// The names of the source files and folders in a folder, and whether each is a folder.
fn entries(folder: &Path) -> Vec<(String, bool)> {
    let entries = fs::read_dir(folder).expect("it is a folder").map(|entry| entry.expect("read"));
    let found = entries.filter_map(|entry| {
        let path = entry.path();
        let is_source = path.is_dir() || path.extension().is_some_and(|it| it == "rs");
        let name = path.file_stem()?.to_str()?.to_owned();
        is_source.then_some((name, path.is_dir()))
    });
    found.collect()
}

/// The room of each name that the root of a crate imports or exports.
fn names_at_the_root(lib: &str, rooms: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for tree in lib.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        for path in paths(tree) {
            let at = usize::from(["crate", "self"].contains(&path[0].as_str()));
            let name = path.last().and_then(|it| it.rsplit(" as ").next()).expect("it has a name");
            if let Some(room) = path.get(at).filter(|room| rooms.contains(*room)) {
                found.insert(name.to_owned(), room.clone());
            }
        }
    }
    found
}

/// The names at the root of its crate that a file uses, in a module of this depth: the first names
/// of its paths.
fn used_at_the_root(text: &str, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    for prefix in ["crate::".to_owned(), "super::".repeat(depth)] {
        let starts = text.match_indices(&prefix).filter(|(at, _)| {
            let before = &text[..*at];
            !before.ends_with(|it: char| it.is_alphanumeric() || it == '_')
                && !before.ends_with("super::")
        });
        for (at, _) in starts {
            let rest = &text[at + prefix.len()..];
            if prefix != "crate::" && rest.starts_with("super::") {
                continue; // it leads out of a module within the file
            }
            let firsts = paths(tree(rest)).into_iter().map(|path| path[0].clone());
            found.extend(firsts.filter(|it| it != "*" && it != "self"));
        }
    }
    found
}

/// The tree after a prefix of a path: one name, or a list in braces.
fn tree(text: &str) -> &str {
    if !text.starts_with('{') {
        let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
        return if end == 0 { "*" } else { &text[..end] };
    }
    let mut depth = 0;
    let end = text.find(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        depth == 0
    });
    &text[..=end.expect("the braces are closed")]
}

/// The paths of a tree of imports, such as `a::{b, c::d}`, each as its names.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let (prefix, inside) = match tree.split_once('{') {
        None => return vec![tree.split("::").map(|it| it.trim().to_owned()).collect()],
        Some((prefix, rest)) => (prefix, rest.strip_suffix('}').expect("the braces are closed")),
    };
    let prefix: Vec<String> =
        prefix.split("::").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    let mut depth = 0;
    let parts = inside.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty());
    parts.flat_map(paths).map(|path| [prefix.clone(), path].concat()).collect()
}

/// The code of a file, without comments, and without tests at its end.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut tests = code.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at);
    let is_inside = |at: &usize| code[*at..].lines().nth(1).is_some_and(|it| it.ends_with('{'));
    let end = tests.find(is_inside).unwrap_or(code.len());
    code[..end].to_owned()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
}

#[test]
fn trees_of_imports_are_taken_apart() {
    let firsts = |text: &str, depth| used_at_the_root(&code(text), depth);
    assert_eq!(
        firsts("use crate::{a::B, c::{d, e}};\nfn f() { crate::g::h() }", 1),
        ["a", "c", "c", "g"]
    );
    assert_eq!(firsts("use super::a;\nuse super::super::b::C; // crate::d", 2), ["b"]);
    assert_eq!(firsts("use super::a;\n#[cfg(test)]\nmod tests {\nuse crate::b;\n}", 1), ["a"]);
    let rooms = BTreeSet::from(["a".to_owned()]);
    let names = names_at_the_root("pub use self::{a::{B, c::D as E}, f::G};", &rooms);
    assert_eq!(names.into_keys().collect::<Vec<_>>(), ["B", "E"]);
}
