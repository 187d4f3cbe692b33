//! The columns of a table, and its metadata.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use babson_chess::{Color, Kind, Piece};
use babson_pgn::GameFlags;

use crate::match_row::{MatchQuery, SortType};

/// The version of the schema. It changes with the columns, their meaning, the codes of moves, or
/// the checksums.
pub const VERSION: u32 = 4;

/// The keys of the metadata.
pub mod keys {
    /// The version of the schema.
    pub const VERSION: &str = "babson.table.version";
    /// The number of games.
    pub const GAMES: &str = "babson.table.games";
    /// The program that wrote the table.
    pub const WRITER: &str = "babson.table.writer";
    /// How moves are coded.
    pub const MOVES: &str = "babson.table.moves";
    /// The names of the flags, from the lowest bit to the highest.
    pub const FLAGS: &str = "babson.table.flags";
    /// Checksums, in the footer of the file.
    pub const CHECKSUMS: &str = "babson.table.checksums";
    /// Checksums of rows, in the footer of the file.
    pub const ROW_CHECKSUMS: &str = "babson.table.row_checksums";
}

/// How moves are coded, as the metadata says it.
pub const MOVES: &str = "from | to << 6 | kind << 12; squares a1=0, b1=1, h8=63; kind: 0-5 move of \
                         pawn, knight, bishop, rook, queen, king; 6 double step; 7 en passant; 8, \
                         9 castling king side, queen side; 10-13 promotion to knight, bishop, \
                         rook, queen";

/// A row of the table of flags.
#[derive(Clone, Copy, Debug)]
pub struct FlagInfo {
    /// Its bit.
    pub flag: GameFlags,
    /// Its name in the metadata.
    pub name: &'static str,
    /// When it is set.
    pub meaning: &'static str,
}

const fn flag(flag: GameFlags, name: &'static str, meaning: &'static str) -> FlagInfo {
    FlagInfo { flag, name, meaning }
}

/// The flags, by bit.
#[rustfmt::skip]
pub const FLAGS: [FlagInfo; 21] = [
    flag(GameFlags::MATE, "mate", "the side to move is mated"),
    flag(GameFlags::STALEMATE, "stalemate", "the side to move is stalemated"),
    flag(GameFlags::CHECK, "check", "the side to move is in check"),
    flag(GameFlags::KING_SIDE_CASTLING, "king_side_castling", "a side castles on the king side"),
    flag(GameFlags::QUEEN_SIDE_CASTLING, "queen_side_castling", "a side castles on the queen side"),
    flag(GameFlags::EN_PASSANT, "en_passant", "a pawn captures en passant"),
    flag(GameFlags::KNIGHT_PROMOTION, "knight_promotion", "a pawn promotes to a knight"),
    flag(GameFlags::BISHOP_PROMOTION, "bishop_promotion", "a pawn promotes to a bishop"),
    flag(GameFlags::ROOK_PROMOTION, "rook_promotion", "a pawn promotes to a rook"),
    flag(GameFlags::QUEEN_PROMOTION, "queen_promotion", "a pawn promotes to a queen"),
    flag(GameFlags::ODD_MOVE, "odd_move", "there is a null move, or a move that only variants of chess have"),
    flag(GameFlags::VARIATIONS, "variations", "there are variations"),
    flag(GameFlags::COMMENTS, "comments", "there are comments"),
    flag(GameFlags::GLYPHS, "glyphs", "there are numeric annotation glyphs"),
    flag(GameFlags::DAMAGE, "damage", "something is wrong with the game, or noteworthy: the reader reports it"),
    flag(GameFlags::OWN_START, "own_start", "the game does not start from the initial array of chess"),
    flag(GameFlags::VARIANT, "variant", "the rules are not those of standard chess"),
    flag(GameFlags::REPETITION, "repetition", "a position occurs again: the same board, side to move, castling rights and en passant square"),
    flag(GameFlags::RESULT, "result", "the text has a termination marker"),
    flag(GameFlags::RECODED_TAGS, "recoded_tags", "a tag is not UTF-8, so a game table has its text in another form"),
    flag(GameFlags::ODD_RATINGS, "odd_ratings", "filters of some dialect read another rating than `white_elo` or `black_elo` has"),
];

