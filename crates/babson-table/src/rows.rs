//! The rows of some games, made in memory.

use babson_chess::{MoveCode, Position};
use babson_pgn::tags::{decode, normal, section_len};
use babson_pgn::{Game, GameFacts, GameFlags, GameHash, plain_text};
use serde::{Deserialize, Serialize};

use crate::match_row::MatchRow;

/// Where a game comes from.
#[derive(Clone, Copy, Debug)]
pub struct GameOrigin<'a> {
    /// The name of its input.
    pub input: &'a str,
    /// Its number there, from 1.
    pub number: u64,
    /// The offset of its text there.
    pub offset: u64,
    /// The length of its text there.
    pub length: u64,
    /// The line of the input that its text begins on, from 1.
    pub line: u64,
}

/// The rows of some games, column by column. See [`TableWriter`](crate::TableWriter).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// The columns of [`Column::TEXTS`](crate::Column), in that order.
    pub(crate) texts: [Lists<u8>; 9],
    pub(crate) number: Vec<u64>,
    pub(crate) offset: Vec<u64>,
    pub(crate) length: Vec<u32>,
    pub(crate) line: Vec<u64>,
    pub(crate) elos: [Vec<Option<i16>>; 2],
    pub(crate) dates: Vec<Option<i32>>,
    pub(crate) years: Vec<Option<i16>>,
    pub(crate) months: Vec<Option<u8>>,
    pub(crate) fen: Lists<u8>,
    pub(crate) variant: Lists<u8>,
    pub(crate) tags: Lists<u8>,
    pub(crate) movetext: Lists<u8>,
    pub(crate) plies: Vec<u16>,
    pub(crate) moves: Lists<u16>,
    pub(crate) checks: Lists<u64>,
    pub(crate) flags: Vec<u32>,
    pub(crate) balance_min: Vec<i8>,
    pub(crate) balance_max: Vec<i8>,
    pub(crate) footprint: [Vec<u64>; 12],
    pub(crate) most: [Vec<u8>; 12],
    pub(crate) least: [Vec<u8>; 12],
    pub(crate) hash: Vec<u64>,
    /// The match of each game, in the table of a search. Empty in other tables.
    pub(crate) matches: Vec<MatchRow>,
}

