//! The fenced blocks of a page.

pub(crate) struct FencedBlock {
    /// The language that its fence names.
    pub(crate) language: String,
    /// The number of its first line.
    pub(crate) line: usize,
    /// Its text, without the indentation of the fence: the block may be part of a list.
    pub(crate) text: String,
}

/// The blocks of `page`, in order.
pub(crate) fn blocks(page: &str) -> Vec<FencedBlock> {
    let mut found: Vec<FencedBlock> = Vec::new();
    let mut indentation = None;
    for (number, line) in page.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (indentation, fence) {
            (None, Some(language)) => {
                indentation = Some(line.len() - line.trim_start().len());
                let language = language.to_owned();
                found.push(FencedBlock { language, line: number + 2, text: String::new() });
            }
            (Some(_), Some(_)) => indentation = None,
            (Some(width), None) => {
                let block = found.last_mut().expect("its fence was read");
                block.text.push_str(line.get(width..).unwrap_or_default());
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(indentation.is_none(), "the last block has no end");
    found
}

#[test]
fn blocks_are_found_and_not_indented() {
    let page = "one\n```sh\na b\n```\n- two\n\n  ```toml\n  c = 1\n\n  d = 2\n  ```\n";
    let found = blocks(page);
    let found: Vec<_> = found.iter().map(|it| (&*it.language, it.line, &*it.text)).collect();
    assert_eq!(found, [("sh", 3, "a b\n"), ("toml", 8, "c = 1\n\nd = 2\n")]);
}
