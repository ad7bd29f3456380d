//! Links in pages, and the files that they name.

use super::{markdown, read, root, sources};

#[test]
fn links_lead_somewhere() {
    let protocol = ("PROTOCOL.md".to_owned(), read(&root().join("PROTOCOL.md")));
    for (name, text) in markdown().into_iter().chain([protocol]) {
        for link in links(&text).filter(|it| !it.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = root().join(&name).parent().map(ToOwned::to_owned).unwrap_or_default();
            let target = if file.is_empty() { root().join(&name) } else { folder.join(file) };
            assert!(target.exists(), "{name} leads to {link}, which is not there");
            let is_there = heading.is_empty()
                || leads_to_table(&read(&target), heading)
                || anchors(&read(&target)).any(|it| it == heading);
            assert!(is_there, "{name} leads to {link}, which is no heading there");
        }
    }
}

#[test]
fn source_files_that_are_named_are_there() {
    let files: Vec<String> = sources().into_iter().map(|(name, _)| format!("/{name}")).collect();
    for (name, text) in markdown() {
        let named =
            text.split('`').skip(1).step_by(2).filter(|it| it.strip_suffix(".rs").is_some());
        for file in named.filter(|it| !it.contains(' ')) {
            let is_there = files.iter().any(|it| it.ends_with(&format!("/{file}")));
            assert!(is_there, "{name} names {file}, which is not there");
        }
    }
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(link, _)| link.split_once(" \"").map_or(link, |(link, _title)| link))
}

/// Whether `place` is the line of a table `also` of this file, as in "L12".
fn leads_to_table(file: &str, place: &str) -> bool {
    let line = place.strip_prefix('L').and_then(|line| line.parse::<usize>().ok());
    line.and_then(|line| file.lines().nth(line.checked_sub(1)?))
        .is_some_and(|it| it.starts_with("[also."))
}

/// The anchors of a page's headings, as links use them.
fn anchors(text: &str) -> impl Iterator<Item = String> + '_ {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let heading = line.trim_start_matches('#').trim();
        let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}
