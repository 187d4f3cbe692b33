//! One line of moves, the main line or a variation.

use super::annotations::MAX_ANNOTATIONS;
use super::variations::Pending;
use super::{Needs, Reader};
use crate::damage::Reason;
use crate::scan::variation_end;
use crate::token::{Lexer, Token};

/// How a line came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// At its `)`, its result or the end of the text.
    Complete,
    /// By damage.
    Damaged,
    /// The game has too many positions.
    Full,
}

impl Reader {
    /// Replays one line that begins at `at` in the position `parent`; its variations are pushed
    /// to `pending`. Returns how and where the line ended; for the main line the end of the game.
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
            // The head of a variation takes the careful path, which links it to its parent.
            if last != parent || main {
                at = self.plain_moves(text, at, &mut last);
            }
            let mut lexer = Lexer::new(text, at);
            let Some(token) = lexer.next(&mut self.braces) else {
                break (LineEnd::Complete, text.len());
            };
            at = lexer.at;
            let (start, end) = (lexer.start, lexer.end);
            let moved = last != parent;
            match token {
                Token::Number | Token::Nothing => {}
                Token::Move => match self.play(text, (start, end), last, parent, main) {
                    Ok(id) => last = id,
                    Err(reason) => {
                        self.damage(start, end, reason, main);
                        if self.error_comments && (moved || main) {
                            let unread = (last, start as u32, end as u32);
                            self.arena.unread.push(unread);
                        }
                        let full = reason == Reason::TooManyPositions;
                        break (if full { LineEnd::Full } else { LineEnd::Damaged }, at);
                    }
                },
                Token::Comment => self.comment(last, moved || main, start, end, needs),
                Token::OpenComment => {
                    self.comment(last, moved || main, start, end, needs);
                    self.damage(start - 1, end, Reason::UnterminatedComment, main);
                    break (LineEnd::Damaged, at);
                }
                Token::Nag(nag) => {
                    if !needs.comments {
                        self.arena.whole = false;
                    } else if nag != 0 && moved {
                        if self.arena.nags.len() < MAX_ANNOTATIONS {
                            self.arena.nags.push((last, nag));
                        } else {
                            self.damage(start, end, Reason::TooManyAnnotations, main);
                        }
                    }
                }
                Token::Open => {
                    self.arena.whole &= needs.variations;
                    let close = if needs.variations {
                        self.nest.close(text, start, &mut self.braces)
                    } else {
                        variation_end(text, start, &mut self.braces)
                    };
                    if !moved {
                        // None of it is read.
                        let end = close.map_or(text.len(), |close| close + 1);
                        self.damage(start, end, Reason::VariationBeforeMove, main);
                    } else if needs.variations {
                        let parent = self.arena.nodes[last as usize].parent;
                        self.pending.push(Pending { at: start + 1, parent });
                    }
                    match close {
                        Some(close) => at = close + 1,
                        None => {
                            self.damage(start, start + 1, Reason::UnterminatedVariation, main);
                            break (LineEnd::Damaged, text.len());
                        }
                    }
                }
                Token::Close if !main => break (LineEnd::Complete, at),
                Token::Close => self.damage(start, end, Reason::StrayParenthesis, main),
                Token::StrayBrace => self.damage(start, end, Reason::StrayBrace, main),
                Token::Unknown if lexer.slice() == b"\0" => {}
                Token::Unknown => self.damage(start, end, Reason::UnknownWord, main),
                // A result inside a variation means nothing.
                Token::Result(_) if !main => {}
                Token::Result(result) => {
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
