//! The lines of a journal: each is a JSON object whose last field is a checksum of the rest.
//!
//! A line that is changed by so much as a bit is refused: what came of a seed must be what the
//! simulator said.

use serde::Serialize;

/// The beginning of the field of the checksum, which is eight hexadecimal digits.
const FIELD: &str = ",\"crc32\":\"";
/// The end of a line behind the checksum.
const END: &str = "\"}";

/// The line that says `object`, with its newline.
pub(super) fn write(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object);
    let text = text.expect("its keys are text and its numbers are whole");
    let body = text.strip_suffix('}').expect("it is an object");
    format!("{body}{}\n", seal(body))
}

/// The object of a line without its newline, if the checksum is right.
pub(super) fn read(line: &str) -> Option<String> {
    let at = line.len().checked_sub(FIELD.len() + 8 + END.len())?;
    let (body, seal_there) = (line.get(..at)?, line.get(at..)?);
    (seal(body) == seal_there).then(|| format!("{body}}}"))
}

/// The end of the line that begins with `body`.
fn seal(body: &str) -> String {
    format!("{FIELD}{:08x}{END}", crc32fast::hash(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_bit_is_noticed() {
        let line = write(&serde_json::json!({ "seed": 17, "says": "é" }));
        let line = line.strip_suffix('\n').expect("a line");
        assert_eq!(read(line).as_deref(), Some("{\"seed\":17,\"says\":\"é\"}"));
        for at in 0..line.len() * 8 {
            let mut bytes = line.as_bytes().to_vec();
            bytes[at / 8] ^= 1 << (at % 8);
            if let Ok(line) = String::from_utf8(bytes) {
                assert_eq!(read(&line), None, "{line}");
            }
        }
        for end in 0..line.len() {
            assert_eq!(line.get(..end).and_then(read), None, "{end} bytes");
        }
    }
}