/// A column, by its index in [`COLUMNS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(u8);

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// Texts, numbered where they repeat; null where a game has none.
    Text,
    /// Texts, not numbered; null where a game has none.
    PlainText,
    /// Bytes; null where a game has none.
    OptionalBytes,
    /// Bytes.
    Bytes,
    /// A list of unsigned integers of 16 bits, or null.
    OptionalU16List,
    /// A list of unsigned integers of 32 bits.
    U32List,
    /// A list of unsigned integers of 64 bits.
    U64List,
    /// A list of texts.
    TextList,
    /// A list of texts or nulls.
    OptionalTextList,
    /// A signed integer of 16 bits, or null.
    OptionalI16,
    /// An unsigned integer of 8 bits, or null.
    OptionalU8,
    /// A day of the calendar, or null.
    OptionalDate,
    /// A signed integer of 8 bits.
    I8,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
}

/// A row of the table of columns.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ColumnInfo {
    /// The name of the column in the file.
    pub name: &'static str,
    /// What it holds.
    pub column_type: ColumnType,
    /// What that means.
    pub meaning: &'static str,
}

const fn column(name: &'static str, column_type: ColumnType, meaning: &'static str) -> ColumnInfo {
    ColumnInfo { name, column_type, meaning }
}

/// The columns of matches. The table that a search writes has them after [`COLUMNS`], followed by a
/// column for each `sort` of the query. A column of matching positions is a list with an item for
/// each position. It has the name of the same column in an output with a row for each position.
pub const MATCH_COLUMNS: [ColumnInfo; 15] = {
    use ColumnType::*;
    [
        column("query", Text, "the name of the query"),
        column("game", U64, "the number of the game, from 1 over all inputs of the search"),
        column("id", U32List, "the ids of the matching positions; 0 is the initial position"),
        column("ply", U32List, "their plies from the initial position"),
        column(
            "move",
            OptionalTextList,
            "the moves before them, such as `12...Nf6`; null for the initial position",
        ),
        column(
            "next",
            OptionalTextList,
            "the moves that were played in them; null for the last position",
        ),
        column("fen", TextList, "their FENs"),
        column(
            "comment",
            OptionalTextList,
            "the comments of the query at them, with `; ` between two of one position",
        ),
        column("match_comment_ids", U32List, "the ids of the positions that the query comments"),
        column("match_comments", TextList, "the comments"),
        column("match_field_ids", U32List, "the ids of the positions of the query's fields"),
        column("match_field_names", TextList, "the names of the fields"),
        column("match_field_values", TextList, "their values, numbers in digits"),
        column("match_tag_names", TextList, "the names of the tags that the query sets or removes"),
        column("match_tag_values", OptionalTextList, "their values; null for a removed tag"),
    ]
};

const FOOTPRINT: &str = "the squares that such a piece stands on at any node (bit 0 is a1)";
const MOST: &str = "the most such pieces at any node";
const LEAST: &str = "the fewest such pieces at any node";

/// All columns in the order of the file.
pub const COLUMNS: [ColumnInfo; 65] = {
    use ColumnType::*;
    [
        column("input", Text, "the file that the game was packed from"),
        column("number", U64, "the number of the game there, from 1"),
        column("offset", U64, "the offset of the text of the game there, in bytes"),
        column("length", U32, "the length of the text, in bytes"),
        column("line", U64, "the line there that the text begins on, from 1"),
        column("event", Text, "the Event tag"),
        column("site", Text, "the Site tag"),
        column("date_tag", Text, "the Date tag"),
        column("round", Text, "the Round tag"),
        column("white", Text, "the White tag"),
        column("black", Text, "the Black tag"),
        column("result", Text, "the termination marker; without a marker the Result tag"),
        column("eco", Text, "the ECO tag"),
        column("white_elo", OptionalI16, "the WhiteElo tag, if it is a number, at most 4000"),
        column("black_elo", OptionalI16, "the BlackElo tag, if it is a number, at most 4000"),
        column("date", OptionalDate, "the day of the Date tag, if it has year, month and day"),
        column("year", OptionalI16, "the year of the Date tag"),
        column("month", OptionalU8, "the month of the Date tag, from 1 to 12"),
        column("fen_tag", PlainText, "the FEN tag"),
        column("variant", PlainText, "the Variant tag"),
        column("tags", Bytes, "the text before the move text, byte for byte"),
        column("movetext", OptionalBytes, "the move text, byte for byte; null if `moves` has all"),
        column("plies", U16, "the moves of the main line, counted for each side"),
        column("moves", OptionalU16List, "the main line; null if a move has no code"),
        column("checks", U64List, "a bit for each position of the main line: in check"),
        column("flags", U32, "what happens in the game, a bit for each"),
        column("balance_min", I8, "the least material of White less that of Black"),
        column("balance_max", I8, "the greatest material of White less that of Black"),
        column("white_pawn", U64, FOOTPRINT),
        column("white_knight", U64, FOOTPRINT),
        column("white_bishop", U64, FOOTPRINT),
        column("white_rook", U64, FOOTPRINT),
        column("white_queen", U64, FOOTPRINT),
        column("white_king", U64, FOOTPRINT),
        column("black_pawn", U64, FOOTPRINT),
        column("black_knight", U64, FOOTPRINT),
        column("black_bishop", U64, FOOTPRINT),
        column("black_rook", U64, FOOTPRINT),
        column("black_queen", U64, FOOTPRINT),
        column("black_king", U64, FOOTPRINT),
        column("white_pawn_max", U8, MOST),
        column("white_knight_max", U8, MOST),
        column("white_bishop_max", U8, MOST),
        column("white_rook_max", U8, MOST),
        column("white_queen_max", U8, MOST),
        column("white_king_max", U8, MOST),
        column("black_pawn_max", U8, MOST),
        column("black_knight_max", U8, MOST),
        column("black_bishop_max", U8, MOST),
        column("black_rook_max", U8, MOST),
        column("black_queen_max", U8, MOST),
        column("black_king_max", U8, MOST),
        column("white_pawn_min", U8, LEAST),
        column("white_knight_min", U8, LEAST),
        column("white_bishop_min", U8, LEAST),
        column("white_rook_min", U8, LEAST),
        column("white_queen_min", U8, LEAST),
        column("white_king_min", U8, LEAST),
        column("black_pawn_min", U8, LEAST),
        column("black_knight_min", U8, LEAST),
        column("black_bishop_min", U8, LEAST),
        column("black_rook_min", U8, LEAST),
        column("black_queen_min", U8, LEAST),
        column("black_king_min", U8, LEAST),
        column("hash", U64, "a number that equal games share: the same players, date and moves"),
    ]
};

