//! Excerpts: the lines of a file around the positions that a problem points at.
//!
//! A file may have a line of a million characters, or characters that control a terminal. So the
//! lines around each position are copied: escaped, cut around the position if they are long, and
//! with the line and column numbers that an editor shows. The renderer sees nothing else of the
//! file; it cannot show columns beyond 65,535.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::escape;

/// The longest line that is shown whole, in characters.
const WIDEST: usize = 160;
/// The characters of a longer line that are shown before a position, of its span, and behind it.
const AROUND: usize = 48;

#[derive(Clone, Debug, Default)]
pub(super) struct Excerpt {
    name: String,
    /// The lines as they are shown, each ending in a newline.
    text: String,
    lines: Vec<ExcerptLine>,
    /// The offset in `text` and the column in the file, from 0, of each position.
    columns: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct ExcerptLine {
    /// The number of the line in the file, from 0.
    number: usize,
    /// Its bytes in the excerpt, the newline included.
    bytes: Range<usize>,
}

impl Excerpt {
    /// The lines around each of the spans `spans` of `source`, and the spans in the excerpt. Of a
    /// span of several lines, the first one counts.
    pub(super) fn of(
        name: &str,
        source: &str,
        spans: &[Range<usize>],
    ) -> (Self, Vec<Range<usize>>) {
        let mut excerpt = Self { name: name.to_owned(), ..Self::default() };
        let spans: Vec<Range<usize>> = spans.iter().map(|it| within_line(source, it)).collect();
        let mut found = vec![0..0; spans.len()];
        let mut wanted: Vec<Range<usize>> = Vec::new();
        for span in &spans {
            let line = line_around(source, span.start);
            wanted.extend(before(source, &line));
            wanted.extend(after(source, &line));
            wanted.push(line);
        }
        wanted.sort_by_key(|line| line.start);
        wanted.dedup();
        let (mut number, mut counted) = (0, 0);
        for line in wanted {
            number += source[counted..line.start].matches('\n').count();
            counted = line.start;
            let is_here = |span: &Range<usize>| line.start <= span.start && span.end <= line.end;
            let here: Vec<usize> = (0..spans.len()).filter(|at| is_here(&spans[*at])).collect();
            let start = excerpt.text.len();
            let marks: Vec<Range<usize>> = here
                .iter()
                .map(|at| spans[*at].start - line.start..spans[*at].end - line.start)
                .collect();
            let shown = cut(&source[line.clone()], &marks, &mut excerpt.text);
            for (at, shown) in here.into_iter().zip(shown) {
                let column = source[line.start..spans[at].start].chars().count();
                excerpt.columns.push((shown.start, column));
                found[at] = shown;
            }
            if !marks.is_empty() && excerpt.text.len() == start {
                excerpt.text.push(' '); // or the renderer leaves out a line that is empty
            }
            excerpt.text.push('\n');
            excerpt.lines.push(ExcerptLine { number, bytes: start..excerpt.text.len() });
        }
        (excerpt, found)
    }

    /// The index of the line that has the byte at `offset` of the excerpt.
    fn line_at(&self, offset: usize) -> Option<usize> {
        let at = self.lines.partition_point(|line| line.bytes.end <= offset);
        (at < self.lines.len()).then_some(at)
    }

    /// Whether a line directly follows the line before it in the file.
    fn follows(&self, at: usize) -> bool {
        at > 0 && self.lines[at].number == self.lines[at - 1].number + 1
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let end = span.offset() + span.len();
        let (Some(mut first), Some(mut last)) =
            (self.line_at(span.offset()), self.line_at(end.saturating_sub(1).max(span.offset())))
        else {
            return Err(MietteError::OutOfBounds);
        };
        if !(first + 1..=last).all(|at| self.follows(at)) {
            return Err(MietteError::OutOfBounds);
        }
        let known = self.columns.iter().find(|(at, _)| *at == span.offset());
        let column = known.map_or(0, |(_, column)| *column);
        let mut bytes = span.offset()..end;
        let asks_for_lines = lines_before + lines_after > 0;
        if asks_for_lines {
            for _ in 0..lines_before {
                first -= usize::from(self.follows(first));
            }
            for _ in 0..lines_after {
                let is_next = last + 1 < self.lines.len() && self.follows(last + 1);
                last += usize::from(is_next);
            }
            bytes = self.lines[first].bytes.start..self.lines[last].bytes.end;
        }
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text[bytes.clone()].as_bytes(),
            (bytes.start, bytes.len()).into(),
            self.lines[first].number,
            if asks_for_lines { 0 } else { column },
            last - first,
        )))
    }
}

