//! Filters with arguments in parentheses.

use super::{ErrorReported, ExprResult, Sema};
use crate::ast::{self, ExprKind as Ast, Filter};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::filters::PlainFilter;
use crate::hir::{BinaryFilter, ExprKind, Type, UnaryFilter};
use crate::keywords::Keyword;
use crate::limits::MAX_FIELD_NAME;

impl<'a> Sema<'a> {
    pub(super) fn list(&mut self, filter: &'a Filter, span: Span) -> ExprResult {
        let (keyword, args) = (filter.keyword, &filter.args[..]);
        if let Some(PlainFilter::Binary(filter)) = keyword.filter() {
            return self.binary_call(keyword, args, filter, span);
        }
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "a keyword that is missing here is reported, and a test tries all"
        )]
        match keyword {
            Keyword::Max | Keyword::Min => self.extreme(keyword, args, span),
            Keyword::Equal => self.equal(args, span),
            Keyword::MakeSquare => self.make_square(args, span),
            Keyword::Child | Keyword::Position => self.node_of_tree(keyword, args, span),
            Keyword::SetTag => self.set_tag(args, span),
            Keyword::Field => self.field(args, span),
            Keyword::RemoveTag => self.remove_tag(args, span),
            Keyword::WriteFile => self.write_file(args, span),
            Keyword::CommandPipe => self.command_pipe(args, span),
            _ => Err(self.not_a_filter(span, keyword)),
        }
    }

    fn extreme(&mut self, keyword: Keyword, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let operands = self.closed_all(args)?;
        if operands.len() < 2 {
            return Err(self.wrong_count(
                span,
                keyword.name(),
                "two arguments or more",
                operands.len(),
            ));
        }
        let ty = operands[0].ty;
        let wanted = if ty == Type::String { "a string" } else { "a number" };
        for operand in &operands {
            if !matches!(operand.ty, Type::Number | Type::String) || operand.ty != ty {
                return Err(self.mismatch(operand, wanted, keyword.name()));
            }
        }
        Ok(self.node(ExprKind::Extreme { min: keyword == Keyword::Min, operands }, span))
    }

    fn equal(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let typed = self.closed_all(args)?;
        if typed.len() != 2 {
            return Err(self.wrong_count(span, "equal", "two arguments", args.len()));
        }
        let mut typed = typed.into_iter();
        let (Some(left), Some(right)) = (typed.next(), typed.next()) else {
            return Err(ErrorReported);
        };
        Ok(self.node(ExprKind::Equal(Box::new(left), Box::new(right)), span))
    }

    fn make_square(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        if let [text] = args {
            let text = self.closed_as(text, Type::String, "makesquare")?;
            return Ok(self.unary(UnaryFilter::MakeSquareText, text, span));
        }
        if args.len() != 2 {
            let wanted = "a string, or a file and a rank";
            return Err(self.wrong_count(span, "makesquare", wanted, args.len()));
        }
        self.binary_call(Keyword::MakeSquare, args, BinaryFilter::MakeSquare, span)
    }

    fn node_of_tree(&mut self, keyword: Keyword, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let [index] = args else {
            return Err(self.wrong_count(span, keyword.name(), "one argument", args.len()));
        };
        let index = self.closed_as(index, Type::Number, keyword.name())?;
        let which =
            if keyword == Keyword::Child { UnaryFilter::Child } else { UnaryFilter::PositionAt };
        Ok(self.unary(which, index, span))
    }

    fn set_tag(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let [name, value] = args else {
            return Err(self.wrong_count(
                span,
                "settag",
                "two arguments, a tag name and a string",
                args.len(),
            ));
        };
        let Ast::Str(tag) = &name.kind else {
            return Err(self.report(Diagnostic::literal_needed(name.span, "the name of a tag")));
        };
        self.check_tag_name(tag, true, name.span)?;
        let value = Box::new(self.closed_as(value, Type::String, "settag")?);
        Ok(self.node(ExprKind::SetTag { name: tag.clone(), value }, span))
    }

    /// `field("NAME" value)`
    fn field(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let (name, values) = match args {
            [name, values @ ..] if !values.is_empty() => (name, values),
            _ => {
                let wanted = "two arguments or more, a name and a value";
                return Err(self.wrong_count(span, "field", wanted, args.len()));
            }
        };
        let Ast::Str(text) = &name.kind else {
            return Err(self.report(Diagnostic::literal_needed(name.span, "the name of a field")));
        };
        if let Err(message) = check_field_name(text) {
            return Err(self.error(Code::MalformedName, name.span, message));
        }
        let parts: Vec<_> = values.iter().map(|value| self.part(value)).collect();
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(self.node(ExprKind::Field { name: text.clone(), parts }, span))
    }

    fn remove_tag(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let [name] = args else {
            return Err(self.wrong_count(
                span,
                "removetag",
                "one argument, a tag name",
                args.len(),
            ));
        };
        let Ast::Str(tag) = &name.kind else {
            return Err(self.report(Diagnostic::literal_needed(name.span, "the name of a tag")));
        };
        self.check_tag_name(tag, true, name.span)?;
        Ok(self.node(ExprKind::RemoveTag(tag.clone()), span))
    }

    fn write_file(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let (name, text) = self.pair(Keyword::WriteFile, args, Some(Type::String), span)?;
        if let ExprKind::Text(file) = &name.kind
            && !file.ends_with(b".cqo")
            && !file.ends_with(b".cql")
        {
            return Err(self.error(
                Code::WrongExtension,
                name.span,
                "`writefile` writes to files named `.cqo` or `.cql` only",
            ));
        }
        let kind = ExprKind::WriteFile { name: Box::new(name), text: Box::new(text) };
        Ok(self.node(kind, span))
    }

    fn command_pipe(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let [command, request] = args else {
            let wanted = "two arguments, a command and a request";
            return Err(self.wrong_count(span, "commandpipe", wanted, args.len()));
        };
        let Ast::Str(text) = &command.kind else {
            let error = Diagnostic::literal_needed(command.span, "the command of `commandpipe`");
            return Err(self.report(error.with_help("text of a game is never run")));
        };
        let words = match command_words(text) {
            Ok(words) => words,
            Err(message) => return Err(self.error(Code::MalformedCommand, command.span, message)),
        };
        let request = Box::new(self.closed_as(request, Type::String, "commandpipe")?);
        let command = words.into_boxed_slice();
        Ok(self.node(ExprKind::CommandPipe { command, request }, span))
    }
}

/// Whether a text can be the name of a field: it is the head of a column, so it is one line.
fn check_field_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        return Err("the name of a field cannot be empty".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Err("the name of a field must be one line without control characters".to_owned());
    }
    if name.len() > MAX_FIELD_NAME {
        return Err(format!("the name of a field has at most {MAX_FIELD_NAME} bytes"));
    }
    Ok(())
}

/// The words of a command, separated by whitespace. Single quotes keep words together.
fn command_words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '\0' => return Err("a command cannot hold a NUL"),
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quoted {
        return Err("a single quote of the command is not closed");
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err("the command does not name a program");
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::command_words;

    #[test]
    fn commands_are_words() {
        let words = |text| command_words(text);
        assert_eq!(words(" a  b\tc ").unwrap(), ["a", "b", "c"]);
        assert_eq!(words("sh -c 'x; y' '' d'e f'g").unwrap(), ["sh", "-c", "x; y", "", "de fg"]);
        for wrong in ["", "  ", "''", "a 'b", "a\0b"] {
            assert!(words(wrong).is_err(), "{wrong:?}");
        }
    }
}