impl Column {
    /// The file that the game was packed from.
    pub const INPUT: Column = Column(0);
    /// The number of the game in its file.
    pub const NUMBER: Column = Column(1);
    /// The offset of the game in its file.
    pub const OFFSET: Column = Column(2);
    /// The length of the text of the game.
    pub const LENGTH: Column = Column(3);
    /// The first line of the game in its file.
    pub const LINE: Column = Column(4);
    /// The `Event` tag.
    pub const EVENT: Column = Column(5);
    /// The `Site` tag.
    pub const SITE: Column = Column(6);
    /// The `Date` tag.
    pub const DATE_TAG: Column = Column(7);
    /// The `Round` tag.
    pub const ROUND: Column = Column(8);
    /// The `White` tag.
    pub const WHITE: Column = Column(9);
    /// The `Black` tag.
    pub const BLACK: Column = Column(10);
    /// The termination marker; without a marker the `Result` tag.
    pub const RESULT: Column = Column(11);
    /// The `ECO` tag.
    pub const ECO: Column = Column(12);
    /// The rating of White.
    pub const WHITE_ELO: Column = Column(13);
    /// The rating of Black.
    pub const BLACK_ELO: Column = Column(14);
    /// The day of the game.
    pub const DATE: Column = Column(15);
    /// The year of the game.
    pub const YEAR: Column = Column(16);
    /// The month of the game.
    pub const MONTH: Column = Column(17);
    /// The `FEN` tag.
    pub const FEN_TAG: Column = Column(18);
    /// The `Variant` tag.
    pub const VARIANT: Column = Column(19);
    /// The tag section.
    pub const TAGS: Column = Column(20);
    /// The move text of a game that [`Column::MOVES`] cannot give back.
    pub const MOVETEXT: Column = Column(21);
    /// The number of moves of the main line.
    pub const PLIES: Column = Column(22);
    /// The codes of the moves of the main line.
    pub const MOVES: Column = Column(23);
    /// The positions of the main line with a check.
    pub const CHECKS: Column = Column(24);
    /// The flags of the game.
    pub const FLAGS: Column = Column(25);
    /// The least material balance.
    pub const BALANCE_MIN: Column = Column(26);
    /// The greatest material balance.
    pub const BALANCE_MAX: Column = Column(27);
    const FOOTPRINT: u8 = 28;
    const MOST: u8 = 40;
    const LEAST: u8 = 52;
    /// The number by which equal games are found: see [`GameHash`](babson_pgn::GameHash).
    pub const HASH: Column = Column(64);

    /// The columns with numbered texts.
    pub(crate) const TEXTS: [Column; 9] = [
        Column::INPUT,
        Column::EVENT,
        Column::SITE,
        Column::DATE_TAG,
        Column::ROUND,
        Column::WHITE,
        Column::BLACK,
        Column::RESULT,
        Column::ECO,
    ];

