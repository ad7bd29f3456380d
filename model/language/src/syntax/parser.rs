//! The parser: one function for each level of precedence, as in the grammar of CEL.

use super::{
    Binary, Call, Logic, Spanned, Syntax,
    lexer::{Token, tokens},
};
use crate::Error;

/// The greatest length of an expression, in bytes.
const LONGEST: usize = 4000;
/// The greatest height of an expression, counted in nested brackets and operators.
const HIGHEST: usize = 40;

/// The operators of each level, weaker ones first.
const RELATIONS: &[(&str, Binary)] = &[
    ("==", Binary::Same),
    ("!=", Binary::Different),
    ("<", Binary::Less),
    ("<=", Binary::AtMost),
    (">", Binary::Greater),
    (">=", Binary::AtLeast),
    ("in", Binary::In),
];
const SUMS: &[(&str, Binary)] = &[("+", Binary::Plus), ("-", Binary::Minus)];
const PRODUCTS: &[(&str, Binary)] = &[("*", Binary::Times)];

/// The words that CEL reserves.
const RESERVED: [&str; 19] = [
    "in",
    "null",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Reads an expression.
///
/// # Errors
/// If it is no expression, or exceeds the greatest length or height.
pub(crate) fn parse(source: &str) -> Result<Spanned<Syntax>, Error> {
    if source.len() > LONGEST {
        let expected = format!("at most {LONGEST} bytes were expected");
        return Err(Error::new(&(0..source.len()), "this expression is too long", expected));
    }
    let mut parser = Parser { tokens: tokens(source)?, at: 0, height: 0 };
    let expression = parser.expression()?;
    match parser.token() {
        Token::End => Ok(expression),
        Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Symbol(_) => {
            Err(parser.unexpected("an operator or the end was expected"))
        }
    }
}

pub(super) struct Parser {
    tokens: Vec<Spanned<Token>>,
    at: usize,
    /// The number of expressions that are open.
    height: usize,
}

impl Parser {
    pub(super) fn here(&self) -> &Spanned<Token> {
        &self.tokens[self.at]
    }

    fn token(&self) -> &Token {
        &self.here().value
    }

    pub(super) fn advance(&mut self) -> Spanned<Token> {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let Spanned { value, span } = &self.tokens[self.at];
        Error::new(span, format!("{} is unexpected", value.shown()), expected)
    }

    fn is_at(&self, symbol: &str) -> bool {
        match self.token() {
            Token::Symbol(it) => *it == symbol,
            Token::Name(it) => symbol == "in" && it == "in",
            Token::Number(_) | Token::Text(_) | Token::End => false,
        }
    }

    pub(super) fn skip(&mut self, symbol: &str) -> bool {
        let is_there = self.is_at(symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), Error> {
        if self.skip(symbol) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{symbol}` was expected")))
    }

    /// Calls `read` one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.height == HIGHEST {
            return Err(self.too_deep());
        }
        self.height += 1;
        let read = read(self)?;
        self.height -= 1;
        Ok(read)
    }

    fn too_deep(&self) -> Error {
        let expected = format!("at most {HIGHEST} levels were expected");
        let span = &self.tokens[self.at].span;
        Error::new(span, "this expression is nested too deeply", expected)
    }

    pub(super) fn expression(&mut self) -> Result<Spanned<Syntax>, Error> {
        self.deeper(|me| {
            let condition = me.logic(Logic::Or)?;
            if !me.skip("?") {
                return Ok(condition);
            }
            let yes = me.logic(Logic::Or)?;
            me.expect(":")?;
            let no = me.expression()?;
            let span = condition.span.start..no.span.end;
            Ok(Spanned { value: Syntax::If(Box::new([condition, yes, no])), span })
        })
    }

    fn logic(&mut self, logic: Logic) -> Result<Spanned<Syntax>, Error> {
        let symbol = match logic {
            Logic::And => "&&",
            Logic::Or => "||",
        };
        let mut terms = Vec::new();
        loop {
            terms.push(match logic {
                Logic::Or => self.logic(Logic::And)?,
                Logic::And => self.binary(&[RELATIONS, SUMS, PRODUCTS])?,
            });
            if !self.skip(symbol) {
                break;
            }
        }
        if terms.len() == 1 {
            return Ok(terms.remove(0));
        }
        let span = terms[0].span.start..terms[terms.len() - 1].span.end;
        Ok(Spanned { value: Syntax::Logic(logic, terms), span })
    }

    /// Values between operators of the first of these levels, which associate to the left.
    fn binary(&mut self, levels: &[&[(&str, Binary)]]) -> Result<Spanned<Syntax>, Error> {
        let Some((level, tighter)) = levels.split_first() else { return self.unary() };
        let mut left = self.binary(tighter)?;
        let height = self.height;
        while let Some((symbol, binary)) = level.iter().find(|(symbol, _)| self.is_at(symbol)) {
            self.skip(symbol);
            // The tree grows by a level with each operator.
            self.height += 1;
            let right = self.deeper(|me| me.binary(tighter))?;
            let span = left.span.start..right.span.end;
            left = Spanned { value: Syntax::Binary(*binary, Box::new([left, right])), span };
        }
        self.height = height;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Spanned<Syntax>, Error> {
        let start = self.tokens[self.at].span.start;
        if self.skip("!") {
            let inner = self.deeper(Self::unary)?;
            let span = start..inner.span.end;
            return Ok(Spanned { value: Syntax::Not(Box::new(inner)), span });
        }
        if self.skip("-") {
            let Spanned { value, span } = self.deeper(Self::unary)?;
            let whole = start..span.end;
            let value = match value {
                Syntax::Number(number) => Syntax::Number(-number),
                value => Syntax::Negative(Box::new(Spanned { value, span })),
            };
            return Ok(Spanned { value, span: whole });
        }
        self.member()
    }

    /// A value with its fields and calls.
    fn member(&mut self) -> Result<Spanned<Syntax>, Error> {
        let mut value = self.primary()?;
        let height = self.height;
        while self.skip(".") {
            self.height += 1;
            let name = self.name("a field or a macro was expected")?;
            let start = value.span.start;
            value = if self.skip("(") {
                let arguments = self.deeper(|me| me.list(")"))?;
                let call = Call { target: Some(Box::new(value)), name, arguments };
                Spanned { value: Syntax::Call(call), span: start..self.end() }
            } else {
                let span = start..name.span.end;
                Spanned { value: Syntax::Field(Box::new(value), name), span }
            };
            if self.height >= HIGHEST {
                return Err(self.too_deep());
            }
        }
        self.height = height;
        if self.is_at("[") || self.is_at("{") {
            return Err(self.unexpected("there are no indices and no messages"));
        }
        Ok(value)
    }

    /// The end of the last token.
    pub(super) fn end(&self) -> usize {
        self.tokens[self.at.saturating_sub(1)].span.end
    }

    pub(super) fn name(&mut self, expected: &str) -> Result<Spanned<String>, Error> {
        let error = self.unexpected(expected);
        let Spanned { value, span } = self.advance();
        match value {
            Token::Name(name) if !RESERVED.contains(&name.as_str()) => {
                Ok(Spanned { value: name, span })
            }
            Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Symbol(_) | Token::End => {
                Err(error)
            }
        }
    }
}
