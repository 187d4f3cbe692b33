//! The table of instructions: the one place that lists them.
//!
//! A row has the operands of an instruction with their roles, the function that runs it, and its
//! disassembly. The function is in the executor of the group, a module of `machine::dispatch`. With
//! `(at)`, it also gets the program counter. Roles:
//!
//! | role | in the instruction | what the executor gets |
//! | --- | --- | --- |
//! | `dst` | the register of the result | nothing: it returns the value |
//! | `src` | a register that is read | the word in it |
//! | `opt` | the same, or nothing | the word, if any |
//! | `state(n)` | the first of `n` registers | the register |
//! | `var` | the register of a variable | the register |
//! | `label` | the place to continue | nothing: it returns whether the instruction failed |
//! | `index(T)` | the number of an entry of the table of `T` | the number |
//! | `first(T)` | the number of the first of several entries, or none | the number |
//! | `either(T)` | a `T`, which may be a register | the `T` |
//! | `imm(T)` | a `T` | the `T` |
//! | `flag` | a property | whether it is set |

/// Calls a macro with all rows.
macro_rules! op_table {
    ($callback:ident) => {
        $callback! {
            control {
                /// Continues at a label.
                Jump { to: label } = jump, "goto {to}";
                /// Ends the query or the code that another instruction called.
                Return { matched: flag } = end, "return{matched}";
                /// Goes to the next position of the game at which the prefilter holds.
                Visit { prefilter: imm(Option<Id<Prefilter>>), done: label }
                    = visit(at), "visit next position{prefilter} else goto {done}";
                /// The position matches.
                PositionMatches { again: label } = match_here(at), "match, goto {again}";
                /// An iteration of a loop: counts against the limit of steps.
                Step {} = step(at), "step";
                /// A filter begins, in a profiled program.
                Begin { filter: imm(u32) } = begin, "begin filter {filter}";
                /// It has matched.
                Matched { filter: imm(u32) } = matched, "matched filter {filter}";
                /// The value of a filter, in a traced program.
                TraceValue { filter: imm(u32), value: src, ty: imm(Type) }
                    = trace_value, "trace filter {filter} = {value} // {ty}";
                /// The outcome of a filter that is evaluated once per game.
                OnceGame { dst: dst, filter: index(OnceSpec), fail: label }
                    = once_in_game, "{dst} = once per game {filter} else goto {fail}";
                /// The outcome of a filter that is evaluated once per position.
                OncePosition { dst: dst, filter: index(OnceSpec), fail: label }
                    = once_at_position, "{dst} = once per position {filter} else goto {fail}";
                /// An assertion did not hold.
                AssertFailed {} = assert_failed(at), "assertion failed";
            }
            board {
                /// The side to move is in check.
                Check { fail: label } = check, "if !check goto {fail}";
                /// The side to move is mated.
                Mate { fail: label } = mate, "if !mate goto {fail}";
                /// The position is the initial one.
                Initial { fail: label } = initial, "if !initial goto {fail}";
                /// Any other condition without operands.
                Test { which: imm(Condition), fail: label }
                    = condition(at), "if !({which}) goto {fail}";
                /// One of these contents stands on one of the squares.
                TestDesignator { squares: imm(SquareMask), content: imm(Content), fail: label }
                    = designator_is_there, "if !{content}{squares} goto {fail}";
                /// A piece of one kind and color stands on one of the squares.
                TestPiece { squares: imm(SquareMask), piece: imm(ContentBit), fail: label }
                    = piece_is_there, "if !{piece}{squares} goto {fail}";
                /// A piece of the first set attacks a square of the second.
                TestAttacks { a: src, b: src, fail: label }
                    = attack, "if !({a} attacks {b}) goto {fail}";
                /// A piece of the first designator attacks a square of the second.
                TestDesignatorAttacks { a: index(Designator), b: index(Designator), fail: label }
                    = designator_attacks, "if !({a} attacks {b}) goto {fail}";
                /// A pattern matches at one of its places.
                TestPattern { pattern: index(Pattern), fail: label }
                    = pattern, "if !(pattern {pattern}) goto {fail}";
                /// A pattern of a FEN: designators that must all match.
                TestFen { first: first(Designator), len: imm(u16), fail: label }
                    = fen, "if !(all of {len} designators from designator {first}) goto {fail}";
                /// The board is similar to a position of the file of `similarposition`.
                Similar { fail: label } = similar(at), "if !similarposition goto {fail}";
                /// How similar the position is to the one of the query, from 0 to 1000.
                Likeness { dst: dst } = likeness, "{dst} = likeness";
                /// The move to the position has the NAG.
                HasNag { nag: imm(u8), fail: label } = has_nag, "if !(nag ${nag}) goto {fail}";
                /// The squares on which pieces of one kind and color stand.
                Piece { dst: dst, squares: imm(SquareMask), piece: imm(ContentBit) }
                    = piece, "{dst} = {piece}{squares}";
                /// The squares on which the content stands.
                Designator { dst: dst, squares: imm(SquareMask), content: imm(Content) }
                    = designator, "{dst} = {content}{squares}";
                /// The number of these squares.
                CountDesignator { dst: dst, squares: imm(SquareMask), content: imm(Content) }
                    = count_designator, "{dst} = #{content}{squares}";
                /// The number of squares of a set.
                Count { dst: dst, set: src } = count, "{dst} = #{set}";
                /// What the pieces on the squares of a set are worth.
                Power { dst: dst, set: src } = power, "{dst} = power {set}";
                /// The squares of the first set with a piece that attacks a square of the second.
                Attacks { dst: dst, a: src, b: src } = attacking, "{dst} = {a} attacks {b}";
                /// The squares of the first set that a piece of the second attacks.
                AttackedBy { dst: dst, a: src, b: src } = attacked_by, "{dst} = {a} attackedby {b}";
                /// A filter without operands that has a value.
                Value { dst: dst, which: imm(Property), fail: label }
                    = property(at), "{dst} = {which} else goto {fail}";
                /// A filter with one operand.
                Unary { dst: dst, a: src, op: imm(UnaryFilter), fail: label }
                    = unary(at), "{dst} = {op} {a} else goto {fail}";
                /// A filter with two operands.
                Binary { dst: dst, a: src, b: src, op: imm(BinaryFilter), fail: label }
                    = binary(at), "{dst} = {a} {op} {b} else goto {fail}";
                /// The squares in some directions from a set, at distances in the range.
                Direction { dst: dst, set: src, min: src, max: src, directions: imm(Directions) }
                    = direction(at), "{dst} = {directions} {min} {max} {set}";
                /// `ray` and `attack` through several sets.
                Ray {
                    dst: dst,
                    sets: state(len),
                    len: imm(u16),
                    directions: imm(Directions),
                    attack: flag,
                    first: flag,
                } = ray, "{dst} = ray{attack}{first} {directions} ({len} sets from {sets})";
                /// `pin` of three sets.
                Pin { dst: dst, sets: state(3), value: imm(PinValue) }
                    = pin, "{dst} = pin {value} (3 sets from {sets})";
            }
            registers {
                /// A number, or a word of another type.
                Const { dst: dst, value: imm(u64) } = constant, "{dst} = {value}";
                /// A set of squares.
                ConstSquares { dst: dst, squares: imm(SquareSet) } = squares, "{dst} = {squares}";
                /// A string.
                ConstText { dst: dst, text: imm(TextConstant) } = text, "{dst} = {text}";
                /// The value of another register.
                Copy { dst: dst, src: src } = copy, "{dst} = {src}";
                /// Adds one.
                Increment { dst: state(1) } = increment, "{dst} += 1";
                /// The intersection.
                And { dst: dst, a: src, b: src } = and, "{dst} = {a} & {b}";
                /// The union.
                Or { dst: dst, a: src, b: src } = or, "{dst} = {a} | {b}";
                /// An operator on two numbers; fails where a number is divided by zero.
                Arithmetic { dst: dst, a: src, b: src, op: imm(Arithmetic), fail: label }
                    = arithmetic, "{dst} = {a} {op} {b} else goto {fail}";
                /// The set is not empty, or the count is not zero.
                TestSet { set: src, fail: label } = is_not_zero, "if !{set} goto {fail}";
                /// The first set is part of the second.
                Subset { a: src, b: src, fail: label }
                    = is_subset, "if !({a} in {b}) goto {fail}";
                /// Compares a number with a constant.
                CompareConst { a: src, relation: imm(ComparisonOperator), value: imm(i32), fail: label }
                    = compare_constant, "if !({a} {relation} {value}) goto {fail}";
                /// Compares two values of a type.
                Compare { a: src, b: src, relation: imm(ComparisonOperator), ty: imm(Type), fail: label }
                    = compare, "if !({a} {relation} {b}) goto {fail} // {ty}";
                /// Compares two numbers.
                CompareNumbers { a: src, b: src, relation: imm(ComparisonOperator), fail: label }
                    = compare_numbers, "if !({a} {relation} {b}) goto {fail}";
                /// The number is in the range.
                InRange { a: src, min: src, max: src, fail: label }
                    = in_range, "if !({min} <= {a} <= {max}) goto {fail}";
                /// Keeps the better of several values and the comments made with it.
                Best { best: state(3), value: state(2), min: flag, text: flag }
                    = best, "{best} = best{min}{text} {value}";
            }
            variables {
                /// The value of a variable, which must be bound.
                Load { dst: dst, var: var } = load(at), "{dst} = {var}";
                /// Binds a variable.
                Store { var: var, src: src } = store, "{var} = {src}";
                /// Changes the value of a variable.
                Update { var: var, src: src, op: imm(Update), fail: label }
                    = update(at), "{var} {op} {src} else goto {fail}";
                /// Binds a variable to a text that [`Op::MakeText`] makes. The registers store the
                /// board that the text describes.
                DeferText { var: var, place: state(2) } = defer_text, "{var} = text of board {place}";
                /// Makes the text, unless it was made since it was deferred.
                MakeText { var: var, place: state(2), first: first(TextSegment), len: imm(u16) }
                    = make_text(at), "make {var} of {len} parts from part {first} at board {place}";
                /// The variable is unbound from here on.
                Unbind { var: var } = unbind, "unbind {var}";
                /// The variable is bound.
                TestBound { var: var, fail: label } = is_bound, "if !(isbound {var}) goto {fail}";
                /// Ends the run of the game unless the variable is unbound.
                RequireUnbound { var: var } = require_unbound(at), "require isunbound {var}";
                /// Ends the run of the game unless the variable is bound.
                RequireBound { var: var } = require_bound(at), "require isbound {var}";
                /// Binds a variable to the piece on the only square of a set.
                BindPiece { var: var, set: src, fail: label }
                    = bind_piece, "{var} = piece on {set} else goto {fail}";
                /// The number of a piece.
                PieceNumber { dst: dst, piece: src } = piece_number, "{dst} = pieceid {piece}";
                /// The square of the piece of a variable.
                PieceSquare { dst: dst, var: var } = piece_square(at), "{dst} = square of {var}";
                /// The value of a key of a dictionary. Without a register, the key is the board.
                Lookup { dst: dst, key: either(KeyOrBoard), dictionary: index(Dictionary), fail: label }
                    = lookup(at), "{dst} = {dictionary}[{key}] else goto {fail}";
                /// Gives a key of a dictionary a value. Without a register, the key is the board.
                StoreKey {
                    key: either(KeyOrBoard),
                    value: src,
                    dictionary: index(Dictionary),
                    op: imm(Option<Update>),
                    missing: imm(MissingKey),
                    fail: label,
                } = store_key(at),
                    "{dictionary}[{key}] {op} {value} else goto {fail} // missing: {missing}";
                /// Removes a key from a dictionary, or all keys without a register.
                Erase { key: either(KeyOrAll), dictionary: index(Dictionary) }
                    = erase(at), "unbind {dictionary}[{key}]";
                /// The number of keys of a dictionary.
                Entries { dst: dst, dictionary: index(Dictionary) }
                    = entries, "{dst} = #{dictionary}";
                /// The next key of a loop.
                NextKey { walk: state(1), var: var, dictionary: index(Dictionary), done: label }
                    = next_key(at), "{var} = next key of {dictionary} by {walk} else goto {done}";
            }
            iteration {
                /// Removes the next square from a set.
                ForSquare { set: state(1), current: state(1), var: var, done: label }
                    = next_square(at), "{var}, {current} = next square of {set} else goto {done}";
                /// Removes the next square with a piece from a set. Registers from `current` on:
                /// the square, the stamp of the board.
                ForPiece { set: state(1), current: state(2), var: var, done: label }
                    = next_piece(at), "{var}, {current} = next piece of {set} else goto {done}";
                /// Begins to look for positions. Registers: the next one, the end, the number
                /// found, the number that outer searches found.
                FindStart { state: state(4), backward: flag }
                    = find_start, "find{backward} by {state}";
                /// Goes to the next position at which the prefilter holds.
                FindNext { state: state(4), backward: flag, prefilter: imm(Option<Id<Prefilter>>), done: label }
                    = find_next(at), "next position by {state}{backward}{prefilter} else goto {done}";
                /// The first position was found.
                FindFound { dst: dst, quiet: flag } = find_found, "{dst} = found position{quiet}";
                /// One more position was found.
                FindHit { state: state(4), quiet: flag } = find_hit, "count position by {state}{quiet}";
                /// No more positions were found than the search may find.
                FindLimit { state: state(4), most: imm(i32), over: label }
                    = find_limit, "if count by {state} > {most} goto {over}";
                /// All positions were looked at.
                FindEnd { state: state(4), unnumbered: flag } = find_end, "end find by {state}{unnumbered}";
                /// The number of positions that `find` looks at, which is its count if all match.
                CountNodes { dst: dst, backward: flag } = count_nodes, "{dst} = #positions{backward}";
                /// What a `find` whose filter depends on the node only finds from here on.
                FindOnce { spec: index(FindSpec), dst: dst, fail: label }
                    = find_once(at), "{dst} = find {spec} else goto {fail}";
                /// Begins the loop of `echo`. Registers: the next position, the current one, the
                /// number of matches, the greatest value, two marks of the log.
                EchoStart { state: state(6), source: var } = echo_start, "echo {source} by {state}";
                /// Goes to the next position.
                EchoNext { state: state(6), target: var, in_all: flag, done: label }
                    = echo_next(at), "{target} = next echo by {state}{in_all} else goto {done}";
                /// The body matched.
                EchoHit {
                    state: state(6),
                    value: opt,
                    source: var,
                    target: var,
                    quiet: flag,
                    best_only: flag,
                } = echo_hit(at), "count echo {source} {target} by {state} value {value}{quiet}{best_only}";
                /// The first match is enough.
                EchoStop { state: state(6) } = echo_stop, "end echo by {state}";
                /// Finds the images that may match.
                ImagesStart { spec: index(ImagesSpec), cursor: state(1), done: label }
                    = images_start(at), "images {spec} by {cursor} else goto {done}";
                /// Continues with the next of these images.
                NextImage { spec: index(ImagesSpec), cursor: state(1), done: label }
                    = next_image, "goto next image of {spec} by {cursor} else {done}";
            }
            positions {
                /// Enters a position.
                Enter { position: src } = enter, "enter {position}";
                /// Enters the position before the last move.
                EnterParent { fail: label } = enter_parent, "enter parent else goto {fail}";
                /// Leaves the position or board that was entered last.
                Leave {} = leave, "leave";
                /// Enters a board that the following instructions change, unless the filter of
                /// `imagine` certainly fails there.
                Imagine { spec: index(ImagineSpec), fail: label }
                    = imagine, "enter imagined {spec} else goto {fail}";
                /// Changes the piece on a place of the imagined board.
                Place { place: either(Place), piece: imm(Option<Piece>) }
                    = place, "place {piece} on {place}";
                /// Exchanges the pieces on two places of the imagined board.
                Swap { first: either(Place), second: either(Place) } = swap, "swap {first} and {second}";
                /// Changes the side to move of the imagined board.
                Turn { side: imm(Option<Color>) } = turn, "{side} to move";
                /// Begins to try moves. Registers: the next one, the end, the first one.
                Speculate { spec: index(MoveSpec), cursor: state(3) }
                    = speculate, "try moves {spec} by {cursor}";
                /// Enters the board after the next move, with `check` the next that gives check.
                SpeculateNext { cursor: state(3), check: flag, done: label }
                    = speculate_next(at), "enter next move by {cursor}{check} else goto {done}";
                /// The body matched there.
                SpeculateHit { spec: index(MoveSpec), cursor: state(3) }
                    = speculate_hit, "count move {spec} by {cursor}";
                /// The remaining moves are not tried.
                SpeculateEnd { cursor: state(3) } = speculate_end, "end moves by {cursor}";
            }
            moves {
                /// A `move` filter that makes no comments.
                Move { spec: index(MoveSpec), fail: label }
                    = move_filter, "if !(move {spec}) goto {fail}";
                /// Begins to hand out the moves one by one.
                MoveStart { spec: index(MoveSpec), cursor: state(1) }
                    = move_start, "moves {spec} by {cursor}";
                /// Enters the tail of the next move.
                MoveNext { spec: index(MoveSpec), cursor: state(1), done: label }
                    = move_next, "enter next move {spec} by {cursor} else goto {done}";
                /// A dash without target.
                Dash { spec: index(DashSpec), dst: dst, previous: flag, count: flag, fail: label }
                    = dash, "{dst} = dash {spec}{previous}{count} else goto {fail}";
                /// Enters the tail of the next move that fits. Registers: the last move tried, the
                /// parts of it that fit.
                DashNext { spec: index(DashSpec), cursor: state(2), previous: flag, done: label }
                    = dash_next, "enter next dash {spec} by {cursor}{previous} else goto {done}";
                /// `from` and `to` in the target of a dash.
                OwnSquares { dst: dst, parts: src, to: flag }
                    = own_squares, "{dst} = own squares{to} of {parts}";
                /// The kinds that a text names.
                PromotionKinds { dst: dst, text: src } = promotion_kinds, "{dst} = kinds of {text}";
                /// A `line` whose length is in the range.
                Line { spec: index(LineSpec), dst: dst, min: src, max: src, fail: label }
                    = line(at), "{dst} = line {spec} {min} {max} else goto {fail}";
                /// A `path` whose length is in the range, if there is one.
                Path { spec: index(PathSpec), dst: dst, min: opt, max: opt, fail: label }
                    = path(at), "{dst} = path {spec} [{min}:{max}] else goto {fail}";
                /// The longest common run of moves. Registers: two positions, the range.
                ConsecutiveMoves { dst: dst, operands: state(4), spec: index(ConsecutiveMovesSpec), fail: label }
                    = consecutive_moves(at),
                    "{dst} = consecutivemoves {spec} of {operands} else goto {fail}";
                /// The position lists of CQL 3.
                GameLists { spec: index(GameListsSpec), fail: label }
                    = game_lists(at), "if !(position lists {spec}) goto {fail}";
                /// Filters that match one position after the other.
                Steps { spec: index(StepsSpec), fail: label }
                    = steps(at), "if !(sequence {spec}) goto {fail}";
                /// Pairs of squares that are counted.
                Pairs { spec: index(PairsSpec), fail: label } = pairs, "if !(pairs {spec}) goto {fail}";
                /// Another position of the game that is like this one.
                Recurrence { spec: index(Recurrence), fail: label }
                    = recurrence(at), "if !(recurrence {spec}) goto {fail}";
            }
            text {
                /// The first string is part of the second.
                InText { a: src, b: src, fail: label } = in_text, "if !({a} in {b}) goto {fail}";
                /// The value of a tag.
                Tag { dst: dst, name: index(String), fail: label }
                    = tag, "{dst} = tag {name} else goto {fail}";
                /// A character of a string.
                CharAt { dst: dst, text: src, index: src, fail: label }
                    = char_at, "{dst} = {text}[{index}] else goto {fail}";
                /// A part of a string.
                Slice { dst: dst, text: src, from: opt, to: opt }
                    = slice, "{dst} = {text}[{from}:{to}]";
                /// Changes a part of a variable's string.
                Splice { var: var, from: opt, to: opt, value: src, single: flag, fail: label }
                    = splice(at), "{var}[{from}:{to}]{single} = {value} else goto {fail}";
                /// The first match of a regular expression.
                Match { dst: dst, text: src, pattern: either(RegexOperand), fail: label }
                    = regex_match(at), "{dst} = {text} ~~ {pattern} else goto {fail}";
                /// The next match of a loop. Registers: the text, where to begin.
                MatchNext { cursor: state(2), pattern: either(RegexOperand), done: label }
                    = next_match(at), "next match {cursor} ~~ {pattern} else goto {done}";
                /// A group of the latest match.
                Group { dst: dst, number: imm(u8), fail: label }
                    = group(at), "{dst} = \\{number} else goto {fail}";
                /// The index at which the group begins.
                GroupIndex { dst: dst, number: imm(u8), fail: label }
                    = group_index(at), "{dst} = \\-{number} else goto {fail}";
                /// A text of `len` consecutive parts.
                Text { dst: dst, first: first(TextSegment), len: imm(u16) }
                    = parts(at), "{dst} = text of {len} parts from part {first}";
                /// Begins a text.
                TextStart {} = text_start, "begin text";
                /// Adds the printed form of a value.
                Append { value: src, ty: imm(Type) } = append, "append {value} // {ty}";
                /// Adds a string.
                AppendText { value: src } = append_text, "append {value}";
                /// Ends the text.
                TextEnd { dst: dst } = text_end(at), "{dst} = end text";
            }
            effects {
                /// The length of the effect log and, in the upper half, the length of the text.
                Mark { dst: dst } = mark, "{dst} = mark";
                /// Removes the comments since the mark and, with `text`, the text.
                Rollback { mark: src, text: flag } = rollback, "rollback {mark}{text}";
                /// Keeps the best value of a key, and the comments made with it.
                Sort { key: imm(u16), value: src, mark: src, text: flag }
                    = sort, "sort key {key} by {value}{text} from {mark}";
                /// Writes a comment to the position.
                Comment { text: src } = comment(at), "comment {text}";
                /// Records a value of the position.
                Field { name: index(String), value: src, ty: imm(Type) }
                    = field(at), "field {name} {value} // {ty}";
                /// Prints a message.
                Message { text: src, quiet: flag } = message(at), "message {text}{quiet}";
                /// Gives a tag a value.
                SetTag { name: index(String), text: src } = set_tag, "settag {name} {text}";
                /// Removes a tag.
                RemoveTag { name: index(String) } = remove_tag, "removetag {name}";
                /// Adds a text to a file.
                WriteFile { name: src, text: src } = write_file(at), "writefile {name} {text}";
                /// Sends a request to another program and reads its answer.
                CommandPipe { dst: dst, request: src, pipe: index(Box<[String]>), fail: label }
                    = command_pipe(at), "{dst} = commandpipe {pipe} {request} else goto {fail}";
            }
        }
    };
}

pub(crate) use op_table;