    /// The squares of a piece, by [`Piece::index`].
    ///
    /// # Panics
    /// If the index is greater than 11.
    pub const fn footprint(piece: usize) -> Column {
        Column::of_piece(Column::FOOTPRINT, piece)
    }

    /// The greatest number of a piece, by [`Piece::index`].
    ///
    /// # Panics
    /// If the index is greater than 11.
    pub const fn most(piece: usize) -> Column {
        Column::of_piece(Column::MOST, piece)
    }

    /// The least number of a piece, by [`Piece::index`].
    ///
    /// # Panics
    /// If the index is greater than 11.
    pub const fn least(piece: usize) -> Column {
        Column::of_piece(Column::LEAST, piece)
    }

    const fn of_piece(first: u8, piece: usize) -> Column {
        assert!(piece < 12, "there are 12 pieces");
        Column(first + piece as u8)
    }

    /// The index in [`COLUMNS`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row of the table of columns.
    pub const fn info(self) -> &'static ColumnInfo {
        &COLUMNS[self.index()]
    }

    /// The name of the column in the file.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Arrow's field of the column. `numbered` says whether its texts [are
    /// numbered](crate::Texts::is_numbered), which decides the type of a column of texts.
    ///
    /// ```
    /// use babson_table::Column;
    /// assert_eq!(Column::YEAR.field(false).data_type().to_string(), "Int16");
    /// ```
    pub fn field(self, numbered: bool) -> Field {
        field(self, if numbered { TextForm::Numbered } else { TextForm::Plain })
    }

    /// All columns.
    pub fn all() -> impl Iterator<Item = Column> {
        (0..COLUMNS.len() as u8).map(Column)
    }
}

/// A set of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnSet(u128);

impl ColumnSet {
    /// No column.
    pub const EMPTY: ColumnSet = ColumnSet(0);
    /// All columns.
    pub const ALL: ColumnSet = ColumnSet((1 << COLUMNS.len()) - 1);
    /// The columns that give a game back: see [`Batch::game_text`](crate::Batch::game_text).
    pub const GAME: ColumnSet = ColumnSet::of(&[
        Column::TAGS,
        Column::MOVETEXT,
        Column::MOVES,
        Column::CHECKS,
        Column::FLAGS,
        Column::RESULT,
    ]);

    /// The set of these columns.
    pub const fn of(columns: &[Column]) -> ColumnSet {
        let mut set = ColumnSet::EMPTY;
        let mut at = 0;
        while at < columns.len() {
            set = set.with(columns[at]);
            at += 1;
        }
        set
    }

    /// The set with one more column.
    #[must_use]
    pub const fn with(self, column: Column) -> ColumnSet {
        ColumnSet(self.0 | 1 << column.0)
    }

    /// The columns of both sets.
    #[must_use]
    pub const fn union(self, other: ColumnSet) -> ColumnSet {
        ColumnSet(self.0 | other.0)
    }

    /// Whether the set has the column.
    pub const fn contains(self, column: Column) -> bool {
        self.0 >> column.0 & 1 != 0
    }

    /// The columns in the order of the file.
    pub fn iter(self) -> impl Iterator<Item = Column> {
        Column::all().filter(move |column| self.contains(*column))
    }
}

/// How the texts of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// As numbers of the distinct texts.
    Numbered,
    /// As texts: there are too many distinct ones.
    Plain,
}

impl ColumnType {
    /// Its name in the book.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Text => "dictionary of text",
            ColumnType::PlainText => "text",
            ColumnType::OptionalBytes | ColumnType::Bytes => "binary",
            ColumnType::OptionalU16List => "list of u16",
            ColumnType::U32List => "list of u32",
            ColumnType::U64List => "list of u64",
            ColumnType::TextList | ColumnType::OptionalTextList => "list of text",
            ColumnType::OptionalI16 => "i16",
            ColumnType::OptionalDate => "date",
            ColumnType::I8 => "i8",
            ColumnType::U8 | ColumnType::OptionalU8 => "u8",
            ColumnType::U16 => "u16",
            ColumnType::U32 => "u32",
            ColumnType::U64 => "u64",
        }
    }
}

/// The items of a list.
fn item(data_type: DataType, nullable: bool) -> DataType {
    DataType::List(Arc::new(Field::new("item", data_type, nullable)))
}

/// The field of a column in Arrow's schema.
pub(crate) fn field(column: Column, form: TextForm) -> Field {
    field_of(column.info(), form)
}