/// The last boundary of a character in `source` up to `offset`.
pub(super) fn boundary(source: &str, offset: usize) -> usize {
    let mut end = offset.min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// The length of the byte order mark, which an editor does not show.
fn byte_order_mark(source: &str) -> usize {
    if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The offset of the line that has the byte at `offset`.
pub(super) fn line_start(source: &str, offset: usize) -> usize {
    source[..offset].rfind('\n').map_or(byte_order_mark(source).min(offset), |newline| newline + 1)
}

/// The line around `offset`, without its newline.
fn line_around(source: &str, offset: usize) -> Range<usize> {
    let start = line_start(source, offset);
    let rest =
        source[start..].find('\n').map_or(&source[start..], |end| &source[start..start + end]);
    let rest = rest.strip_suffix('\r').unwrap_or(rest);
    start..start + rest.len()
}

fn before(source: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let end = source[..line.start].strip_suffix('\n')?.len();
    Some(line_around(source, line_start(source, end)))
}

fn after(source: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let start = line.end + source[line.end..].find('\n')? + 1;
    (start < source.len()).then(|| line_around(source, start))
}

/// The part of a span that is in its first line, between boundaries of characters.
fn within_line(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = boundary(source, span.start).max(byte_order_mark(source));
    let line = line_around(source, start);
    let start = start.min(line.end);
    start..boundary(source, span.end).clamp(start, line.end)
}

/// Adds `line` to `text` as it is shown, and returns the spans of the `marks` in `text`.
fn cut(line: &str, marks: &[Range<usize>], text: &mut String) -> Vec<Range<usize>> {
    let windows = windows(line, marks);
    let mut found: Vec<Range<usize>> = vec![0..0; marks.len()];
    let mut shown_to = 0;
    for window in &windows {
        if window.start > shown_to {
            text.push('…');
        }
        let mut at = window.start;
        for letter in line[window.clone()].chars().map(Some).chain([None]) {
            for (mark, found) in marks.iter().zip(&mut found) {
                if mark.start == at {
                    *found = text.len()..text.len();
                }
                if mark.start < at && at <= mark.end {
                    found.end = text.len();
                }
            }
            if let Some(letter) = letter {
                escape::push(text, letter);
                at += letter.len_utf8();
            }
        }
        shown_to = window.end;
    }
    if shown_to < line.len() {
        text.push('…');
    }
    found
}

/// The parts of a line that are shown, in order: the whole line, unless it is too long.
fn windows(line: &str, marks: &[Range<usize>]) -> Vec<Range<usize>> {
    let widest = forth(line, 0, WIDEST);
    if widest == line.len() || marks.is_empty() {
        return std::iter::once(0..widest).collect();
    }
    let mut windows: Vec<Range<usize>> = marks
        .iter()
        .map(|mark| {
            let end = forth(line, mark.start, AROUND).min(mark.end);
            back(line, mark.start, AROUND)..forth(line, end, AROUND)
        })
        .collect();
    windows.sort_by_key(|window| window.start);
    windows.dedup_by(|next, window| {
        let is_near = next.start <= window.end;
        if is_near {
            window.end = window.end.max(next.end);
        }
        is_near
    });
    windows
}

/// The offset as far behind `at` as `room` characters reach, as they are shown.
fn forth(line: &str, at: usize, mut room: usize) -> usize {
    let mut end = at;
    for letter in line[at..].chars() {
        let Some(left) = room.checked_sub(escape::width(letter)) else { break };
        (room, end) = (left, end + letter.len_utf8());
    }
    end
}

/// The offset as far before `at` as `room` characters reach, as they are shown.
fn back(line: &str, at: usize, mut room: usize) -> usize {
    let mut start = at;
    for letter in line[..at].chars().rev() {
        let Some(left) = room.checked_sub(escape::width(letter)) else { break };
        (room, start) = (left, start - letter.len_utf8());
    }
    start
}
