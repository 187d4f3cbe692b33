//! The table of specs: the one place that lists what instructions refer to by number.
//!
//! A row is a table of the program: its name, the type of its entries and the noun for one of
//! them. The disassembly shows an `inline` entry in place of its number, and a `listed` one after
//! the code.

use babson_lang::hir::{Designator, Dictionary, Recurrence};

use super::Table;
use super::specs::*;
use crate::analysis::Pattern;
use crate::code::{Code, TableEntry};
use crate::prefilter::Prefilter;

/// Calls a macro with all rows.
macro_rules! spec_table {
    ($callback:ident) => {
        $callback! {
            /// Names of tags.
            names: String, inline "name";
            /// The commands of `commandpipe`.
            pipes: Box<[String]>, inline "command";
            /// Designators that several instructions share.
            designators: Designator, inline "designator";
            /// The dictionaries of the query.
            dictionaries: Dictionary, inline "dictionary";
            /// The prefilters of filters that are evaluated at many positions.
            prefilters: Prefilter, inline "prefilter";
            /// The filters that are evaluated once a game or once a position.
            once: OnceSpec, inline "filter evaluated once";
            /// `move`
            moves: MoveSpec, inline "move";
            /// `imagine`
            imagined: ImagineSpec, inline "imagine";
            /// The moves of dash filters and of `path`.
            dashes: DashSpec, inline "dash";
            /// The `find` filters that find something once a game.
            finds: FindSpec, inline "find";
            /// `consecutivemoves`
            runs: ConsecutiveMovesSpec, inline "consecutivemoves";
            /// Pairs of squares that are counted.
            pairs: PairsSpec, inline "pairs";
            /// The patterns of transforms.
            patterns: Pattern, listed "pattern";
            /// The parts of texts.
            parts: TextSegment, listed "part";
            /// `path`
            paths: PathSpec, listed "path";
            /// `line`
            lines: LineSpec, listed "line";
            /// The images of filters under a transform.
            images: ImagesSpec, listed "images";
            /// The position lists of CQL 3.
            game_lists: GameListsSpec, listed "position lists";
            /// Filters that match one position after the other.
            steps: StepsSpec, listed "sequence";
            /// Positions that resemble another one of their game.
            recurrences: Recurrence, listed "recurrence";
        }
    };
}
pub(crate) use spec_table;

macro_rules! define_tables {
    ($($(#[$doc:meta])* $table:ident: $Entry:ty, $shown:ident $noun:literal;)*) => {
        /// The tables of a program.
        #[derive(Debug, Default)]
        pub(crate) struct Tables {$(
            $(#[$doc])*
            pub(crate) $table: Table<$Entry>,
        )*}

        $(impl TableEntry for $Entry {
            fn table(code: &Code) -> &Table<$Entry> {
                &code.tables.$table
            }
        })*
    };
}

spec_table!(define_tables);
