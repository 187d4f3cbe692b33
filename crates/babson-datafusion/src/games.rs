//! The games of a column: as the codes of their moves, as text, or whole, as a table has them.

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, ListArray, StructArray, UInt32Array};
use arrow::array::{BinaryViewArray, StringViewArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Fields, Int32Type, UInt16Type, UInt32Type, UInt64Type};
use babson_chess::{Position, Rules, fen, line_checks};
use babson_pgn::{CodedGame, GameFlags, GameResult, Games, SplitText};
use babson_vm::GameDamage;
use babson_vm::run::{GameText, MAX_GAME};
use datafusion::common::exec_err;
use datafusion::error::Result;

/// The games of a column, and the positions that they start from.
pub(crate) struct GameColumn {
    games: Encoding,
    /// The FENs; none if all games start from the initial array.
    starts: Option<Texts>,
}

/// How a column has games.
enum Encoding {
    /// The codes of the moves.
    Codes(ListArray),
    /// Move text, or whole games of PGN.
    Text(Texts),
    /// The whole games of a table.
    Whole(Box<WholeGames>),
}

/// A column of texts.
enum Texts {
    Utf8(StringViewArray),
    Binary(BinaryViewArray),
}

/// The column `moves` of a [`BabsonTable`](crate::BabsonTable).
struct WholeGames {
    number: UInt64Array,
    tags: BinaryArray,
    movetext: BinaryArray,
    codes: ListArray,
    checks: ListArray,
    flags: UInt32Array,
    result: ArrayRef,
    all: StructArray,
}

/// The names of the fields of a whole game, in their order.
pub(crate) const WHOLE_FIELDS: [&str; 7] =
    ["number", "tags", "movetext", "codes", "checks", "flags", "result"];

/// A game of a column.
pub(crate) enum GameRow<'g> {
    /// There is none.
    Null,
    /// It cannot be read, for this reason.
    Broken(String),
    /// A game with its number in its table, or 1.
    Game(u64, GameText<'g>),
}

/// Room for what a game is made of.
#[derive(Default)]
pub(crate) struct Scratch {
    text: Vec<u8>,
    checks: Vec<u64>,
}

/// The type that an argument with games is read as; `None` if it cannot be one.
pub(crate) fn game_type(given: &DataType) -> Option<DataType> {
    let codes = |field: &Field| match field.data_type() {
        DataType::UInt16 => Some(field.clone()),
        other if other.is_integer() => Some(field.clone().with_data_type(DataType::UInt16)),
        _ => None,
    };
    match given {
        DataType::Struct(fields) if is_whole(fields) => Some(given.clone()),
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => {
            codes(field).map(|field| DataType::List(field.into()))
        }
        other => text_type(other),
    }
}

/// The type that an argument with texts is read as; `None` if it cannot be one.
pub(crate) fn text_type(given: &DataType) -> Option<DataType> {
    match given {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
            Some(DataType::Utf8View)
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            Some(DataType::BinaryView)
        }
        DataType::Dictionary(_, values) => text_type(values),
        _ => None,
    }
}

fn is_whole(fields: &Fields) -> bool {
    fields.iter().map(|field| field.name().as_str()).eq(WHOLE_FIELDS)
}

impl GameColumn {
    /// The games of an argument of a [type](game_type) for games.
    ///
    /// # Errors
    /// There are starts, but the games have their own.
    pub(crate) fn new(games: &ArrayRef, starts: Option<&ArrayRef>) -> Result<GameColumn> {
        let games = match games.data_type() {
            DataType::List(_) => Encoding::Codes(games.as_list().clone()),
            DataType::Struct(_) if starts.is_some() => {
                return exec_err!(
                    "the games of a table have their own starts: leave out the third argument"
                );
            }
            DataType::Struct(_) => Encoding::Whole(Box::new(WholeGames::of(games.as_struct())?)),
            _ => Encoding::Text(Texts::of(games)?),
        };
        Ok(GameColumn { games, starts: starts.map(Texts::of).transpose()? })
    }

    /// Whether the games have numbers.
    pub(crate) fn has_numbers(&self) -> bool {
        matches!(self.games, Encoding::Whole(_))
    }

    /// The game of a row.
    pub(crate) fn row<'g>(&'g self, row: usize, scratch: &'g mut Scratch) -> GameRow<'g> {
        scratch.text.clear();
        let start = match self.starts.as_ref().and_then(|starts| starts.get(row)) {
            None => None,
            Some(text) => match fen::parse(String::from_utf8_lossy(text).trim()) {
                Ok(start) => Some(start),
                Err(error) => return GameRow::Broken(format!("bad FEN: {error}")),
            },
        };
        match &self.games {
            Encoding::Whole(games) => games.row(row, scratch),
            Encoding::Codes(lists) => coded(lists, row, start, scratch),
            Encoding::Text(texts) => match texts.get(row) {
                Some(text) => pgn(text, start, scratch),
                None => GameRow::Null,
            },
        }
    }
}

/// The game of a list of codes.
fn coded<'g>(
    lists: &'g ListArray,
    row: usize,
    start: Option<(Position, Rules)>,
    scratch: &'g mut Scratch,
) -> GameRow<'g> {
    let Some((moves, is_complete)) = list::<UInt16Type>(lists, row) else { return GameRow::Null };
    if !is_complete {
        return GameRow::Broken("a move of the list is null".to_owned());
    }
    let usual_start = start.is_none();
    let (position, rules) = start.unwrap_or((Position::start(), Rules::STANDARD));
    if rules != Rules::STANDARD {
        let reason = "codes of moves are of standard chess: give the game as text";
        return GameRow::Broken(reason.to_owned());
    }
    if let Err(index) = line_checks(&position, moves, &mut scratch.checks) {
        return GameRow::Broken(format!("move {} of the game cannot be played", index + 1));
    }
    if !usual_start {
        write_start(&position, &rules, &mut scratch.text);
        scratch.text.push(b'\n');
    }
    let Scratch { text: tags, checks } = scratch;
    let game = CodedGame { tags, usual_start, moves, checks, result: None };
    GameRow::Game(1, GameText::Coded(game))
}

