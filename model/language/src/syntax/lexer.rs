//! The tokens of an expression.

use std::ops::Range;

use super::Spanned;
use crate::Error;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Number(String),
    Text(String),
    Symbol(&'static str),
    End,
}

impl Token {
    /// The token as messages name it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Name(name) => format!("`{name}`"),
            Self::Number(digits) => format!("`{digits}`"),
            Self::Text(_) => "a string".to_owned(),
            Self::Symbol(symbol) => format!("`{symbol}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// The symbols, longer ones before their prefixes.
const SYMBOLS: [&str; 21] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "?", ":", "(", ")", "[", "]", ",", ".", "+",
    "-", "*", "{",
];

/// The tokens of `source`, with the end as the last one.
///
/// # Errors
/// If some text is no token.
pub(super) fn tokens(source: &str) -> Result<Vec<Spanned<Token>>, Error> {
    let mut lexer = Lexer { source, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let is_end = token.value == Token::End;
        tokens.push(token);
        if is_end {
            return Ok(tokens);
        }
    }
}

/// The strings in `source`, each with its place in bytes, quotes included.
///
/// # Errors
/// If some text is no token.
pub fn strings(source: &str) -> Result<Vec<(Range<usize>, String)>, Error> {
    let strings = tokens(source)?.into_iter().filter_map(|token| match token.value {
        Token::Text(text) => Some((token.span, text)),
        Token::Name(_) | Token::Number(_) | Token::Symbol(_) | Token::End => None,
    });
    Ok(strings.collect())
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    /// Takes letters while they satisfy `is_such`.
    fn take(&mut self, is_such: impl Fn(char) -> bool) -> (String, Range<usize>) {
        let rest = self.rest();
        let len = rest.find(|letter: char| !is_such(letter)).unwrap_or(rest.len());
        let taken = rest[..len].to_owned();
        self.at += len;
        (taken, self.at - len..self.at)
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take(|letter| letter.is_ascii_whitespace());
            if !self.rest().starts_with("//") {
                return;
            }
            self.take(|letter| letter != '\n');
        }
    }

    fn next(&mut self) -> Result<Spanned<Token>, Error> {
        self.skip_blanks();
        let Some(first) = self.rest().chars().next() else {
            return Ok(Spanned { value: Token::End, span: self.at..self.at });
        };
        if first.is_ascii_alphabetic() || first == '_' {
            let (name, span) = self.take(|it| it.is_ascii_alphanumeric() || it == '_');
            return Ok(Spanned { value: Token::Name(name), span });
        }
        if first.is_ascii_digit() {
            let (digits, span) = self.take(|it| it.is_ascii_alphanumeric());
            return Ok(Spanned { value: Token::Number(digits), span });
        }
        if first == '"' || first == '\'' {
            return self.text(first);
        }
        let symbol = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol));
        let Some(symbol) = symbol else {
            let span = self.at..self.at + first.len_utf8();
            return Err(Error::new(&span, format!("`{first}` is no operator"), operators(first)));
        };
        self.at += symbol.len();
        Ok(Spanned { value: Token::Symbol(symbol), span: self.at - symbol.len()..self.at })
    }

    /// Reads a string after its quote.
    fn text(&mut self, quote: char) -> Result<Spanned<Token>, Error> {
        let (start, mut text, mut is_escaped) = (self.at, String::new(), false);
        let letters = self.source[start + 1..].char_indices();
        for (at, letter) in letters {
            let at = start + 1 + at;
            match letter {
                '\n' => break,
                _ if is_escaped => {
                    text.push(escaped(letter, at)?);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                _ if letter == quote => {
                    self.at = at + 1;
                    return Ok(Spanned { value: Token::Text(text), span: start..self.at });
                }
                _ => text.push(letter),
            }
        }
        let message = "this string does not end";
        Err(Error::new(&(start..start + 1), message, format!("`{quote}` was expected at its end")))
    }
}

fn escaped(letter: char, at: usize) -> Result<char, Error> {
    Ok(match letter {
        '\\' | '"' | '\'' => letter,
        'n' => '\n',
        't' => '\t',
        _ => {
            let message = format!("`\\{letter}` is no escape");
            let expected = r#"one of \\, \", \', \n and \t was expected"#;
            return Err(Error::new(&(at - 1..at + letter.len_utf8()), message, expected));
        }
    })
}

/// The operators that a misplaced letter may have been meant as.
fn operators(letter: char) -> &'static str {
    match letter {
        '&' => "`&&` was expected",
        '|' => "`||` was expected",
        '=' => "`==` was expected",
        '/' | '%' => "there is no division",
        _ => "a name, a number, a string or an operator was expected",
    }
}
