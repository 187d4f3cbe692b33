//! `reachableposition`: whether a game can have led to a position (spec page retro.md, sections
//! 3 and 4).
//!
//! A reason is a proof: where a check is in doubt it is silent, so 'reachable' only means that
//! nothing is known against it.

use std::fmt;

use super::camp::Camp;
use super::legality::{self, Illegality};
use super::names::{self, List, Squares, s};
use super::promotions::{Homes, Surplus};
use super::{cages, pawns, reverse};
use crate::{Color, Kind, Position, Square, SquareSet};

/// A reason why no game leads to a position, in the order in which reasons are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreachability {
    /// The position is illegal as it stands.
    Illegal(Illegality),
    /// The pawns cannot have come from distinct start squares.
    PawnStructure {
        /// Whose pawns.
        color: Color,
        /// All of them.
        pawns: SquareSet,
    },
    /// The pawns made more captures than the other side misses men.
    PawnCaptures {
        /// Whose pawns.
        color: Color,
        /// How many captures they made at least.
        captures: u32,
        /// How many men the other side misses.
        missing: u32,
    },
    /// Pawns that are on the board made all captures, but a piece that never left home is gone.
    CapturedAtHome {
        /// Whose piece.
        color: Color,
        /// What it was.
        kind: Kind,
        /// Where it began.
        start: Square,
    },
    /// King and queen stand on each other's squares and never had another.
    SwappedRoyals(Color),
    /// Pawns that never moved have always barred the king's way.
    KingPath {
        /// Whose king.
        color: Color,
        /// Where it stands.
        king: Square,
    },
    /// More promotions than missing pawns.
    TooManyPromotions {
        /// Who promoted.
        color: Color,
        /// How many pawns are missing.
        possible: u32,
        /// The men that tell of promotions.
        surpluses: Vec<Surplus>,
    },
    /// The promotions would need more captures than the other side misses men.
    CostlyPromotions {
        /// Who promoted.
        color: Color,
        /// The men that tell of promotions.
        surpluses: Vec<Surplus>,
        /// Captures that the pawns on the board made.
        captures: u32,
        /// Captures that the promotions need beyond these; none if no promotion is possible.
        more: Option<u32>,
        /// How many men the other side misses.
        missing: u32,
        /// The start squares without a pawn.
        starts: SquareSet,
        /// The files on which pawns can have promoted, bit 0 for the a-file.
        files: u8,
    },
    /// No last move can have given the check.
    ImpossibleCheck(Color),
    /// A bishop is gone, but all captures were made on squares of the other colour.
    BishopColor {
        /// Whose bishop.
        color: Color,
        /// Whether it went on light squares.
        light: bool,
        /// Where the captures were made.
        captures: SquareSet,
    },
    /// The other side ought to be to move.
    ColorParity(Color),
    /// A bishop that can neither have come nor have been promoted where it stands.
    TrappedBishop {
        /// Whose bishop.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// A rook that cannot have come where it stands.
    TrappedRook {
        /// Whose rook.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// Rooks outside a wall of pawns through which they never came.
    EscapedRooks {
        /// Whose rooks.
        color: Color,
        /// Where they stand.
        rooks: SquareSet,
    },
    /// Rooks behind a wall of enemy pawns through which they never came.
    EntrenchedRooks {
        /// Whose rooks.
        color: Color,
        /// Where they stand.
        rooks: SquareSet,
    },
}

/// Whether a game can have led to a position. Its text is that of `reachableposition`.
///
/// ```
/// use babson_chess::{fen, retro};
/// let (position, _) = fen::parse("4k3/8/8/8/8/P7/PP6/4K3 w").unwrap();
/// let verdict = retro::analyse(&position);
/// assert!(!verdict.is_reachable());
/// assert_eq!(
///     verdict.to_string(),
///     "<Unreachable position: Impossible White Pawn structure (squares a2, b2, a3)>"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Everything that speaks against it, in the order of the text.
    pub reasons: Vec<Unreachability>,
}

impl Verdict {
    /// Whether nothing is known against the position.
    pub fn is_reachable(&self) -> bool {
        self.reasons.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        names::verdict(out, ["Reachable", "Unreachable"], &self.reasons)
    }
}