/// A column of lists of numbers, or of texts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lists<T> {
    pub(crate) items: Vec<T>,
    /// Where each list ends in `items`; it begins where the one before ends.
    pub(crate) ends: Vec<usize>,
    /// Whether each row has a list; a row without one has an empty list here.
    pub(crate) valid: Vec<bool>,
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { items: Vec::new(), ends: Vec::new(), valid: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    pub(crate) fn push(&mut self, list: Option<&[T]>) {
        self.items.extend_from_slice(list.unwrap_or_default());
        self.end_row(list.is_some());
    }

    /// Ends a row whose items have been added to `items`.
    pub(crate) fn end_row(&mut self, valid: bool) {
        self.ends.push(self.items.len());
        self.valid.push(valid);
    }

    fn start(&self, row: usize) -> usize {
        if row == 0 { 0 } else { self.ends[row - 1] }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&[T]> {
        self.valid[row].then(|| &self.items[self.start(row)..self.ends[row]])
    }

    /// The number of items of a row.
    fn len_of(&self, row: usize) -> usize {
        self.ends[row] - self.start(row)
    }

    fn append(&mut self, other: &Lists<T>, from: usize, to: usize) {
        let (start, base) = (other.start(from), self.items.len());
        self.items.extend_from_slice(&other.items[start..other.start(to)]);
        self.ends.extend(other.ends[from..to].iter().map(|end| end - start + base));
        self.valid.extend_from_slice(&other.valid[from..to]);
    }
}

impl Rows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// The hash of the game of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn hash(&self, row: usize) -> GameHash {
        GameHash(self.hash[row])
    }

    /// Like [`add`](Rows::add), but also adds the match that a query found in the game. Do not mix
    /// the two: in a table, either each row has a match or none has.
    pub fn add_match(&mut self, game: &Game<'_>, origin: GameOrigin<'_>, hit: MatchRow) {
        self.add(game, origin);
        self.matches.push(hit);
    }

    /// Adds a game. It must be replayed from a table, or read with
    /// [`Needs::ALL`](babson_pgn::Needs::ALL) by a reader that has no names of variants of its own
    /// and writes no error comments.
    pub fn add(&mut self, game: &Game<'_>, origin: GameOrigin<'_>) {
        let facts = GameFacts::of(game);
        self.number.push(origin.number);
        self.offset.push(origin.offset);
        self.length.push(u32::try_from(origin.length).unwrap_or(u32::MAX));
        self.line.push(origin.line);
        self.add_tags(game, origin.input);
        let coded = self.add_moves(game, facts.flags);
        let needs_text = !coded || facts.flags.has_any(GameFlags::MORE_THAN_MOVES);
        // A game of a table has no move text, unless its codes are odd.
        let written = (needs_text && !game.has_move_text()).then(|| plain_text(game));
        let text = written.as_deref().unwrap_or(game.text());
        // The text of a game of a table is its tag section.
        let is_section = written.is_none() && !game.has_move_text();
        let section = if is_section { text.len() } else { section_len(text) };
        let (tags, movetext) = text.split_at(section);
        self.tags.push(Some(tags));
        self.movetext.push(needs_text.then_some(movetext));
        self.flags.push(facts.flags.0);
        self.balance_min.push(facts.least_balance);
        self.balance_max.push(facts.greatest_balance);
        for piece in 0..12 {
            self.footprint[piece].push(facts.footprint[piece].0);
            self.most[piece].push(facts.most[piece]);
            self.least[piece].push(facts.least[piece]);
        }
        self.hash.push(GameHash::of(game).0);
    }

    /// Adds the columns of the usual tags.
    fn add_tags(&mut self, game: &Game<'_>, input: &str) {
        const NAMES: [&[u8]; 11] = [
            b"Event",
            b"Site",
            b"Date",
            b"Round",
            b"White",
            b"Black",
            b"ECO",
            b"WhiteElo",
            b"BlackElo",
            b"FEN",
            b"Variant",
        ];
        // Of several tags with a name, the first counts.
        let mut values: [Option<&[u8]>; 11] = [None; 11];
        for (name, value) in game.tags() {
            if let Some(at) = NAMES.iter().position(|known| *known == name) {
                values[at].get_or_insert(value);
            }
        }
        let [event, site, date, round, white, black, eco, white_elo, black_elo, fen, variant] =
            values;
        let result = Some(game.result_tag());
        let input = Some(input.as_bytes());
        let texts = [input, event, site, date, round, white, black, result, eco];
        for (column, value) in self.texts.iter_mut().zip(texts) {
            push_text(column, value);
        }
        let day = date.and_then(normal::full_date);
        self.dates.push(day.map(normal::FullDate::days_since_1970));
        let year = date.and_then(normal::year).and_then(|year| i16::try_from(year).ok());
        self.years.push(year);
        let month = date.and_then(normal::month).and_then(|month| u8::try_from(month).ok());
        self.months.push(month);
        push_text(&mut self.fen, fen);
        push_text(&mut self.variant, variant);
        for (column, value) in self.elos.iter_mut().zip([white_elo, black_elo]) {
            let elo = value.and_then(normal::elo);
            column.push(elo.and_then(|elo| i16::try_from(elo).ok()));
        }
    }

    /// Adds the moves and checks of the main line. Returns whether the codes of the moves lead
    /// through the positions of the game.
    fn add_moves(&mut self, game: &Game<'_>, flags: GameFlags) -> bool {
        let end = game.main_line_len() as usize;
        let (nodes, positions) = (&game.nodes()[..end], &game.positions()[..end]);
        // A line has at most 65,535 plies.
        self.plies.push(u16::try_from(end - 1).unwrap_or(u16::MAX));
        let start = self.moves.items.len();
        let mut next = Position::empty();
        let mut coded = true;
        let is_usual = flags.0 & (GameFlags::OWN_START | GameFlags::VARIANT).0 == 0;
        for (node, pair) in nodes[1..].iter().zip(positions.windows(2)) {
            let code = MoveCode::of(node.mv, &pair[0]);
            // A code cannot express some moves of odd positions, and the reader accepts castling
            // without the right to it. So check that the code leads to the next position.
            let leads = is_usual && !node.mv.is_castling()
                || code.is_some_and(|code| {
                    code.step(&pair[0], pair[1].in_check(), &mut next) == Some(node.mv)
                        && next == pair[1]
                });
            let Some(code) = code.filter(|_| leads) else {
                coded = false;
                break;
            };
            self.moves.items.push(code.0);
        }
        if !coded {
            self.moves.items.truncate(start);
        }
        self.moves.end_row(coded);
        let words = &mut self.checks.items;
        let start = words.len();
        for positions in positions.chunks(64) {
            let checks = positions.iter().enumerate();
            words.push(checks.fold(0, |word, (id, next)| word | u64::from(next.in_check()) << id));
        }
        while words.len() > start && words.last() == Some(&0) {
            words.pop();
        }
        self.checks.end_row(true);
        coded
    }

    /// Appends the rows of `other` from the index `from` up to, but not including, `to`.
    pub(crate) fn append(&mut self, other: &Rows, from: usize, to: usize) {
        for (column, other) in self.texts.iter_mut().zip(&other.texts) {
            column.append(other, from, to);
        }
        self.number.extend_from_slice(&other.number[from..to]);
        self.offset.extend_from_slice(&other.offset[from..to]);
        self.length.extend_from_slice(&other.length[from..to]);
        self.line.extend_from_slice(&other.line[from..to]);
        for (column, other) in self.elos.iter_mut().zip(&other.elos) {
            column.extend_from_slice(&other[from..to]);
        }
        self.dates.extend_from_slice(&other.dates[from..to]);
        self.years.extend_from_slice(&other.years[from..to]);
        self.months.extend_from_slice(&other.months[from..to]);
        self.fen.append(&other.fen, from, to);
        self.variant.append(&other.variant, from, to);
        self.tags.append(&other.tags, from, to);
        self.movetext.append(&other.movetext, from, to);
        self.plies.extend_from_slice(&other.plies[from..to]);
        self.moves.append(&other.moves, from, to);
        self.checks.append(&other.checks, from, to);
        self.flags.extend_from_slice(&other.flags[from..to]);
        self.balance_min.extend_from_slice(&other.balance_min[from..to]);
        self.balance_max.extend_from_slice(&other.balance_max[from..to]);
        for piece in 0..12 {
            self.footprint[piece].extend_from_slice(&other.footprint[piece][from..to]);
            self.most[piece].extend_from_slice(&other.most[piece][from..to]);
            self.least[piece].extend_from_slice(&other.least[piece][from..to]);
        }
        self.hash.extend_from_slice(&other.hash[from..to]);
        self.matches.extend_from_slice(other.matches.get(from..to).unwrap_or_default());
    }

    /// The bytes of the texts and lists of a row.
    pub(crate) fn bytes_of(&self, row: usize) -> usize {
        let texts: usize = self.texts.iter().map(|column| column.len_of(row)).sum();
        let plain = [&self.fen, &self.variant, &self.tags, &self.movetext];
        let plain: usize = plain.iter().map(|column| column.len_of(row)).sum();
        let matched = self.matches.get(row).map_or(0, MatchRow::bytes);
        texts + plain + matched + 2 * self.moves.len_of(row) + 8 * self.checks.len_of(row)
    }
}

fn push_text(column: &mut Lists<u8>, value: Option<&[u8]>) {
    let text = value.map(decode);
    column.push(text.as_ref().map(|text| text.as_bytes()));
}