/// As [`field`], for any row of a table of columns.
pub(crate) fn field_of(info: &ColumnInfo, form: TextForm) -> Field {
    let ColumnInfo { name, column_type, .. } = *info;
    let (data_type, nullable) = match (column_type, form) {
        (ColumnType::Text, TextForm::Numbered) => {
            let (keys, values) = (DataType::Int32, DataType::Utf8);
            (DataType::Dictionary(Box::new(keys), Box::new(values)), true)
        }
        (ColumnType::Text, TextForm::Plain) | (ColumnType::PlainText, _) => (DataType::Utf8, true),
        (ColumnType::OptionalBytes, _) => (DataType::Binary, true),
        (ColumnType::Bytes, _) => (DataType::Binary, false),
        (ColumnType::OptionalU16List, _) => (item(DataType::UInt16, false), true),
        (ColumnType::U32List, _) => (item(DataType::UInt32, false), false),
        (ColumnType::U64List, _) => (item(DataType::UInt64, false), false),
        (ColumnType::TextList, _) => (item(DataType::Utf8, false), false),
        (ColumnType::OptionalTextList, _) => (item(DataType::Utf8, true), false),
        (ColumnType::OptionalI16, _) => (DataType::Int16, true),
        (ColumnType::OptionalU8, _) => (DataType::UInt8, true),
        (ColumnType::OptionalDate, _) => (DataType::Date32, true),
        (ColumnType::I8, _) => (DataType::Int8, false),
        (ColumnType::U8, _) => (DataType::UInt8, false),
        (ColumnType::U16, _) => (DataType::UInt16, false),
        (ColumnType::U32, _) => (DataType::UInt32, false),
        (ColumnType::U64, _) => (DataType::UInt64, false),
    };
    Field::new(name, data_type, nullable)
}

/// The fields of the columns of a query.
pub(crate) fn match_fields(query: &MatchQuery) -> Vec<Field> {
    let own = MATCH_COLUMNS.iter().map(|info| field_of(info, TextForm::Numbered));
    let mut fields: Vec<Field> = own.collect();
    for (name, sort_type) in &query.sorts {
        let name = unused_name(&fields, &format!("sort_{name}"));
        let data_type = match sort_type {
            SortType::Number => DataType::Int32,
            SortType::Text => DataType::Utf8,
        };
        fields.push(Field::new(name, data_type, true));
    }
    fields
}

/// The name, or the name with a number after it if a column has the name already.
fn unused_name(fields: &[Field], name: &str) -> String {
    let is_used = |name: &str| fields.iter().any(|field| field.name() == name);
    let mut unused = name.to_owned();
    let mut count = 1;
    while is_used(&unused) {
        count += 1;
        unused = format!("{name}_{count}");
    }
    unused
}

/// Returns Arrow's schema of a table. `forms` has the form of each column of [`Column::TEXTS`], in
/// the same order. If there is a query, the schema ends with the columns of its matches.
pub(crate) fn schema(
    forms: &[TextForm; 9],
    games: u64,
    writer: &str,
    query: Option<&MatchQuery>,
) -> Schema {
    let form = |column| {
        let at = Column::TEXTS.iter().position(|text| *text == column);
        at.map_or(TextForm::Plain, |at| forms[at])
    };
    let fields = Column::all().map(|column| field(column, form(column)));
    let matches = query.into_iter().flat_map(match_fields);
    let fields: Vec<Field> = fields.chain(matches).collect();
    let flags: Vec<&str> = FLAGS.iter().map(|info| info.name).collect();
    let metadata = [
        (keys::VERSION, VERSION.to_string()),
        (keys::GAMES, games.to_string()),
        (keys::WRITER, writer.to_owned()),
        (keys::MOVES, MOVES.to_owned()),
        (keys::FLAGS, flags.join(" ")),
    ];
    let metadata = metadata.into_iter().map(|(key, value)| (key.to_owned(), value));
    Schema::new(fields).with_metadata(metadata.collect::<HashMap<String, String>>())
}

/// Returns the schema with a column of numbers in place of each column with a dictionary. With this
/// schema, a batch can be read without its dictionaries.
pub(crate) fn numbered_schema(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| {
        if let DataType::Dictionary(keys, _) = field.data_type() {
            Arc::new(Field::new(field.name(), keys.as_ref().clone(), field.is_nullable()))
        } else {
            Arc::clone(field)
        }
    });
    Schema::new(fields.collect::<Vec<_>>())
}

const _: () = {
    // `ColumnSet` has 128 bits, and the columns of pieces are in the order of `Piece::index`.
    assert!(COLUMNS.len() < 128);
    assert!(Piece::new(Color::Black, Kind::King).index() == 11);
};