/// Everything that is known against a game that leads to the position. Only the placement and
/// the side to move are looked at.
pub fn analyse(position: &Position) -> Verdict {
    let legality = legality::legality(position);
    if !legality.is_legal() {
        let reasons = legality.reasons.into_iter();
        return Verdict {
            reasons: reasons.map(Unreachability::Illegal).collect(),
        };
    }
    let mut reasons = Vec::new();
    let camps = Color::ALL.map(|color| Camp::new(position, color));
    let homes = [0, 1].map(|index| Homes::new(&camps[index]));
    let other = |camp: &Camp| &camps[camp.color.not().index()];
    let base = [0, 1].map(|index| pawns::cost(&camps[index], 0, 0));

    for camp in &camps {
        if base[camp.color.index()].is_none() {
            reasons.push(Unreachability::PawnStructure {
                color: camp.color,
                pawns: camp.real(camp.men(Kind::Pawn)),
            });
        }
    }
    for camp in &camps {
        let missing = other(camp).missing;
        if let Some(captures) = base[camp.color.index()]
            && captures > missing
        {
            reasons.push(Unreachability::PawnCaptures {
                color: camp.color,
                captures,
                missing,
            });
        }
    }
    for camp in &camps {
        let captor = other(camp);
        if camp.missing == 0 || base[captor.color.index()] != Some(camp.missing) {
            continue;
        }
        // On the last rank a captor promotes, on the one before it stands still.
        let pawns = captor.real(captor.men(Kind::Pawn));
        for cell in &homes[camp.color.index()].lost {
            if !pawns.intersects(cell.area) {
                reasons.push(Unreachability::CapturedAtHome {
                    color: camp.color,
                    kind: cell.kind,
                    start: cell.start,
                });
            }
        }
    }
    for camp in &camps {
        if cages::swapped_royals(camp) {
            reasons.push(Unreachability::SwappedRoyals(camp.color));
        }
    }
    for camp in &camps {
        if let Some(king) = cages::king_without_path(camp, other(camp)) {
            let color = camp.color;
            reasons.push(Unreachability::KingPath { color, king });
        }
    }
    let surpluses = [0, 1].map(|index| homes[index].surpluses(&camps[index]));
    for (camp, surpluses) in camps.iter().zip(&surpluses) {
        if promotions(surpluses) > camp.missing_pawns {
            reasons.push(Unreachability::TooManyPromotions {
                color: camp.color,
                possible: camp.missing_pawns,
                surpluses: surpluses.clone(),
            });
        }
    }
    for (camp, surpluses) in camps.iter().zip(surpluses) {
        reasons.extend(costly_promotions(
            camp,
            other(camp),
            base[camp.color.index()],
            surpluses,
        ));
    }
    if position.in_check() && !reverse::has_legal(position) {
        reasons.push(Unreachability::ImpossibleCheck(position.side()));
    }
    for camp in &camps {
        reasons.extend(cages::bishop_color(camp, other(camp)));
    }
    if cages::wrong_parity(position, &camps) {
        reasons.push(Unreachability::ColorParity(position.side()));
    }
    cages::trapped_bishops(&camps, &mut |color, square| {
        reasons.push(Unreachability::TrappedBishop { color, square });
    });
    cages::trapped_rooks(&camps, &mut |color, square| {
        reasons.push(Unreachability::TrappedRook { color, square });
    });
    for camp in &camps {
        cages::rooks_past_the_wall(camp, other(camp), &mut |reason| reasons.push(reason));
    }
    Verdict { reasons }
}

/// How many promotions the men tell of.
fn promotions(surpluses: &[Surplus]) -> u32 {
    surpluses.iter().map(|surplus| surplus.promotions).sum()
}

/// R7: enough pawns are missing, but their way to promotion needs too many captures.
fn costly_promotions(
    camp: &Camp,
    other: &Camp,
    base: Option<u32>,
    surpluses: Vec<Surplus>,
) -> Option<Unreachability> {
    let captures = base?;
    let needed = promotions(&surpluses);
    if needed == 0 || needed > camp.missing_pawns {
        return None;
    }
    // A pawn that never moved bars its file.
    let files = !other.home;
    let cost = pawns::cost(camp, needed, files);
    if cost.is_some_and(|cost| cost <= other.missing) {
        return None;
    }
    Some(Unreachability::CostlyPromotions {
        color: camp.color,
        surpluses,
        captures,
        more: cost.map(|cost| cost - captures),
        missing: other.missing,
        starts: camp.real(SquareSet(u64::from(!camp.home) << 8)),
        files,
    })
}

