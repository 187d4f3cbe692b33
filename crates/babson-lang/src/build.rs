//! What the actions of the grammar do: build nodes, keep trees shallow, collect errors.

use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Lex, lex};
use crate::tokens::token::Tok;

/// State of one parse.
pub(crate) struct Builder<'s> {
    pub(crate) source: &'s str,
    pub(crate) errors: Vec<Diagnostic>,
    /// Where the grammar recovered, with what it expected.
    pub(crate) recovered: Vec<lalrpop_util::ParseError<u32, Tok<'s>, ()>>,
    too_deep: bool,
}

/// A parameter of `find` or `consecutivemoves`.
pub(crate) enum FindParam {
    Quiet,
    All,
    Back,
    Range(Range),
}

/// What stands in a path, unsorted.
pub(crate) enum PathItem {
    Param(SeqParam),
    Filter(Expr),
    Wild(Repeat),
    Group(Vec<PathItem>, Span),
}

/// Joins two neighbouring bounds of a parameter list; false if the second cannot be joined.
fn join(first: &mut Range, second: &Range) -> bool {
    if let (Range::Bounds { hi: hi @ None, .. }, Range::Bounds { lo, hi: None }) = (first, second) {
        *hi = Some(lo.clone());
        return true;
    }
    false
}

type Marked<T> = (T, Span);

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s str) -> Builder<'s> {
        Builder { source, errors: Vec::new(), recovered: Vec::new(), too_deep: false }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    pub(crate) fn node(&mut self, kind: ExprKind, l: u32, r: u32) -> Expr {
        self.checked(Expr::new(kind, Span::new(l, r)))
    }

    /// Refuses trees that are too deep: the children go, so that no tree ever is.
    fn checked(&mut self, expr: Expr) -> Expr {
        if expr.depth <= MAX_DEPTH {
            return expr;
        }
        if !self.too_deep {
            self.too_deep = true;
            self.error(expr.span, format!("this is nested more than {MAX_DEPTH} deep"));
        }
        Expr::new(ExprKind::Error, expr.span)
    }

    pub(crate) fn recover(
        &mut self,
        e: lalrpop_util::ErrorRecovery<u32, Tok<'s>, ()>,
        l: u32,
        r: u32,
    ) -> Expr {
        self.recovered.push(e.error);
        Expr::new(ExprKind::Error, Span::new(l, r))
    }

    // ---- Operators.

    pub(crate) fn infix(&mut self, left: Expr, (op, op_span): Marked<InfixOp>, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        let level = op.level();
        let tail = |right| Tail { op, op_span, right };
        let Expr { kind, span: left_span, depth } = left;
        match kind {
            ExprKind::Infix { level: same, first, mut rest } if same == level => {
                let depth = depth.max(right.depth.saturating_add(1));
                rest.push(tail(right));
                self.checked(Expr { kind: ExprKind::Infix { level, first, rest }, span, depth })
            }
            kind => {
                let first = Expr { kind, span: left_span, depth }.boxed();
                self.node(ExprKind::Infix { level, first, rest: vec![tail(right)] }, span.start, span.end)
            }
        }
    }

    pub(crate) fn is_in(&mut self, left: Expr, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        self.node(ExprKind::In { left: left.boxed(), op_span, right: right.boxed() }, span.start, span.end)
    }

    pub(crate) fn relation(&mut self, left: Expr, op: RelOp, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        self.node(ExprKind::Relation { left: left.boxed(), op, op_span, right: right.boxed() }, span.start, span.end)
    }

    pub(crate) fn arrow(&mut self, left: Expr, back: bool, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        let Expr { kind, span: left_span, depth } = left;
        let (parts, op_spans) = match kind {
            ExprKind::Arrows { back: same, mut parts, mut op_spans } => {
                if same != back {
                    self.errors.push(
                        Diagnostic::error(op_span, "`->` and `<-` cannot be mixed in one chain")
                            .with_help("use parentheses"),
                    );
                }
                parts.push(right);
                op_spans.push(op_span);
                (parts, op_spans)
            }
            kind => (vec![Expr { kind, span: left_span, depth }, right], vec![op_span]),
        };
        self.node(ExprKind::Arrows { back, parts, op_spans }, span.start, span.end)
    }

    pub(crate) fn with(&mut self, left: Expr, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        self.node(ExprKind::With { left: left.boxed(), op_span, right: right.boxed() }, span.start, span.end)
    }

    pub(crate) fn matches(&mut self, subject: Expr, op_span: Span, pattern: Expr) -> Expr {
        let span = subject.span.to(pattern.span);
        self.node(ExprKind::Match { subject: subject.boxed(), op_span, pattern: pattern.boxed() }, span.start, span.end)
    }

    pub(crate) fn index(&mut self, base: Expr, index: Expr, r: u32) -> Expr {
        let l = base.span.start;
        self.node(ExprKind::Index { base: base.boxed(), index: index.boxed() }, l, r)
    }

    pub(crate) fn slice(&mut self, base: Expr, from: Option<Expr>, to: Option<Expr>, r: u32) -> Expr {
        let l = base.span.start;
        let (from, to) = (from.map(Expr::boxed), to.map(Expr::boxed));
        self.node(ExprKind::Slice { base: base.boxed(), from, to }, l, r)
    }

    /// Unary minus; a negative literal is a literal.
    pub(crate) fn negate(&mut self, e: Expr, l: u32, r: u32) -> Expr {
        match e.kind {
            ExprKind::Int(n) if n >= 0 => self.node(ExprKind::Int(n.wrapping_neg()), l, r),
            _ => self.node(ExprKind::Negate(e.boxed()), l, r),
        }
    }

    pub(crate) fn dash(
        &mut self,
        capture: bool,
        op_span: Span,
        left: Option<Expr>,
        right: Option<Expr>,
        (promotion, targets): (Option<Expr>, Vec<Expr>),
    ) -> Expr {
        let mut span = op_span;
        for e in left.iter().chain(&right).chain(&promotion).chain(&targets) {
            span = span.to(e.span);
        }
        if !targets.is_empty() {
            // The parenthesis belongs to the dash.
            let rest = self.source.get(span.end as usize..).unwrap_or("");
            let blanks = rest.len() - rest.trim_start().len();
            if rest[blanks..].starts_with(')') {
                span.end += blanks as u32 + 1;
            }
        }
        let boxed = |e: Option<Expr>| e.map(Expr::boxed);
        let dash = Dash { capture, op_span, left: boxed(left), right: boxed(right), promotion: boxed(promotion), targets };
        self.node(ExprKind::Dash(dash), span.start, span.end)
    }

    pub(crate) fn dash_prefix(&mut self, (word, word_span): Marked<Keyword>, arg: Expr) -> Expr {
        let span = word_span.to(arg.span);
        match arg.kind {
            ExprKind::DashPrefix { mut words, arg } => {
                words.insert(0, word);
                self.node(ExprKind::DashPrefix { words, arg }, span.start, span.end)
            }
            _ => self.node(ExprKind::DashPrefix { words: vec![word], arg: arg.boxed() }, span.start, span.end),
        }
    }

    // ---- Assignments and declarations.

    fn storage(&mut self, words: Vec<Marked<Keyword>>) -> (Storage, Option<Span>) {
        let mut storage = Storage::default();
        let mut start = None;
        for (word, span) in words {
            start.get_or_insert(span);
            let flag = match word {
                Keyword::Atomic => &mut storage.atomic,
                Keyword::Persistent => &mut storage.persistent,
                Keyword::Quiet => &mut storage.quiet,
                _ => &mut storage.local,
            };
            if std::mem::replace(flag, true) {
                self.error(span, format!("`{}` is written twice", word.name()));
            }
        }
        (storage, start)
    }

    pub(crate) fn assign(
        &mut self,
        words: Vec<Marked<Keyword>>,
        name: Ident,
        op: AssignOp,
        op_span: Span,
        value: Expr,
    ) -> Expr {
        let (storage, start) = self.storage(words);
        let span = start.unwrap_or(name.span).to(value.span);
        self.node(ExprKind::Assign { storage, name, op, op_span, value: value.boxed() }, span.start, span.end)
    }

    pub(crate) fn assign_index(&mut self, place: Expr, op: AssignOp, op_span: Span, value: Expr) -> Expr {
        let span = place.span.to(value.span);
        self.node(ExprKind::AssignIndex { place: place.boxed(), op, op_span, value: value.boxed() }, span.start, span.end)
    }

    pub(crate) fn assign_piece(&mut self, name: Ident, value: Expr, r: u32) -> Expr {
        let l = name.span.start;
        let name = Builder::piece_name(name);
        self.node(ExprKind::AssignPiece { name, value: value.boxed() }, l, r)
    }

    /// `◭x` is the variable `x`.
    fn piece_name(name: Ident) -> Ident {
        let bare = name.name.trim_start_matches("[Aa]").trim_start_matches('◭').to_string();
        let start = name.span.end.saturating_sub(bare.len() as u32);
        Ident { name: bare, span: Span::new(start, name.span.end) }
    }

    pub(crate) fn dictionary(
        &mut self,
        words: Vec<Marked<Keyword>>,
        types: Option<(TypeName, TypeName, Option<Ident>)>,
        name: Ident,
        l: u32,
        r: u32,
    ) -> Expr {
        let (storage, _) = self.storage(words);
        let (types, merge) = match types {
            Some((key, value, merge)) => (Some((key, value)), merge),
            None => (None, None),
        };
        self.node(ExprKind::Dictionary { storage, types, merge, name }, l, r)
    }

    pub(crate) fn function(&mut self, name: Ident, params: Vec<Ident>, body: Vec<Expr>, brace: u32, l: u32, r: u32) -> Expr {
        for (i, param) in params.iter().enumerate() {
            if params[..i].iter().any(|p| p.name == param.name) {
                self.error(param.span, format!("the parameter `{}` is named twice", param.name));
            }
        }
        self.node(ExprKind::Function { name, params, body, body_span: Span::new(brace, r) }, l, r)
    }

    // ---- Keywords.

    pub(crate) fn call(&mut self, name: Ident, args: Vec<Expr>, r: u32) -> Expr {
        let l = name.span.start;
        self.node(ExprKind::Call { name, args }, l, r)
    }

    pub(crate) fn list(&mut self, keyword: Keyword, mut args: Vec<Expr>, l: u32, r: u32) -> Expr {
        let (at_least, at_most) = match keyword {
            Keyword::Between | Keyword::Ancestor | Keyword::Descendant | Keyword::Distance | Keyword::Equal
            | Keyword::IndexOf | Keyword::Lca => (2, 2),
            Keyword::SetTag | Keyword::WriteFile => (2, 2),
            Keyword::Child | Keyword::RemoveTag => (1, 1),
            Keyword::MakeSquare => (1, 2),
            _ => (2, usize::MAX),
        };
        if !args.iter().any(|a| a.kind == ExprKind::Error) && !(at_least..=at_most).contains(&args.len()) {
            let wanted = match (at_least, at_most) {
                (1, 1) => "one argument",
                (1, 2) => "one or two arguments",
                (2, 2) => "two arguments",
                _ => "at least two arguments",
            };
            self.error(Span::new(l, r), format!("`{}` takes {wanted}, not {}", keyword.name(), args.len()));
        }
        if keyword == Keyword::Child && args.len() == 1 {
            let arg = args.swap_remove(0).boxed();
            return self.node(ExprKind::Prefix { keyword, arg }, l, r);
        }
        self.node(ExprKind::List { keyword, args }, l, r)
    }

    pub(crate) fn print(&mut self, keyword: Keyword, quiet: bool, list: bool, args: Vec<Expr>, l: u32, r: u32) -> Expr {
        let kind = match keyword {
            Keyword::Comment => PrintKind::Comment,
            Keyword::Message => PrintKind::Message,
            _ => PrintKind::Str,
        };
        self.node(ExprKind::Print { kind, quiet, list, args }, l, r)
    }

    pub(crate) fn sort(&mut self, quiet: bool, dir: Option<bool>, description: Option<Text>, arg: Expr, l: u32, r: u32) -> Expr {
        self.node(ExprKind::Sort { quiet, min: dir.unwrap_or(false), description, arg: arg.boxed() }, l, r)
    }

    #[allow(clippy::too_many_arguments)] // as written in the query
    pub(crate) fn echo(&mut self, quiet: bool, source: Ident, target: Ident, all: bool, arg: Expr, l: u32, r: u32) -> Expr {
        self.node(ExprKind::Echo { quiet, source, target, all, arg: arg.boxed() }, l, r)
    }

    pub(crate) fn if_else(&mut self, condition: Expr, then: Expr, otherwise: Option<Expr>, l: u32, r: u32) -> Expr {
        let otherwise = otherwise.map(Expr::boxed);
        self.node(ExprKind::If { condition: condition.boxed(), then: then.boxed(), otherwise }, l, r)
    }

    pub(crate) fn loop_kind(keyword: Keyword) -> LoopKind {
        if keyword == Keyword::String { LoopKind::String } else { LoopKind::Key }
    }

    #[allow(clippy::too_many_arguments)] // as written in the query
    pub(crate) fn each(&mut self, kind: LoopKind, all: bool, name: Ident, set: Expr, body: Expr, l: u32, r: u32) -> Expr {
        let name = Builder::piece_name(name);
        self.node(ExprKind::ForEach { kind, all, name, set: set.boxed(), body: body.boxed() }, l, r)
    }

    fn find_params(&mut self, params: Vec<Marked<FindParam>>) -> (bool, bool, bool, Option<Range>) {
        let (mut quiet, mut all, mut back) = (false, false, false);
        let mut range: Option<Range> = None;
        for (param, span) in params {
            let twice = match param {
                FindParam::Quiet => std::mem::replace(&mut quiet, true),
                FindParam::All => std::mem::replace(&mut all, true),
                FindParam::Back => std::mem::replace(&mut back, true),
                FindParam::Range(new) => match &mut range {
                    None => {
                        range = Some(new);
                        false
                    }
                    Some(old) => !join(old, &new),
                },
            };
            if twice {
                self.error(span, format!("`{}` is one too many", span.text(self.source)));
            }
        }
        (quiet, all, back, range)
    }

    pub(crate) fn find(&mut self, params: Vec<Marked<FindParam>>, arg: Expr, l: u32, r: u32) -> Expr {
        let (quiet, all, back, range) = self.find_params(params);
        if all && range.is_some() {
            self.error(Span::new(l, r), "`find` takes `all` or a range, not both");
        }
        self.node(ExprKind::Find { quiet, all, back, range, arg: arg.boxed() }, l, r)
    }

    pub(crate) fn consecutive(&mut self, params: Vec<Marked<FindParam>>, left: Ident, right: Ident, l: u32, r: u32) -> Expr {
        let (quiet, all, back, range) = self.find_params(params);
        if all || back {
            self.error(Span::new(l, r), "`consecutivemoves` takes only `quiet` and a range");
        }
        self.node(ExprKind::ConsecutiveMoves { quiet, range, left, right }, l, r)
    }

    pub(crate) fn pin(&mut self, params: Vec<PinParam>, l: u32, r: u32) -> Expr {
        for (i, param) in params.iter().enumerate() {
            if params[..i].iter().any(|p| p.keyword == param.keyword) {
                self.error(param.set.span, format!("`{}` is written twice", param.keyword.name()));
            }
        }
        self.node(ExprKind::Pin(params), l, r)
    }

    pub(crate) fn hhdb(&mut self, l: u32, r: u32, search: Option<Text>) -> ExprKind {
        let text = Span::new(l, r).text(self.source);
        let lexemes = lex(text, crate::Dialect::CQL6).unwrap_or_default();
        let words = lexemes
            .iter()
            .skip(1)
            .map(|lexeme| {
                let word = lexeme.span.text(text);
                let name = if lexeme.kind == Lex::Str { word.trim_matches('"') } else { word };
                Ident { name: name.to_string(), span: Span::new(l + lexeme.span.start, l + lexeme.span.end) }
            })
            .collect();
        ExprKind::Hhdb { words, search }
    }

    // ---- Sequences.

    /// Sorts the parts of a path: parameters, steps with their targets, holders, chains, wildcards.
    pub(crate) fn path(&mut self, items: Vec<PathItem>, l: u32, r: u32) -> Expr {
        let mut params: Vec<SeqParam> = Vec::new();
        let mut rest = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) if rest.is_empty() => self.seq_param(&mut params, param),
                PathItem::Param(param) => self.error(param.span, "parameters of `path` come before its constituents"),
                item => rest.push(item),
            }
        }
        let parts = self.path_parts(rest);
        if parts.is_empty() && self.recovered.is_empty() {
            self.error(Span::new(l, r), "this `path` has no constituents");
        }
        self.node(ExprKind::Path { params, parts }, l, r)
    }

    fn path_parts(&mut self, items: Vec<PathItem>) -> Vec<PathPart> {
        let mut parts: Vec<PathPart> = Vec::new();
        for item in items {
            match item {
                PathItem::Param(param) => self.error(param.span, "parameters of `path` come before its constituents"),
                PathItem::Group(items, span) => {
                    let inner = self.path_parts(items);
                    parts.push(PathPart { kind: PathPartKind::Chain(inner), repeat: None, span });
                }
                PathItem::Filter(e) => {
                    let dash = matches!(e.kind, ExprKind::Dash(_));
                    match parts.last_mut() {
                        Some(PathPart { kind: PathPartKind::Step { targets, .. }, repeat: None, span }) if !dash => {
                            *span = span.to(e.span);
                            targets.push(e);
                        }
                        _ => {
                            let span = e.span;
                            let kind = if dash {
                                PathPartKind::Step { dash: e.boxed(), targets: Vec::new() }
                            } else {
                                PathPartKind::Holder(e.boxed())
                            };
                            parts.push(PathPart { kind, repeat: None, span });
                        }
                    }
                }
                PathItem::Wild(wild) => match parts.last_mut() {
                    Some(PathPart { kind: PathPartKind::Step { .. } | PathPartKind::Chain(_), repeat: repeat @ None, .. }) => {
                        *repeat = Some(wild);
                    }
                    Some(PathPart { repeat: Some(_), .. }) => self.error(wild.span, "one wildcard is enough"),
                    _ => self.error(wild.span, "only a dash or a group in parentheses can be repeated"),
                },
            }
        }
        parts
    }

    fn seq_param(&mut self, params: &mut Vec<SeqParam>, param: SeqParam) {
        if let (Some(SeqParam { kind: SeqParamKind::Range(old), span }), SeqParamKind::Range(new)) =
            (params.last_mut(), &param.kind)
        {
            if join(old, new) {
                *span = span.to(param.span);
                return;
            }
        }
        let same = |p: &SeqParam| match (&p.kind, &param.kind) {
            (SeqParamKind::Flag(a), SeqParamKind::Flag(b)) => a == b && *a != Keyword::LastPosition,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b) && !matches!(a, SeqParamKind::Flag(_)),
        };
        if params.iter().any(same) {
            self.error(param.span, format!("`{}` is one too many", param.span.text(self.source)));
        }
        params.push(param);
    }

    pub(crate) fn line(&mut self, list: Vec<SeqParam>, steps: Vec<(bool, Span, LinePart)>, l: u32, r: u32) -> Expr {
        let mut params = Vec::new();
        for param in list {
            self.seq_param(&mut params, param);
        }
        let back = steps.first().is_some_and(|s| s.0);
        let parts = self.line_steps(back, steps);
        self.node(ExprKind::Line { params, back, parts }, l, r)
    }

    fn line_steps(&mut self, back: bool, steps: Vec<(bool, Span, LinePart)>) -> Vec<LinePart> {
        let mut parts = Vec::new();
        for (direction, span, part) in steps {
            if direction != back {
                self.error(span, "all arrows of a `line` point the same way");
            }
            parts.push(part);
        }
        parts
    }

    pub(crate) fn line_group(
        &mut self,
        first: LinePart,
        steps: Vec<(bool, Span, LinePart)>,
        repeats: Vec<Repeat>,
        l: u32,
        r: u32,
    ) -> LinePart {
        let back = steps.first().is_some_and(|s| s.0);
        let mut parts = vec![first];
        parts.extend(self.line_steps(back, steps));
        LinePart { kind: LinePartKind::Group(parts), repeats, span: Span::new(l, r) }
    }

    // ---- The header.

    pub(crate) fn header(&mut self, params: Vec<HeaderParam>, l: u32, r: u32) -> Header {
        for (i, param) in params.iter().enumerate() {
            let repeatable = matches!(param.kind, HeaderKind::Variations | HeaderKind::Quiet | HeaderKind::Silent);
            let same = |p: &HeaderParam| std::mem::discriminant(&p.kind) == std::mem::discriminant(&param.kind);
            if !repeatable && params[..i].iter().any(same) {
                self.error(param.span, "this parameter is written twice");
            }
        }
        Header { params, span: Span::new(l, r) }
    }

    pub(crate) fn header_file(&mut self, input: bool, file: &str, l: u32, r: u32) -> HeaderParam {
        let span = Span::new(l, r);
        if !(file.ends_with(".pgn") || file.ends_with(".PGN")) {
            self.error(span, format!("`{file}` is no `.pgn` file"));
        }
        let kind = if input { HeaderKind::Input(file.to_string()) } else { HeaderKind::Output(file.to_string()) };
        HeaderParam { kind, span }
    }

    pub(crate) fn header_flag(&mut self, keyword: Keyword, l: u32, r: u32) -> HeaderParam {
        let kind = match keyword {
            Keyword::Quiet => HeaderKind::Quiet,
            Keyword::Silent => HeaderKind::Silent,
            _ => HeaderKind::Variations,
        };
        HeaderParam { kind, span: Span::new(l, r) }
    }

    pub(crate) fn header_range(&mut self, keyword: Keyword, lo: i32, hi: i32, l: u32, r: u32) -> HeaderParam {
        let span = Span::new(l, r);
        if hi < lo {
            self.error(span, "this range is empty: the second number is smaller");
        }
        let kind = match keyword {
            Keyword::GameNumber => HeaderKind::GameNumber(lo, hi),
            Keyword::Sort => HeaderKind::SortMatchCount(lo, hi),
            _ => HeaderKind::MatchCount(lo, hi),
        };
        HeaderParam { kind, span }
    }
}
