//! The termination marker, and the text after it.

use super::Reader;
use crate::damage::DamageReason;
use crate::early_result::may_hold_two;
use crate::needs::Needs;
use crate::result::GameResult;
use crate::scan::variation_end;
use crate::split::rest_of_game;
use crate::token::{PgnLexer, PgnToken, result_at};

impl Reader {
    /// Finds the result of the moves from `start` on without replaying them. `one_result` says
    /// whether it is known that no result is before the end. Returns the end of the game.
    pub(super) fn result_only(&mut self, text: &[u8], start: usize, one_result: bool) -> usize {
        let trimmed = text.trim_ascii_end();
        let word =
            trimmed.iter().rposition(|byte| byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
        // In a comment or a variation a result has no meaning.
        let plain = word >= start
            && memchr::memchr3(b'{', b'(', b';', &text[start..]).is_none()
            && memchr::memchr(b'%', &text[start..]).is_none()
            && (one_result || !may_hold_two(&text[start..]));
        if plain
            && let Some((result, length)) = result_at(&trimmed[word..])
            && word + length == trimmed.len()
        {
            self.arena.result = result;
            self.arena.has_result = true;
            return text.len();
        }
        self.skip_to_result(text, start)
    }

    /// Skips to the result. Returns the end of the game.
    pub(super) fn skip_to_result(&mut self, text: &[u8], at: usize) -> usize {
        let mut lexer = PgnLexer::new(text, at);
        while let Some(token) = lexer.next(&mut self.braces) {
            match token {
                PgnToken::Result(result) => return self.result(text, result, lexer.at),
                PgnToken::Open => {
                    lexer.at = variation_end(text, lexer.start, &mut self.braces)
                        .map_or(text.len(), |close| close + 1);
                }
                PgnToken::Comment
                | PgnToken::OpenComment
                | PgnToken::Close
                | PgnToken::StrayBrace
                | PgnToken::Nag(_)
                | PgnToken::Move
                | PgnToken::Number
                | PgnToken::Nothing
                | PgnToken::Unknown => {}
            }
        }
        text.len()
    }

    /// Stores the result. Returns the end of the game.
    pub(super) fn result(&mut self, text: &[u8], result: GameResult, after: usize) -> usize {
        self.arena.result = result;
        self.arena.has_result = true;
        if text[after..].trim_ascii_start().is_empty() {
            return text.len();
        }
        rest_of_game(text, after, &mut self.braces)
    }

    /// Reads the text between the result and the end of the game. Comments belong to the last move;
    /// other text is damage.
    pub(super) fn after_result(
        &mut self,
        text: &[u8],
        at: usize,
        end: usize,
        last: u32,
        needs: Needs,
    ) {
        let mut lexer = PgnLexer::new(text, at);
        while let Some(token) = lexer.next(&mut self.braces) {
            if lexer.start >= end {
                return;
            }
            match token {
                PgnToken::Comment => self.comment(last, true, lexer.start, lexer.end, needs),
                PgnToken::OpenComment => {
                    self.comment(last, true, lexer.start, lexer.end, needs);
                    self.damage(
                        lexer.start - 1,
                        lexer.end,
                        DamageReason::UnterminatedComment,
                        true,
                    );
                }
                PgnToken::Nothing | PgnToken::Nag(_) => {}
                PgnToken::Open
                | PgnToken::Close
                | PgnToken::StrayBrace
                | PgnToken::Move
                | PgnToken::Result(_)
                | PgnToken::Number
                | PgnToken::Unknown => {
                    let end = text[..end].trim_ascii_end().len().max(lexer.end);
                    return self.damage(lexer.start, end, DamageReason::TextAfterResult, true);
                }
            }
        }
    }
}
