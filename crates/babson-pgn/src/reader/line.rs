//! Reading a line of moves: the main line or a variation.

use super::Reader;
use crate::damage::DamageReason;
use crate::limits::MAX_ANNOTATIONS;
use crate::needs::Needs;
use crate::scan::variation_end;
use crate::token::{PgnLexer, PgnToken};

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// With its `)`, its result or the end of the text.
    Complete,
    /// With damage.
    Damaged,
    /// Because the game has too many positions.
    Full,
    /// Before a move after the last ply that is read.
    Cut,
}

/// A variation that is still to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingVariation {
    /// The offset after its `(`.
    pub(super) at: usize,
    pub(super) parent: u32,
}

impl Reader {
    /// Replays the line whose text begins at `at`, from the position `parent`. Pushes its
    /// variations to `pending`. Returns how and where the line ended; for the main line the end of
    /// the game.
    pub(super) fn line(
        &mut self,
        text: &[u8],
        mut at: usize,
        parent: u32,
        main: bool,
        needs: Needs,
    ) -> (LineEnd, usize) {
        let first_pending = self.pending.len();
        let mut last = parent;
        let end = loop {
            // The first move of a variation takes the careful path, which links it to its parent.
            if last != parent || main {
                at = self.plain_moves(text, at, &mut last);
            }
            let mut lexer = PgnLexer::new(text, at);
            let Some(token) = lexer.next(&mut self.braces) else {
                break (LineEnd::Complete, text.len());
            };
            at = lexer.at;
            let (start, end) = (lexer.start, lexer.end);
            let moved = last != parent;
            match token {
                PgnToken::Number | PgnToken::Nothing => {}
                PgnToken::Move
                    if u32::from(self.arena.nodes[last as usize].ply) >= self.last_ply =>
                {
                    break (LineEnd::Cut, start);
                }
                PgnToken::Move => match self.play(text, (start, end), last, parent, main) {
                    Ok(id) => last = id,
                    Err(reason) => {
                        self.damage(start, end, reason, main);
                        if self.error_comments && (moved || main) {
                            let unread = (last, start as u32, end as u32);
                            self.arena.unread.push(unread);
                        }
                        let full = reason == DamageReason::TooManyPositions;
                        break (if full { LineEnd::Full } else { LineEnd::Damaged }, at);
                    }
                },
                PgnToken::Comment => self.comment(last, moved || main, start, end, needs),
                PgnToken::OpenComment => {
                    self.comment(last, moved || main, start, end, needs);
                    self.damage(start - 1, end, DamageReason::UnterminatedComment, main);
                    break (LineEnd::Damaged, at);
                }
                PgnToken::Nag(nag) => {
                    if !needs.comments {
                        self.arena.whole = false;
                    } else if nag != 0 && moved {
                        if self.arena.nags.len() < MAX_ANNOTATIONS {
                            self.arena.nags.push((last, nag));
                        } else {
                            self.damage(start, end, DamageReason::TooManyAnnotations, main);
                        }
                    }
                }
                PgnToken::Open => {
                    self.arena.whole &= needs.variations;
                    let close = if needs.variations {
                        self.variation_ends.close(text, start, &mut self.braces)
                    } else {
                        variation_end(text, start, &mut self.braces)
                    };
                    if !moved {
                        // The whole variation is skipped.
                        let end = close.map_or(text.len(), |close| close + 1);
                        self.damage(start, end, DamageReason::VariationBeforeMove, main);
                    } else if needs.variations {
                        let parent = self.arena.nodes[last as usize].parent;
                        self.pending.push(PendingVariation { at: start + 1, parent });
                    }
                    match close {
                        Some(close) => at = close + 1,
                        None => {
                            self.damage(
                                start,
                                start + 1,
                                DamageReason::UnterminatedVariation,
                                main,
                            );
                            break (LineEnd::Damaged, text.len());
                        }
                    }
                }
                PgnToken::Close if !main => break (LineEnd::Complete, at),
                PgnToken::Close => self.damage(start, end, DamageReason::StrayParenthesis, main),
                PgnToken::StrayBrace => self.damage(start, end, DamageReason::StrayBrace, main),
                PgnToken::Unknown if lexer.slice() == b"\0" => {}
                PgnToken::Unknown => self.damage(start, end, DamageReason::UnknownWord, main),
                // A result in a variation has no meaning.
                PgnToken::Result(_) if !main => {}
                PgnToken::Result(result) => {
                    let end = self.result(text, result, at);
                    self.after_result(text, at, end, last, needs);
                    break (LineEnd::Complete, end);
                }
            }
        };
        self.order_pending(first_pending);
        self.before.clear();
        end
    }
}
