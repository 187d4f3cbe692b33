//! The rating performance of a player over some games, by FIDE's rules.
//!
//! FIDE Title Regulations, B.01: a performance is the average rating of the opponents, and to it
//! the rating difference that FIDE Rating Regulations, B.02, 8.1.1, gives for the score.

/// The games of a group that count for a performance: those with a result, against an opponent with
/// a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RatedGames {
    games: u64,
    half_points: u64,
    /// The sum of the ratings of the opponents.
    ratings: u64,
}

impl RatedGames {
    /// Adds a game for which the player got this many half points.
    pub(super) fn add(&mut self, half_points: u64, opponent: u16) {
        self.games += 1;
        self.half_points += half_points;
        self.ratings += u64::from(opponent);
    }

    /// The performance; `None` without games.
    pub(super) fn performance(&self) -> Option<i64> {
        let average = rounded(self.ratings, self.games)?;
        // Who scored more has the row of the table. To round that score alone keeps the differences
        // of the two opposite: of 62.5 and 37.5 percent both would be rounded up.
        let lost = (2 * self.games).checked_sub(self.half_points)?;
        let percent = rounded(100 * self.half_points.max(lost), 2 * self.games)?;
        let above = usize::try_from(percent).ok()?.checked_sub(50)?;
        let difference = *DIFFERENCES.get(above)?;
        let sign = if self.half_points < lost { -1 } else { 1 };
        Some(i64::try_from(average).ok()? + sign * difference)
    }
}

/// A quotient as a whole number, with halves rounded up.
fn rounded(part: u64, of: u64) -> Option<u64> {
    (2 * part + of).checked_div(2 * of)
}

/// The rating difference for a score of 50 to 100 percent (FIDE Rating Regulations, B.02, 8.1.1). A
/// player with a lower score has the negative difference of the opponent.
#[rustfmt::skip]
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn performance(games: &[(u64, u16)]) -> Option<i64> {
        let mut rated = RatedGames::default();
        games.iter().for_each(|&(half_points, opponent)| rated.add(half_points, opponent));
        rated.performance()
    }

    #[test]
    fn a_performance_is_the_average_and_the_difference_of_the_score() {
        assert_eq!(performance(&[]), None);
        assert_eq!(performance(&[(1, 2500)]), Some(2500));
        assert_eq!(performance(&[(2, 2400), (2, 2500)]), Some(2450 + 800));
        assert_eq!(performance(&[(0, 2400), (0, 2500)]), Some(2450 - 800));
        // 2 of 3 points: 67 percent. The average of 2401 and 2400 is rounded up.
        assert_eq!(performance(&[(2, 2400), (2, 2400), (0, 2400)]), Some(2400 + 125));
        assert_eq!(performance(&[(2, 2400), (0, 2401)]), Some(2401));
        // 1 of 3 points: 33 percent.
        assert_eq!(performance(&[(0, 2400), (2, 2400), (0, 2400)]), Some(2400 - 125));
        assert_eq!(performance(&[(0, 100)]), Some(-700));
    }

    #[test]
    fn the_differences_of_the_two_sides_are_opposite() {
        for games in 1..=40 {
            for half_points in 0..=2 * games {
                let rated = |half_points| RatedGames { games, half_points, ratings: 0 };
                let (own, other) = (rated(half_points), rated(2 * games - half_points));
                let sum = own.performance().unwrap() + other.performance().unwrap();
                assert_eq!(sum, 0, "{half_points} half points of {games} games");
            }
        }
        // 2.5 points of 4: 62.5 percent.
        assert_eq!(performance(&[(2, 0), (2, 0), (1, 0), (0, 0)]), Some(95));
    }

    #[test]
    fn the_differences_grow() {
        assert!(DIFFERENCES.is_sorted_by(|one, next| one < next));
        // The end of the table is a convention, all others are near the normal distribution.
        assert_eq!((DIFFERENCES[10], DIFFERENCES[25], DIFFERENCES[49]), (72, 193, 677));
    }
}
