//! The texts of the reasons (`docs/src/retro.md#reachable`). Those of rules 1 to 12 are the texts
//! of CQLi; the others are our own.

use std::fmt;

use super::format::{self, List, SquareList, s};
use super::promotions::Surplus;
use super::verdict::{Unreachability, promotions};
use crate::Kind;

impl fmt::Display for Unreachability {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use format::color as name;
        match self {
            Unreachability::Illegal(reason) => reason.fmt(out),
            Unreachability::PawnStructure { color, pawns } => {
                let (color, pawns) = (name(*color), SquareList(*pawns));
                write!(out, "Impossible {color} Pawn structure ({pawns})")
            }
            &Unreachability::PawnCaptures { color, captures, missing } => write!(
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
                format::kind(*kind)
            ),
            Unreachability::SwappedRoyals(color) => {
                write!(out, "{} King and Queen are swapped", name(*color))
            }
            Unreachability::KingPath { color, king } => write!(
                out,
                "Impossible position for {} King on {king} who has no legal path to this square",
                name(*color)
            ),
            Unreachability::TooManyPromotions { color, possible, surpluses } => {
                let (color, needed) = (name(*color), promotions(surpluses));
                write!(out, "Position implies {needed} {color} Pawn promotion{} but ", s(needed))?;
                match possible {
                    0 => out.write_str("no promotions are possible")?,
                    1 => out.write_str("only 1 promotion is possible")?,
                    _ => write!(out, "only {possible} promotions are possible")?,
                }
                supplements(out, color, surpluses)?;
                match possible {
                    0 => write!(out, " [{color} is not missing any Pawns]"),
                    _ => write!(out, " [{color} is only missing {possible} Pawn{}]", s(*possible)),
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
                write!(out, " [{them} is only missing {missing} piece{}]", s(*missing))?;
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
            Unreachability::Crossed { pawns, missing: [white, black] } => write!(
                out,
                "Pawns ({}) cannot have passed each other with White only missing {white} piece{} and Black {black}",
                SquareList(*pawns),
                s(*white)
            ),
            Unreachability::PromotedPast { color, wall, captures, missing } => {
                let (us, them) = (name(*color), name(color.not()));
                write!(
                    out,
                    "{us} promotions past {them} Pawns that never left their files ({}) ",
                    SquareList(*wall)
                )?;
                match captures {
                    None => out.write_str("are impossible"),
                    Some(captures) => write!(
                        out,
                        "require {captures} capture{} but {them} is only missing {missing} piece{}",
                        s(*captures),
                        s(*missing)
                    ),
                }
            }
            Unreachability::BishopOutOfReach { color, light } => write!(
                out,
                "{} is missing {}-square Bishop but no {} Pawn can have captured on a {} square",
                name(*color),
                format::shade(*light),
                name(color.not()),
                format::shade(*light)
            ),
            Unreachability::ClosedArea { color, area, pieces } => write!(
                out,
                "Only Knights can have left or entered the confined {} area ({}) which is contradicted by pieces on {}",
                name(*color),
                SquareList(*area),
                SquareList(*pieces)
            ),
            Unreachability::NoLastMove(color) => {
                write!(out, "{} has no possible last move", name(*color))
            }
            Unreachability::UnreachablePast(color) => write!(
                out,
                "Every possible last move of {} was made in an unreachable position",
                name(*color)
            ),
            Unreachability::ImpossibleCheck(color) => {
                write!(out, "Impossible check of {} King", name(*color))
            }
            Unreachability::BishopColor { color, light, captures } => write!(
                out,
                "{} is missing {}-square Bishop but all {} captures occurred on {} squares ({})",
                name(*color),
                format::shade(*light),
                name(color.not()),
                format::shade(!light),
                SquareList(*captures)
            ),
            Unreachability::ColorParity(side) => {
                write!(out, "Inconsistent color symmetry for {} to move", name(*side))
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
                let (color, s, rooks) = (name(*color), s(rooks.len()), SquareList(*rooks));
                write!(out, "Impossible escaped {color} Rook{s} ({rooks})")
            }
            Unreachability::EntrenchedRooks { color, rooks } => {
                let (color, s, rooks) = (name(*color), s(rooks.len()), SquareList(*rooks));
                write!(out, "Impossible entrenched {color} Rook{s} ({rooks})")
            }
        }
    }
}

/// Writes the surpluses that imply promotions, each in brackets.
fn supplements(out: &mut fmt::Formatter<'_>, color: &str, surpluses: &[Surplus]) -> fmt::Result {
    for surplus in surpluses {
        let kind = format::kind(surplus.kind);
        let shade = match surplus.kind {
            Kind::Bishop => format!("{}-square ", format::shade(surplus.light)),
            Kind::Pawn | Kind::Knight | Kind::Rook | Kind::Queen | Kind::King => String::new(),
        };
        let (count, promotions) = (surplus.squares.len(), surplus.promotions);
        write!(
            out,
            " [Presence of {count} {shade}{color} {kind}{} ({}) implies at least {promotions} promotion{}]",
            s(count),
            SquareList(surplus.squares),
            s(promotions)
        )?;
        for lost in &surplus.lost {
            let wing = match (surplus.kind, lost.start.file()) {
                (Kind::Rook, 0) => "Queenside ",
                (Kind::Rook, _) => "Kingside ",
                (Kind::Pawn | Kind::Knight | Kind::Bishop | Kind::Queen | Kind::King, _) => "",
            };
            write!(out, " [Missing {shade}{wing}{color} {kind} could not have escaped ")?;
            match surplus.kind {
                Kind::Bishop => write!(out, "starting square ({})]", lost.start)?,
                Kind::Pawn | Kind::Knight | Kind::Rook | Kind::Queen | Kind::King => {
                    write!(out, "confined area ({})]", SquareList(lost.area))?
                }
            }
        }
    }
    Ok(())
}