impl fmt::Display for Unreachability {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use names::color as name;
        match self {
            Unreachability::Illegal(reason) => reason.fmt(out),
            Unreachability::PawnStructure { color, pawns } => {
                let (color, pawns) = (name(*color), Squares(*pawns));
                write!(out, "Impossible {color} Pawn structure ({pawns})")
            }
            &Unreachability::PawnCaptures {
                color,
                captures,
                missing,
            } => write!(
                out,
                "{} Pawn structure implies {captures} capture{} but {} is only missing {missing} piece{}",
                name(color),
                s(captures),
                name(color.not()),
                s(missing)
            ),
            Unreachability::CapturedAtHome { color, kind, start } => write!(
                out,
                "All of {}'s missing pieces were captured by {} Pawns currently on the board but missing trapped {start} {} could not have been captured by one of these Pawns",
                name(*color),
                name(color.not()),
                names::kind(*kind)
            ),
            Unreachability::SwappedRoyals(color) => {
                write!(out, "{} King and Queen are swapped", name(*color))
            }
            Unreachability::KingPath { color, king } => write!(
                out,
                "Impossible position for {} King on {king} who has no legal path to this square",
                name(*color)
            ),
            Unreachability::TooManyPromotions {
                color,
                possible,
                surpluses,
            } => {
                let (color, needed) = (name(*color), promotions(surpluses));
                write!(
                    out,
                    "Position implies {needed} {color} Pawn promotion{} but ",
                    s(needed)
                )?;
                match possible {
                    0 => out.write_str("no promotions are possible")?,
                    1 => out.write_str("only 1 promotion is possible")?,
                    _ => write!(out, "only {possible} promotions are possible")?,
                }
                supplements(out, color, surpluses)?;
                match possible {
                    0 => write!(out, " [{color} is not missing any Pawns]"),
                    _ => write!(
                        out,
                        " [{color} is only missing {possible} Pawn{}]",
                        s(*possible)
                    ),
                }
            }
            Unreachability::CostlyPromotions {
                color,
                surpluses,
                captures,
                more,
                missing,
                starts,
                files,
            } => {
                let (us, them) = (name(*color), name(color.not()));
                let needed = promotions(surpluses);
                write!(
                    out,
                    "Position implies {needed} {us} promotion{} but promoting this many pawns would require too many captures",
                    s(needed)
                )?;
                supplements(out, us, surpluses)?;
                if *captures > 0 {
                    write!(
                        out,
                        " [Existing {us} pawn structure already implies {captures} capture{}]",
                        s(*captures)
                    )?;
                }
                if let Some(more) = more {
                    write!(
                        out,
                        " [Promotion of {needed} {us} pawn{} requires at least {more} additional capture{}]",
                        s(needed),
                        s(*more)
                    )?;
                }
                write!(
                    out,
                    " [{them} is only missing {missing} piece{}]",
                    s(*missing)
                )?;
                write!(
                    out,
                    " [Promotion cost calculated using pawn start squares {} and promotion files ",
                    List(*starts)
                )?;
                let files = (0..8u8).filter(|file| files >> file & 1 != 0);
                for (index, file) in files.enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(out, "{comma}{}", (b'a' + file) as char)?;
                }
                out.write_str("]")
            }
            Unreachability::ImpossibleCheck(color) => {
                write!(out, "Impossible check of {} King", name(*color))
            }
            Unreachability::BishopColor {
                color,
                light,
                captures,
            } => write!(
                out,
                "{} is missing {}-square Bishop but all {} captures occurred on {} squares ({})",
                name(*color),
                names::shade(*light),
                name(color.not()),
                names::shade(!light),
                Squares(*captures)
            ),
            Unreachability::ColorParity(side) => {
                write!(
                    out,
                    "Inconsistent color symmetry for {} to move",
                    name(*side)
                )
            }
            Unreachability::TrappedBishop { color, square } => {
                let color = name(*color);
                write!(out, "Impossibly trapped {color} Bishop on square {square}")
            }
            Unreachability::TrappedRook { color, square } => {
                let color = name(*color);
                write!(out, "Impossibly trapped {color} Rook on square {square}")
            }
            Unreachability::EscapedRooks { color, rooks } => {
                let (color, s, rooks) = (name(*color), s(rooks.len()), Squares(*rooks));
                write!(out, "Impossible escaped {color} Rook{s} ({rooks})")
            }
            Unreachability::EntrenchedRooks { color, rooks } => {
                let (color, s, rooks) = (name(*color), s(rooks.len()), Squares(*rooks));
                write!(out, "Impossible entrenched {color} Rook{s} ({rooks})")
            }
        }
    }
}

/// What tells of promotions, each in its brackets.
fn supplements(out: &mut fmt::Formatter<'_>, color: &str, surpluses: &[Surplus]) -> fmt::Result {
    for surplus in surpluses {
        let kind = names::kind(surplus.kind);
        let shade = match surplus.kind {
            Kind::Bishop => format!("{}-square ", names::shade(surplus.light)),
            _ => String::new(),
        };
        let (count, promotions) = (surplus.squares.len(), surplus.promotions);
        write!(
            out,
            " [Presence of {count} {shade}{color} {kind}{} ({}) implies at least {promotions} promotion{}]",
            s(count),
            Squares(surplus.squares),
            s(promotions)
        )?;
        for lost in &surplus.lost {
            let wing = match (surplus.kind, lost.start.file()) {
                (Kind::Rook, 0) => "Queenside ",
                (Kind::Rook, _) => "Kingside ",
                _ => "",
            };
            write!(
                out,
                " [Missing {shade}{wing}{color} {kind} could not have escaped "
            )?;
            match surplus.kind {
                Kind::Bishop => write!(out, "starting square ({})]", lost.start)?,
                _ => write!(out, "confined area ({})]", Squares(lost.area))?,
            }
        }
    }
    Ok(())
}