/// The game of a text.
fn pgn<'g>(
    text: &'g [u8],
    start: Option<(Position, Rules)>,
    scratch: &'g mut Scratch,
) -> GameRow<'g> {
    let mut games = Games::new(text);
    if games.next().is_none() {
        return GameRow::Broken("the text has no game".to_owned());
    }
    if games.next().is_some() {
        return GameRow::Broken("the text has more than one game".to_owned());
    }
    if text.len() > MAX_GAME {
        return GameRow::Broken(GameDamage::TooLong.to_string());
    }
    let Some((position, rules)) = start else {
        return GameRow::Game(1, GameText::Pgn(SplitText::new(text)));
    };
    // Of two tags with one name the first counts.
    write_start(&position, &rules, &mut scratch.text);
    let has_tags = text.trim_ascii_start().starts_with(b"[");
    scratch.text.extend_from_slice(if has_tags { b"" } else { b"\n" });
    scratch.text.extend_from_slice(text.trim_ascii_start());
    GameRow::Game(1, GameText::Pgn(SplitText::new(&scratch.text)))
}

/// Writes the tags of a start.
fn write_start(position: &Position, rules: &Rules, tags: &mut Vec<u8>) {
    let fen = fen::write(position, rules);
    tags.extend_from_slice(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n").as_bytes());
}

impl Texts {
    fn of(array: &ArrayRef) -> Result<Texts> {
        Ok(match array.data_type() {
            DataType::Utf8View => Texts::Utf8(array.as_string_view().clone()),
            DataType::BinaryView => Texts::Binary(array.as_binary_view().clone()),
            other => return exec_err!("a text was expected, not {other}"),
        })
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Texts::Utf8(texts) => texts.is_valid(row).then(|| texts.value(row).as_bytes()),
            Texts::Binary(texts) => texts.is_valid(row).then(|| texts.value(row)),
        }
    }
}

impl WholeGames {
    fn of(all: &StructArray) -> Result<WholeGames> {
        let columns = all.columns();
        let of_type = || {
            Some(WholeGames {
                number: columns.first()?.as_primitive_opt::<UInt64Type>()?.clone(),
                tags: columns.get(1)?.as_binary_opt()?.clone(),
                movetext: columns.get(2)?.as_binary_opt()?.clone(),
                codes: columns.get(3)?.as_list_opt()?.clone(),
                checks: columns.get(4)?.as_list_opt()?.clone(),
                flags: columns.get(5)?.as_primitive_opt::<UInt32Type>()?.clone(),
                result: columns.get(6)?.clone(),
                all: all.clone(),
            })
        };
        match of_type() {
            Some(games) => Ok(games),
            None => {
                exec_err!("the fields of a game have other types than a BabsonTable gives them")
            }
        }
    }

    /// The game of a row, as [`Batch::game_text`](babson_table::Batch::game_text) gives it.
    fn row<'g>(&'g self, row: usize, scratch: &'g mut Scratch) -> GameRow<'g> {
        if self.all.is_null(row) {
            return GameRow::Null;
        }
        let bytes = |array: &'g BinaryArray| array.is_valid(row).then(|| array.value(row));
        let (tags, number) = (bytes(&self.tags).unwrap_or_default(), self.number.value(row));
        if let Some(movetext) = bytes(&self.movetext) {
            scratch.text.extend_from_slice(tags);
            scratch.text.extend_from_slice(movetext);
            return GameRow::Game(number, GameText::Pgn(SplitText::new(&scratch.text)));
        }
        let flags = self.flags.value(row);
        let unusual = GameFlags::OWN_START.0 | GameFlags::VARIANT.0 | GameFlags::DAMAGE.0;
        let game = CodedGame {
            tags,
            usual_start: flags & unusual == 0,
            moves: list::<UInt16Type>(&self.codes, row).unwrap_or_default().0,
            checks: list::<UInt64Type>(&self.checks, row).unwrap_or_default().0,
            result: GameFlags(flags).has(GameFlags::RESULT).then(|| self.result(row)).flatten(),
        };
        GameRow::Game(number, GameText::Coded(game))
    }

    fn result(&self, row: usize) -> Option<GameResult> {
        const RESULTS: [GameResult; 4] =
            [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        let (texts, at) = match self.result.as_dictionary_opt::<Int32Type>() {
            Some(numbered) => (numbered.values(), numbered.key(row)?),
            None => (&self.result, row),
        };
        let texts = texts.as_string_opt::<i32>()?;
        let text = texts.is_valid(at).then(|| texts.value(at))?;
        RESULTS.into_iter().find(|result| result.text() == text)
    }
}

/// The items of a list, and whether none of them is null.
fn list<T: arrow::datatypes::ArrowPrimitiveType>(
    lists: &ListArray,
    row: usize,
) -> Option<(&[T::Native], bool)> {
    if lists.is_null(row) {
        return None;
    }
    let offsets = lists.value_offsets();
    let (start, end) = (offsets[row] as usize, offsets[row + 1] as usize);
    let items = lists.values().as_primitive_opt::<T>()?;
    let is_complete = items.null_count() == 0 || (start..end).all(|item| items.is_valid(item));
    Some((&items.values()[start..end], is_complete))
}
