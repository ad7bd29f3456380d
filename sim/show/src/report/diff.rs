//! The first difference of two texts, in a few lines.

/// The number of lines of each text that are shown.
const SHOWN: usize = 4;
/// The number of letters of each line that are shown.
const WIDTH: usize = 160;

/// The first difference of two texts: the number of its line, from 1, then the lines of the old
/// text alone, and those of the new one. `None` if they are the same.
pub fn diff(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let backwards = old.iter().rev().zip(new.iter().rev());
    let end = backwards.take(rest).take_while(|(old, new)| old == new).count();
    let mut lines = vec![format!("line {}:", same + 1)];
    side(&mut lines, '-', &old[same..old.len() - end]);
    side(&mut lines, '+', &new[same..new.len() - end]);
    Some(lines.join("\n"))
}

fn side(lines: &mut Vec<String>, sign: char, side: &[&str]) {
    lines.extend(side.iter().take(SHOWN).map(|line| format!("{sign} {}", short(line))));
    if side.len() > SHOWN {
        lines.push(format!("{sign} … {} more lines", side.len() - SHOWN));
    }
}

fn short(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_what_lies_between_the_same_lines() {
        assert_eq!(diff("a\nb\nc\n", "a\nb\nc\n"), None);
        assert_eq!(diff("a\nb\nc\n", "a\nd\nc\n").as_deref(), Some("line 2:\n- b\n+ d"));
        assert_eq!(diff("a\na\n", "a\na\na\n").as_deref(), Some("line 3:\n+ a"));
        assert_eq!(diff("", "a\n").as_deref(), Some("line 1:\n+ a"));
    }
}
