//! The parser of operands: constants, names, calls, lists and brackets.

use super::{Call, Spanned, Syntax, lexer::Token, parser::Parser};
use crate::Error;

const EXPECTED: &str = "a value was expected: a name, a string, a number, a list, `(`, `!` or `-`";

impl Parser {
    pub(super) fn primary(&mut self) -> Result<Spanned<Syntax>, Error> {
        let Spanned { value: token, span } = self.here().clone();
        let value = match token {
            Token::Number(digits) => {
                self.advance();
                Syntax::Number(digits.parse().map_err(|_| {
                    let message = format!("`{digits}` is no number");
                    Error::new(&span, message, "a whole number in decimal digits was expected")
                })?)
            }
            Token::Text(text) => {
                self.advance();
                Syntax::Text(text)
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Spanned { value: inner.value, span: span.start..self.end() });
            }
            Token::Symbol("[") => {
                self.advance();
                let items = self.deeper(|me| me.list("]"))?;
                return Ok(Spanned { value: Syntax::List(items), span: span.start..self.end() });
            }
            Token::Name(_) => return self.named(),
            Token::Symbol(_) | Token::End => return Err(self.unexpected(EXPECTED)),
        };
        Ok(Spanned { value, span })
    }

    /// A name, a constant or a call.
    fn named(&mut self) -> Result<Spanned<Syntax>, Error> {
        let name = self.name("a value was expected, and this word is reserved")?;
        let start = name.span.start;
        if self.skip("(") {
            let arguments = self.deeper(|me| me.list(")"))?;
            let call = Call { target: None, name, arguments };
            return Ok(Spanned { value: Syntax::Call(call), span: start..self.end() });
        }
        let value = match name.value.as_str() {
            "true" => Syntax::Flag(true),
            "false" => Syntax::Flag(false),
            _ => Syntax::Name(name.value),
        };
        Ok(Spanned { value, span: name.span })
    }

    /// Values between commas, up to the closing token.
    pub(super) fn list(&mut self, close: &str) -> Result<Vec<Spanned<Syntax>>, Error> {
        let mut items = Vec::new();
        if self.skip(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if self.skip(close) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }
}
