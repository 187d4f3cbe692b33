//! The order of sorted outputs.

use std::cmp::Reverse;

use babson_vm::{Program, SortValue};

/// The place of a match in a sorted output: the lesser one comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    keys: Box<[RankKey]>,
    game: u64,
}

/// The value of a sort key. Those of one key are `Unbound` or of one other kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RankKey {
    Ascending(SortValue),
    Descending(Reverse<SortValue>),
    Unbound,
}

impl Rank {
    /// The rank of a match with these keys of the program in a game: the order is that of
    /// [`Program::compare`], and of the games where it is equal.
    pub(crate) fn new(program: &Program, keys: &[Option<SortValue>], game: u64) -> Rank {
        let keys = program.sorts().iter().zip(keys).map(|(key, value)| match value {
            None => RankKey::Unbound,
            Some(value) if key.min => RankKey::Ascending(value.clone()),
            Some(value) => RankKey::Descending(Reverse(value.clone())),
        });
        Rank { keys: keys.collect(), game }
    }

    /// The number of the game.
    pub(crate) fn game(&self) -> u64 {
        self.game
    }
}

#[cfg(test)]
mod tests {
    use babson_lang::Dialect;
    use babson_vm::SortValue::{Number, Text};

    use super::*;

    /// The order of ranks is that of the program, then that of the games.
    #[test]
    fn ranks_are_in_the_order_of_the_program() {
        let query = "sort min \"a\" ply sort \"b\" player white sort \"c\" #A";
        let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
        let program = Program::compile(&query).unwrap();
        let numbers = [None, Some(Number(-1)), Some(Number(2))];
        let texts = [None, Some(Text(b"a".to_vec())), Some(Text(b"b".to_vec()))];
        let mut all = Vec::new();
        for a in &numbers {
            for b in &texts {
                all.extend(numbers.iter().map(|c| [a.clone(), b.clone(), c.clone()]));
            }
        }
        for (one, first) in all.iter().flat_map(|keys| [(keys, 7), (keys, 8)]) {
            for (two, second) in all.iter().flat_map(|keys| [(keys, 7), (keys, 8)]) {
                let expected = program.compare(one, two).then(first.cmp(&second));
                let rank = |keys, game| Rank::new(&program, keys, game);
                assert_eq!(rank(one, first).cmp(&rank(two, second)), expected, "{one:?} {two:?}");
            }
        }
    }
}
