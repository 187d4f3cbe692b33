//! The order of sorted outputs.

use std::cmp::Reverse;

use babson_vm::{Program, SortValue};

/// The place of a match in a sorted output: the lesser one comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    keys: Box<[RankKey]>,
    game: u64,
}

/// The value of a sort key in a match. All values of one key have the same variant, except
/// `Unbound` ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RankKey {
    Ascending(SortValue),
    Descending(Reverse<SortValue>),
    Unbound,
    Random(u64),
}

impl Rank {
    /// The rank of a match with these keys of the program in a game. Ranks are ordered as by
    /// [`Program::compare`]; equal ones in the order of the games.
    pub(crate) fn new(program: &Program, keys: &[Option<SortValue>], game: u64) -> Rank {
        let keys = program.sorts().iter().zip(keys).map(|(key, value)| match value {
            None => RankKey::Unbound,
            Some(value) if key.min => RankKey::Ascending(value.clone()),
            Some(value) => RankKey::Descending(Reverse(value.clone())),
        });
        Rank { keys: keys.collect(), game }
    }

    /// The place of a game in a random order, which only the seed decides.
    pub(crate) fn random(seed: u64, game: u64) -> Rank {
        // SplitMix64: one after another, the numbers of the games give the outputs of a generator.
        let state = mixed(seed).wrapping_add(game.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Rank { keys: Box::new([RankKey::Random(mixed(state))]), game }
    }

    /// The number of the game.
    pub(crate) fn game(&self) -> u64 {
        self.game
    }
}

/// The output function of the generator SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators). It gives different values for different arguments.
fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use babson_lang::Dialect;
    use babson_vm::SortValue::{Number, Text};

    use super::*;

    /// The first outputs of SplitMix64 with the seed 0, and no bias to early or late games.
    #[test]
    fn random_ranks_are_those_of_the_generator() {
        let hash = |game| match &*Rank::random(0, game).keys {
            [RankKey::Random(hash)] => *hash,
            other => panic!("{other:?}"),
        };
        assert_eq!([hash(1), hash(2)], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        for seed in 0..20 {
            let mut ranks: Vec<Rank> = (1..=10_000).map(|game| Rank::random(seed, game)).collect();
            ranks.sort();
            let early = ranks[..1000].iter().filter(|rank| rank.game() <= 5000).count();
            assert!((430..570).contains(&early), "{seed}: {early}");
        }
    }

    /// Ranks have the order of the program, then the order of the games.
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
