//! A game that matched, as it is in memory.

use babson_pgn::{Game, Layout};

use crate::{Comments, Match, Origin, Outcome, Program, RunOptions, SortValue, Value};

/// A game that matched: [`Machine::run_text`](crate::Machine::run_text).
#[derive(Clone, Copy)]
pub struct Hit<'m> {
    program: &'m Program,
    options: &'m RunOptions,
    layout: Layout,
    /// All of the game.
    game: Game<'m>,
    outcome: &'m Outcome,
    number: u64,
    origin: GameOrigin<'m>,
}

/// Where a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOrigin<'m> {
    /// The name of the input; empty if there is none.
    pub input: &'m str,
    /// The number of the game in the input, from 1.
    pub number: u64,
    /// The offset of the game in the input.
    pub offset: u64,
}

impl std::fmt::Debug for Hit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hit")
            .field("number", &self.number)
            .field("outcome", self.outcome)
            .finish_non_exhaustive()
    }
}

impl<'m> Hit<'m> {
    /// The match of a game of this number, which was read with what the program needs for its
    /// [output](Program::output_needs). `outcome` is from a run with these options.
    pub fn new(
        program: &'m Program,
        options: &'m RunOptions,
        game: Game<'m>,
        outcome: &'m Outcome,
        number: u64,
    ) -> Hit<'m> {
        let origin = GameOrigin { input: "", number, offset: 0 };
        Hit { program, options, layout: options.layout(), game, outcome, number, origin }
    }

    /// Sets the layout in which the game is written, instead of the one of the options.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Hit<'m> {
        Hit { layout, ..self }
    }

    /// Sets where the game comes from.
    #[must_use]
    pub fn with_origin(self, origin: GameOrigin<'m>) -> Hit<'m> {
        Hit { origin, ..self }
    }

    /// The ids of the matching positions, ascending; 0 is the initial position.
    pub fn positions(&self) -> &'m [u32] {
        &self.outcome.positions
    }

    /// The comments that the query added, each with the id of its position.
    pub fn comments(&self) -> &'m Comments {
        &self.outcome.comments
    }

    /// The values of the sort keys, the most significant first; `None` for one that was never
    /// bound.
    pub fn sort_keys(&self) -> &'m [Option<SortValue>] {
        &self.outcome.sort
    }

    /// The value of the query's last filter at each of the matching [positions](Hit::positions);
    /// `Value::Bool(true)` if it is a condition. Empty unless the program was compiled
    /// [for it](crate::CompileOptions::value).
    pub fn values(&self) -> &'m [Value] {
        &self.outcome.values
    }

    /// The outcome of the query with all details.
    pub fn outcome(&self) -> &'m Outcome {
        self.outcome
    }

    /// The number of the game.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where the game comes from. Without an input, its name is empty and the offset 0.
    pub fn origin(&self) -> GameOrigin<'m> {
        self.origin
    }

    /// The game, with the tags, moves, variations and comments of its text.
    pub fn game(&self) -> Game<'m> {
        self.game
    }

    /// The match as data. The name of the input is empty and the offset 0 if there is no input.
    pub fn row(&self) -> Match {
        let Hit { program, options, layout, game, outcome, number, origin } = self;
        let origin = Origin::new(origin.input, origin.number, origin.offset);
        outcome.annotate(game, None, options.unique_comments, |added| {
            let tags = babson_pgn::output_tags(game, added, layout);
            let tags = tags.iter().map(|(name, value)| (&**name, &**value));
            Match::new(*number, origin, game, outcome, program.sorts(), tags)
        })
    }

    /// The game with the comments and tags that the query added, as PGN.
    pub fn pgn(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.outcome.annotate(&self.game, None, self.options.unique_comments, |added| {
            babson_pgn::write(&self.game, added, &self.layout, &mut out)
        });
        out
    }
}
