//! The table of nodes: the one place that lists their kinds.
//!
//! A row has the fields of a kind with their roles, its signature, and its label in the printed
//! tree, in which the names in braces are fields. `shape` and `squares` say which necessary
//! conditions follow from a match ([`Shape`]) and where the squares of its value can lie
//! ([`SetShape`]); without them none is known. Roles:
//!
//! | role | the field |
//! | --- | --- |
//! | `value`, `condition`, `tail` | operands of this [role](Role) |
//! | `role(R)` | operands whose role depends on the node |
//! | `block` | the filters in braces |
//! | `changes` | the changes of a board |
//! | `parts` | a range, whose bounds may be variables, or another type that has parts itself |
//! | `variable(U)`, `dictionary(U)` | a name, and the use that the node makes of it |
//! | `attribute`, `attribute(A)` | what a transform changes |
//! | `flag` | a property, whose name is in the label if it is set |
//!
//! The parts of a node are visited in the order of its row. A field without a role is only data.
//!
//! [`Role`]: crate::hir::visit::Role
//! [`Shape`]: crate::hir::Shape
//! [`SetShape`]: crate::hir::SetShape

/// Calls a macro with all rows. The names in `context` are those that rows use for a declared type
/// and for the query.
macro_rules! node_table {
    ($callback:ident $($with:ident)?) => {
        $callback! {
            $($with)?
            context(declared query)
            /// The kind of an expression.
            enum ExprKind {
                /// `true` / `false`
                Bool(value: bool) = DERIVED.gives(Bool), "{value}";
                /// A number.
                Number(value: i32) = DERIVED.always().gives(Number), "{value}";
                /// A string of bytes.
                Text(text: Box<[u8]>) = DERIVED.always().gives(Type::String), "{text}";
                /// A piece designator. One of any content is a constant set.
                Designator(designator: Designator as attribute)
                    = PLAIN.needs_game_if(designator.content != Content::ANY).gives(Set),
                    "{designator}", squares SetShape::Designator(*designator);
                /// A fixed set of squares: `.`, `[]`.
                Squares(mask: u64) = DERIVED.gives(Set), "{}" (squares(*mask)),
                    squares SetShape::Squares(*mask);
                /// The value of a variable; a run-time error when it is unbound.
                Var(var: VarId as variable(VariableUse::Read))
                    = PLAIN.anywhere().gives(declared), "{var}";
                /// A filter without operands that matches or not.
                Condition(which: Condition as attribute) = which.signature(), "{which}",
                    shape Shape::Condition(*which);
                /// A filter without operands that has a value.
                Property(which: Property as attribute) = which.signature(), "{which}",
                    squares SetShape::of_property(*which);
                /// A filter with one operand.
                Unary(
                    filter: UnaryFilter as attribute(Attribute::of_unary(filter, &mut a.kind)),
                    a: Box<Expr> as value
                ) = filter.signature(), "{filter}", squares SetShape::of_unary(*filter, a);
                /// A filter with two operands.
                Binary(filter: BinaryFilter, a: Box<Expr> as value, b: Box<Expr> as value)
                    = filter.signature(), "{filter}", squares SetShape::of_binary(*filter, a, b);
                /// Arithmetic.
                Arithmetic(operation: Arithmetic, a: Box<Expr> as value, b: Box<Expr> as value)
                    = DERIVED.gives(Number), "{operation}";
                /// A comparison; both operands have one type (a set beside a number is wrapped in
                /// [`UnaryFilter::Count`]). Value: the left one's, Boolean for sets and for `!=`.
                Compare(
                    relation: ComparisonOperator,
                    left: Box<Expr> as value,
                    right: Box<Expr> as value
                ) = DERIVED
                        .needs_game_if(left.ty == Position)
                        .gives(type_of_comparison(*relation, left)),
                    "{relation}", shape Shape::Compare(*relation, left, right);
                /// `equal(f g)`: same type and same value.
                Equal(a: Box<Expr> as value, b: Box<Expr> as value) = DERIVED.gives(Bool), "Same";
                /// `max(…)`, `min(…)`: operands without value are skipped. All Number or all
                /// String.
                Extreme {
                    /// `min` rather than `max`.
                    min: bool,
                    /// The operands.
                    operands: Vec<Expr> as value,
                } = DERIVED.always().gives(last_type(operands)),
                    "{}" (if *min { "Least" } else { "Greatest" });
                /// `{ f g … }`: the last one's value if all match.
                Sequence(filters: Vec<Expr> as block) = DERIVED.gives(last_type(filters)),
                    "Sequence", shape Shape::Conjunction;
                /// `f and g`
                And(a: Box<Expr> as condition, b: Box<Expr> as condition)
                    = DERIVED.gives(Bool), "And", shape Shape::Conjunction;
                /// `f or g`
                Or(a: Box<Expr> as condition, b: Box<Expr> as condition)
                    = DERIVED.gives(Bool), "Or", shape Shape::Or(a, b);
                /// `not f`
                Not(body: Box<Expr> as condition) = DERIVED.gives(Bool), "Not",
                    shape Shape::Not(body);
                /// `if c then x else y`
                If {
                    /// The condition.
                    condition: Box<Expr> as condition,
                    /// Taken when it matches.
                    then: Box<Expr> as role(role_of_branches(then, otherwise)),
                    /// Taken when it does not; without it the whole matches then.
                    otherwise: Option<Box<Expr>> as role(role_of_branches(then, otherwise)),
                } = DERIVED.gives(type_of_branches(then, otherwise)), "If";
                /// `while (c) f`; always matches.
                While {
                    /// The condition.
                    condition: Box<Expr> as condition,
                    /// The body; its result is ignored.
                    body: Box<Expr> as condition,
                } = LOOP.gives(Bool), "While";
                /// `loop f`
                Loop(body: Box<Expr> as condition) = LOOP.gives(Bool), "Loop";
                /// `position : f`
                With {
                    /// The position to look at.
                    position: Box<Expr> as value,
                    /// What is evaluated there.
                    body: Box<Expr> as tail,
                } = PLAIN.gives(body.ty), "With position";
                /// A filter with parameters that makes a set of squares of other sets.
                Set(filter: SetFilter as parts)
                    = filter.signature(declared), "{filter}",
                    shape filter.shape(), squares filter.set_shape();
                /// `fen "…"`
                FenPattern(pattern: FenPattern as attribute) = PLAIN.gives(Bool), "{pattern}",
                    shape Shape::Fen(&pattern.designators);
                /// `square x in S f`, `x ∊ S f`: x is bound to each square in turn.
                ForSquares {
                    /// The variable, of type Set.
                    var: VarId as variable(VariableUse::Loop),
                    /// The set, evaluated once.
                    set: Box<Expr> as value,
                    /// The body.
                    body: Box<Expr> as condition,
                    /// `all`: Boolean, stops at the first failure.
                    all: bool as flag,
                } = FOR_EACH.anywhere().gives(if *all { Bool } else { Set }),
                    "For{all} squares {var}",
                    shape Shape::of_loop(set, *all), squares SetShape::of_loop(set, *all);
                /// `piece x in S f`
                ForPieces {
                    /// The variable, of type Piece.
                    var: VarId as variable(VariableUse::Loop),
                    /// The set, evaluated once; empty squares are skipped.
                    set: Box<Expr> as value,
                    /// The body.
                    body: Box<Expr> as condition,
                    /// `all`: Boolean, stops at the first failure.
                    all: bool as flag,
                } = FOR_EACH.gives(if *all { Bool } else { Set }),
                    "For{all} pieces {var}",
                    shape Shape::of_loop(set, *all), squares SetShape::of_loop(set, *all);
                /// `x ∊ D f`, `string x in D f`, `key x in D f`: x is bound to each key in order;
                /// matches always.
                ForKeys {
                    /// The variable, of the type of the keys.
                    var: VarId as variable(VariableUse::Loop),
                    /// The dictionary.
                    dictionary: DictId as dictionary(DictionaryUse::Read),
                    /// The body.
                    body: Box<Expr> as condition,
                } = CHANGE.keeps_text_if(true).repeats(16).anywhere().gives(Bool),
                    "For keys {var} of {dictionary}";
                /// A change of a variable or of a dictionary.
                State(filter: StateFilter as parts)
                    = filter.signature(declared), "{filter}",
                    shape filter.shape(), squares filter.set_shape();
                /// `isbound x`
                IsBound(var: VarId as variable(VariableUse::Test))
                    = PLAIN.may_fail().anywhere().gives(Bool), "Is bound {var}";
                /// `D[k]`. A dictionary has a copy of its own of a key.
                Lookup {
                    /// The dictionary.
                    dictionary: DictId as dictionary(DictionaryUse::Read),
                    /// The key.
                    key: Box<Expr> as value,
                } = CHANGE.anywhere().gives(declared), "Lookup in {dictionary}";
                /// `#D`
                DictionaryLen(dictionary: DictId as dictionary(DictionaryUse::Read))
                    = PLAIN.may_fail().anywhere().always().gives(Number), "Length of {dictionary}";
                /// `s[i]`
                CharAt {
                    /// The string.
                    text: Box<Expr> as value,
                    /// Counted from the end if negative.
                    index: Box<Expr> as value,
                } = DERIVED.differs(DialectSwitch::UnicodeStrings).gives(Type::String), "Character";
                /// `s[i:j]`
                Slice {
                    /// The string.
                    text: Box<Expr> as value,
                    /// First, default 0.
                    from: Option<Box<Expr>> as value,
                    /// End, default the length.
                    to: Option<Box<Expr>> as value,
                } = DERIVED.differs(DialectSwitch::UnicodeStrings).gives(Type::String),
                    "Slice{}" (ends(from.is_some(), to.is_some()));
                /// `s ~~ p`: the text of the first match; keeps its groups.
                Match {
                    /// The text that is searched.
                    subject: Box<Expr> as value,
                    /// The regular expression ([`crate::pattern`]); a literal one is well formed.
                    pattern: Box<Expr> as value,
                } = DERIVED
                        .costs(200)
                        .may_fail_if(!matches!(pattern.kind, ExprKind::Text(_)))
                        .gives(Type::String),
                    "Match";
                /// `while (s ~~ p) f`: the body for each match in turn; matches when the text has a
                /// value.
                ForMatches {
                    /// The text that is searched.
                    subject: Box<Expr> as value,
                    /// The regular expression.
                    pattern: Box<Expr> as value,
                    /// The body; its result is ignored.
                    body: Box<Expr> as condition,
                } = LOOP.costs(200).gives(Bool), "For matches";
                /// `\N`: the text of a group of the latest match.
                Group(number: u8)
                    = PLAIN.may_fail().anywhere().gives(Type::String), "Group {number}";
                /// `\-N`: where it begins.
                GroupIndex(number: u8)
                    = PLAIN.may_fail().anywhere().gives(Number), "Place of group {number}";
                /// `similarposition`: the board is one of those that a file's games give. All of a
                /// query have the file of [`crate::hir::Query::similar`].
                SimilarPosition = PLAIN
                        .costs(60)
                        .adds_comments_if(true)
                        .changes_state()
                        .opens("similarposition")
                        .gives(Bool),
                    "Similar position";
                /// How similar the position is to the one of
                /// [`Query::like`](crate::hir::Query::like), from 0 to 1000.
                Likeness = PLAIN.costs(60).always().gives(Number),
                    "Likeness {}" (query.like.as_ref().map(Like::board).unwrap_or_default());
                /// The copies of a filter under a transform, in canonical order.
                Orbit {
                    /// How their results are joined.
                    result: OrbitResult as parts,
                    /// The copies.
                    elements: Vec<Expr> as role(role_of_copies(result)),
                    /// The operand and the maps, while an enclosing transform can still merge with
                    /// this one.
                    source: transform::OrbitSource,
                } = match result {
                        OrbitResult::Count(range) if !range.is_constant() => {
                            PLAIN.may_fail().anywhere().gives(Number)
                        }
                        OrbitResult::Count(_) | OrbitResult::Max => DERIVED.gives(Number),
                        OrbitResult::Union => {
                            DERIVED.gives(elements.first().map_or(Set, |element| element.ty))
                        }
                        OrbitResult::Any => DERIVED.gives(Bool),
                    },
                    "Orbit of {}, {result}" (elements.len()),
                    shape Shape::of_copies(elements, *result),
                    squares SetShape::of_copies(elements, *result);
                /// `notransform f`: f, which enclosing transforms do not change.
                NoTransform(body: Box<Expr> as tail) = DERIVED.gives(body.ty), "Not transformed",
                    shape Shape::Conjunction, squares SetShape::Same(body);
                /// `currenttransform`: the names of the maps that this copy went through, without
                /// the angle brackets. Copies that differ only in them are equal.
                CurrentTransform(name: Uncompared<String> as attribute)
                    = DERIVED.always().gives(Type::String), "<{name}>";
                /// `move …`
                Move(filter: Box<MoveFilter> as parts)
                    = PLAIN
                        .costs(cost_of_moves(filter.source))
                        .adds_comments_if(filter.comment.is_some())
                        .looks_ahead(u32::from(filter.source == MoveSource::Played))
                        .gives(filter.result.ty()),
                    "{filter}", shape Shape::Move(filter),
                    squares SetShape::of_move(filter);
                /// `move … : f`
                SpeculativeMove(filter: Box<SpeculativeMove> as parts)
                    = PLAIN
                        .costs(100)
                        .searches()
                        .looks_ahead(u32::from(filter.moves.source == MoveSource::Played))
                        .repeats(32)
                        .gives(filter.moves.result.ty()),
                    "{filter}";
                /// `imagine … : f`: the changes one after the other, each set evaluated on the
                /// board as changed so far.
                Imagine {
                    /// The changes.
                    changes: Vec<BoardChange> as changes,
                    /// What is evaluated on the changed board.
                    body: Box<Expr> as tail,
                } = PLAIN.costs(40).gives(body.ty), "Imagine {changes}";
                /// `--`, `[x]`
                Dash(filter: Box<DashFilter> as parts)
                    = PLAIN.costs(4).looks_ahead(u32::from(!filter.previous)).gives(match &filter.target {
                        _ if filter.count => Number,
                        Some(target) => target.ty,
                        None => Bool,
                    }),
                    "{filter}", shape Shape::Dash(filter);
                /// `find …`
                Find(filter: Box<FindFilter> as parts)
                    = SEARCH
                        .looks_ahead(if filter.backward { 0 } else { Effects::UNBOUNDED })
                        .may_fail_if(!filter.mode.is_constant())
                        .adds_comments_if(!filter.quiet)
                        .repeats(64)
                        .gives(match filter.mode {
                            FindMode::First => Position,
                            FindMode::All | FindMode::Range(_) => Number,
                        }),
                    "{filter}", shape Shape::Find(filter);
                /// `line …`
                Line(filter: Box<LineFilter> as parts)
                    = SEARCH
                        .may_fail_if(!filter.range.is_none_or(NumberRange::is_constant))
                        // A step back may be tied to the move that is played from there.
                        .looks_ahead(if filter.backward { 1 } else { Effects::UNBOUNDED })
                        .adds_comments_if(!filter.quiet)
                        .changes_state_if(filter.nest_ban.is_some())
                        .repeats(64)
                        .gives(type_of_sequence(filter.last_position)),
                    "{filter}", shape Shape::Line(filter);
                /// `echo …`
                Echo(filter: Box<EchoFilter> as parts)
                    = SEARCH
                        .may_fail()
                        .adds_comments_if(!filter.quiet)
                        .repeats(64)
                        .gives(if filter.body.ty == Number { Number } else { Bool }),
                    "{filter}", shape Shape::Echo(filter);
                /// `consecutivemoves …`
                ConsecutiveMoves(filter: ConsecutiveMoves as parts)
                    = SEARCH.may_fail().costs(400).changes_state_if(!filter.quiet).gives(Number),
                    "{filter}";
                /// `path …`
                Path(filter: Box<PathFilter> as parts)
                    = SEARCH
                        .may_fail_if(!filter.range.is_none_or(NumberRange::is_constant))
                        .adds_comments_if(filter.writes())
                        .changes_state_if(filter.nest_ban.is_some())
                        .repeats(64)
                        .gives(type_of_sequence(filter.last_position)),
                    "{filter}", shape Shape::Path(filter);
                /// `sort …`
                Sort {
                    /// The key it feeds.
                    key: SortId,
                    /// Number (a set is wrapped in Count) or String.
                    value: Box<Expr> as value,
                } = CHANGE.keeps_text_if(true).gives(value.ty), "Sort \"{key}\"",
                    shape Shape::Sort(value);
                /// A filter that writes something besides the moves of the games.
                Output(filter: OutputFilter as parts)
                    = filter.signature(declared), "{filter}",
                    shape filter.shape(), squares filter.set_shape();
                /// `str(…)`
                Str(parts: Vec<Expr> as value)
                    = DERIVED
                        .costs(60)
                        .may_fail()
                        .adds_comments_if(prints_position(parts))
                        .always()
                        .gives(Type::String),
                    "Str";
                /// `originalcomment "NAG"`
                HasNag(nag: u8)
                    = PLAIN.lasts(Constancy::Position).with_comments().gives(Bool),
                    "NAG ${nag}";
                /// `commandpipe("COMMAND" request)`: the answer of a running process, a String. It
                /// is a conversation: each request is sent, once, in its place.
                CommandPipe {
                    /// The program and its arguments; at least one word.
                    command: Box<[String]>,
                    /// The line that it is sent.
                    request: Box<Expr> as value,
                } = CHANGE.costs(1_000_000).anywhere().opens("commandpipe").gives(Type::String),
                    "Command pipe {command}";
                /// `assert f`
                Assert(body: Box<Expr> as condition)
                    = PLAIN.may_fail().anywhere().gives(Bool), "Assert";
                /// The position lists of a CQL 3 query.
                GameLists(filter: Box<GameLists> as parts)
                    = CHANGE.looks_anywhere().gives(Bool), "{filter}";
                /// `:sequence`, `:gappedsequence`
                PositionSequence(filter: Box<PositionSequence> as parts)
                    = SEARCH.costs(400).gives(Bool), "{filter}", shape Shape::Steps(filter);
                /// `:attackcount`, `:ray`
                Pairs(pairs: Box<SquarePairs> as parts)
                    = PLAIN.costs(60).gives(Bool), "{pairs}", shape Shape::Pairs(pairs);
                /// `:relation`
                Recurrence(filter: Box<Recurrence>)
                    = SEARCH.costs(400).gives(Bool), "{filter}";
            }
            /// A filter with parameters that makes a set of squares of other sets.
            ///
            /// It evaluates each operand once, on the board that it looks at itself, and has always
            /// a value, which may be empty.
            enum SetFilter {
                /// `D [range] S`
                Direction {
                    /// The directions.
                    directions: Directions as attribute,
                    /// Distances.
                    range: NumberRange as parts,
                    /// The set to start from.
                    set: Box<Expr> as value,
                } = PLAIN.costs(10).may_fail_if(!range.is_distance()).anywhere().gives(Set),
                    "Direction {directions} {range}";
                /// `ray`, `xray`, `pin`, and `->`/`<-` chains of three or more: one square of each
                /// set, in the order of the sets on one line, with nothing between them.
                Aligned(alignment: Alignment as attribute, sets: Vec<Expr> as value)
                    = PLAIN.costs(40).gives(Set), "{alignment}",
                    squares SetShape::of_moved(alignment.value(sets));
            }
            /// A change of a variable or of a dictionary.
            enum StateFilter {
                /// `x = e`: matches when e has a value (a set has always one).
                Assign {
                    /// The variable.
                    var: VarId as variable(VariableUse::Assign),
                    /// The value.
                    value: Box<Expr> as value,
                    /// `=?`: an empty set fails.
                    if_any: bool as flag,
                } = CHANGE.keeps_text_if(value.ty == Type::String).anywhere().gives(Bool),
                    "Assign{if_any} {var}";
                /// `x op= e`: read, compute, store. `op` is applied to (x, e) by [`Update`].
                Update {
                    /// The variable.
                    var: VarId as variable(VariableUse::Update(*op)),
                    /// The operation.
                    op: Update,
                    /// The operand.
                    value: Box<Expr> as value,
                } = CHANGE.keeps_text_if(value.ty == Type::String).anywhere().gives(Bool),
                    "Update {var}: {op}";
                /// `piece x = S`: S must be exactly one occupied square.
                BindPiece {
                    /// The variable.
                    var: VarId as variable(VariableUse::BindPiece),
                    /// The set.
                    set: Box<Expr> as value,
                } = CHANGE.gives(Bool), "Bind piece {var}";
                /// `unbind x`
                Unbind(var: VarId as variable(VariableUse::Unbind))
                    = CHANGE.anywhere().gives(Bool), "Unbind {var}";
                /// `D[k] = v`, or with an operator.
                Store {
                    /// The dictionary.
                    dictionary: DictId
                        as dictionary(DictionaryUse::Store { op: *op, from_zero: *from_zero }),
                    /// The key.
                    key: Box<Expr> as value,
                    /// How the new value joins the old one; `None` replaces it.
                    op: Option<Update>,
                    /// The value.
                    value: Box<Expr> as value,
                    /// A missing key starts from 0 or "" and is not an error
                    /// (docs/src/language/dialects.md#dialects).
                    from_zero: bool,
                } = match op.is_some() {
                        true => CHANGE.anywhere().differs(DialectSwitch::MissingKeys).gives(Bool),
                        false => CHANGE.anywhere().gives(Bool),
                    },
                    "Store in {dictionary}{op}";
                /// `unbind D[k]`, or `unbind D` without key.
                Erase {
                    /// The dictionary.
                    dictionary: DictId as dictionary(DictionaryUse::Erase),
                    /// The key.
                    key: Option<Box<Expr>> as value,
                } = CHANGE.anywhere().gives(Bool),
                    "Erase {} {dictionary}" (if key.is_none() { "all of" } else { "from" });
                /// `x[i] = s`, `x[i:j] = s`
                AssignSlice {
                    /// The string variable.
                    var: VarId as variable(VariableUse::Splice),
                    /// `x[i]` rather than `x[i:j]`; then `from` is there.
                    single: bool,
                    /// First.
                    from: Option<Box<Expr>> as value,
                    /// End.
                    to: Option<Box<Expr>> as value,
                    /// The replacement.
                    value: Box<Expr> as value,
                } = CHANGE
                        .keeps_text_if(true)
                        .anywhere()
                        .differs(DialectSwitch::UnicodeStrings)
                        .gives(Bool),
                    "Assign {var}{}"
                        (if *single { "[i]" } else { ends(from.is_some(), to.is_some()) });
            }
            /// A filter that writes something besides the moves of the games.
            enum OutputFilter {
                /// `comment(…)`, `/// …`. Each argument of this filter, of `message` and of `str`
                /// is printed by its type. A bare variable prints `<unbound: NAME>` while unbound,
                /// a bare piece variable its letter and square.
                Comment(parts: Vec<Expr> as value)
                    = PLAIN.adds_comments_if(true).gives(Bool), "Comment";
                /// `field("NAME" …)`: the value of a single part that is a number or a string, else
                /// the text of the parts as `comment` prints them.
                Field {
                    /// The name of the field.
                    name: String,
                    /// The value, or the parts of its text.
                    parts: Vec<Expr> as value,
                } = PLAIN.adds_comments_if(true).gives(Bool), "Field \"{name}\"";
                /// `message [quiet] (…)`. Printing a position of a variation leaves a comment with
                /// its id there.
                Message {
                    /// Without the `Game: …` prefix.
                    quiet: bool as flag,
                    /// What is printed.
                    parts: Vec<Expr> as value,
                } = PLAIN
                        .changes_state()
                        .adds_comments_if(!quiet || prints_position(parts))
                        .anywhere()
                        .gives(Bool),
                    "Message{quiet}";
                /// `settag("NAME" s)`
                SetTag {
                    /// The tag.
                    name: String,
                    /// Its value.
                    value: Box<Expr> as value,
                } = CHANGE.gives(Bool), "Set tag {name}";
                /// `removetag("NAME")`
                RemoveTag(name: String) = CHANGE.gives(Bool), "Remove tag {name}";
                /// `writefile(name text)`
                WriteFile {
                    /// The file.
                    name: Box<Expr> as value,
                    /// What is appended.
                    text: Box<Expr> as value,
                } = CHANGE.anywhere().opens("writefile").gives(Bool), "Write file";
            }
        }
    };
}
pub(in crate::hir) use node_table;
