//! Filters with arguments in parentheses.

use super::{ErrorReported, ExprResult, Sema, all_of};
use crate::ast::{self, ExprKind as Ast, Filter};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::filters::PlainFilter;
use crate::hir::{BinaryFilter, Expr, ExprKind, OutputFilter, Type, UnaryFilter};
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
            // With one argument it is a prefix filter.
            Keyword::Child => Err(self.wrong_count(span, "child", "one argument", args.len())),
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
        let [left, right] = <[Expr; 2]>::try_from(self.closed_all(args)?)
            .map_err(|_| self.wrong_count(span, "equal", "two arguments", args.len()))?;
        Ok(self.node(ExprKind::Equal(Box::new(left), Box::new(right)), span))
    }

    fn make_square(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        match args {
            [text] => {
                let text = self.closed_as(text, Type::String, "makesquare")?;
                Ok(self.unary(UnaryFilter::MakeSquareText, text, span))
            }
            [_, _] => self.binary_call(Keyword::MakeSquare, args, BinaryFilter::MakeSquare, span),
            _ => {
                let wanted = "a string, or a file and a rank";
                Err(self.wrong_count(span, "makesquare", wanted, args.len()))
            }
        }
    }

    fn set_tag(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let wanted = "two arguments, a tag name and a string";
        let [name, value] = self.arguments(Keyword::SetTag, args, wanted, span)?;
        let name = self.name_of_tag(name)?;
        let value = Box::new(self.closed_as(value, Type::String, "settag")?);
        Ok(self.node(ExprKind::Output(OutputFilter::SetTag { name, value }), span))
    }

    fn remove_tag(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let wanted = "one argument, a tag name";
        let [name] = self.arguments(Keyword::RemoveTag, args, wanted, span)?;
        let name = self.name_of_tag(name)?;
        Ok(self.node(ExprKind::Output(OutputFilter::RemoveTag(name)), span))
    }

    /// The name of a tag that is set or removed.
    fn name_of_tag(&mut self, name: &ast::Expr) -> Result<String, ErrorReported> {
        let tag = literal(name, "the name of a tag").map_err(|error| self.report(error))?;
        self.check_tag_name(tag, true, name.span)?;
        Ok(tag.to_owned())
    }

    /// `field("NAME" value)`
    fn field(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let [name, _, ..] = args else {
            let wanted = "two arguments or more, a name and a value";
            return Err(self.wrong_count(span, "field", wanted, args.len()));
        };
        let text = literal(name, "the name of a field").map_err(|error| self.report(error))?;
        if let Err(message) = check_field_name(text) {
            return Err(self.error(Code::MalformedName, name.span, message));
        }
        let parts = all_of(args[1..].iter().map(|value| self.part(value)))?;
        Ok(self.node(ExprKind::Output(OutputFilter::Field { name: text.to_owned(), parts }), span))
    }

    fn write_file(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let (name, text) = self.pair(Keyword::WriteFile, args, Some(Type::String), span)?;
        if let ExprKind::Text(file) = &name.kind
            && !file.ends_with(b".cqo")
            && !file.ends_with(b".cql")
        {
            let message = "`writefile` writes to files named `.cqo` or `.cql` only";
            return Err(self.error(Code::WrongExtension, name.span, message));
        }
        let kind = ExprKind::Output(OutputFilter::WriteFile {
            name: Box::new(name),
            text: Box::new(text),
        });
        Ok(self.node(kind, span))
    }

    fn command_pipe(&mut self, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let wanted = "two arguments, a command and a request";
        let [command, request] = self.arguments(Keyword::CommandPipe, args, wanted, span)?;
        let text = literal(command, "the command of `commandpipe`")
            .map_err(|error| self.report(error.with_help("text of a game is never run")))?;
        let command = command_words(text)
            .map_err(|message| self.error(Code::MalformedCommand, command.span, message))?;
        let request = Box::new(self.closed_as(request, Type::String, "commandpipe")?);
        let command = command.into_boxed_slice();
        Ok(self.node(ExprKind::CommandPipe { command, request }, span))
    }
}

/// The text of an argument, if it is a string literal.
fn literal<'e>(argument: &'e ast::Expr, what: &str) -> Result<&'e str, Diagnostic> {
    let Ast::Str(text) = &argument.kind else {
        return Err(Diagnostic::literal_needed(argument.span, what));
    };
    Ok(text)
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
