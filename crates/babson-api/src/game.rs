//! The call `games`: a game with all that a page needs to show it.

use babson::Query;
use babson::chess::{fen, san};
use babson::compile::CommentLevel;
use babson::pgn::Game;
use babson::pgn::tags::{decode, value_text};
use serde::{Serialize, Serializer};

use crate::{ApiError, ErrorCode};

/// A game with its positions, so that a page needs no rules of chess.
///
/// ```
/// use babson::pgn::{Needs, Reader};
/// use babson_api::GameAnswer;
///
/// let mut reader = Reader::new();
/// let text = b"[White \"Ann\"]\n\n1. e4 {best} e5 (1... c5 $1) *";
/// let game = GameAnswer::new(17, &reader.read(text, Needs::ALL), text);
/// let json = serde_json::to_string(&game).unwrap();
/// assert!(json.starts_with(r#"{"game":17,"tags":{"White":"Ann"},"moves":[{"id":0,"ply":0,"#));
/// let sicilian = &game.moves[3];
/// assert_eq!((sicilian.id, sicilian.parent, sicilian.san.as_str()), (3, Some(1), "c5"));
/// assert_eq!((sicilian.from.as_str(), sicilian.to.as_str()), ("c7", "c5"));
/// assert_eq!((game.moves[1].comments[0].as_str(), &sicilian.nags[..]), ("best", &[1][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GameAnswer {
    /// Its number in the database.
    pub game: u64,
    /// The tags as they are written, in their order.
    #[serde(serialize_with = "map")]
    pub tags: Vec<(String, String)>,
    /// The positions by their id, the initial one first: the main line, then the variations in
    /// preorder.
    pub moves: Vec<MoveAnswer>,
    /// The text of the game.
    pub pgn: String,
}

/// A position of a game with the move that leads to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MoveAnswer {
    /// The id of the position; 0 is the initial position.
    pub id: u32,
    /// The id of the position before the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Plies from the initial position.
    pub ply: u32,
    /// The move without its number; empty for the initial position.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub san: String,
    /// The square that the move leaves; empty for the initial position and after a null move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// The square that it reaches.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub to: String,
    /// The position.
    pub fen: String,
    /// The comment before a variation that begins with the move, and the one after the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
}

impl GameAnswer {
    /// The answer for a game that was read from this text with
    /// [`Needs::ALL`](babson::pgn::Needs::ALL).
    pub fn new(number: u64, game: &Game<'_>, text: &[u8]) -> GameAnswer {
        let tags = game.tags();
        let tags =
            tags.map(|(name, value)| (decode(name).into_owned(), value_text(value).into_owned()));
        GameAnswer {
            game: number,
            tags: tags.collect(),
            moves: (0..game.len()).map(|id| MoveAnswer::new(game, id)).collect(),
            pgn: decode(text).into_owned(),
        }
    }
}

impl MoveAnswer {
    fn new(game: &Game<'_>, id: u32) -> MoveAnswer {
        let (node, position) = (game.node(id), game.position(id));
        let texts = [game.variation_comment(id), game.comment(id)];
        let comments = texts.into_iter().flatten().map(|text| decode(&text).into_owned());
        let mut answer = MoveAnswer {
            id,
            ply: u32::from(node.ply),
            fen: fen::write(position, game.rules()),
            comments: comments.collect(),
            nags: game.nags(id).collect(),
            ..MoveAnswer::default()
        };
        if let Some(parent) = game.parent(id) {
            let before = game.position(parent);
            answer.parent = Some(parent);
            answer.san = san::write_between(before, position, game.rules(), node.mv).to_string();
            if !node.mv.is_null() {
                answer.from = node.mv.from().to_string();
                answer.to = node.mv.to().to_string();
            }
        }
        answer
    }
}

/// Tags as a map. If a name occurs twice, its first tag counts, as in filters.
fn map<S: Serializer>(tags: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut names = std::collections::HashSet::new();
    let first = tags.iter().filter(|(name, _)| names.insert(name));
    serializer.collect_map(first.map(|(name, value)| (name, value)))
}

/// Checks that a database with this number of `games` has the game `number`.
///
/// # Errors
/// The game does not exist.
pub fn check_game(database: &str, games: u64, number: u64) -> Result<(), ApiError> {
    if (1..=games).contains(&number) {
        return Ok(());
    }
    let message =
        format!("the database `{database}` has the games 1 to {games}, none of number {number}");
    Err(ApiError::new(ErrorCode::Game, message))
}

/// The query that finds a game with all of its positions, and adds nothing to it.
///
/// # Errors
/// Never: it has no error.
pub fn game_query() -> Result<Query, ApiError> {
    let query = Query::builder("true").options(|run| {
        run.variations = Some(true);
        run.comment_level = CommentLevel::Silent;
    });
    query.compile().map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}
