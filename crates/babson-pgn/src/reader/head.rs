//! What stands before the moves: the tags that decide how a game begins.

use babson_chess::{Variant, fen};

use super::Reader;
use super::report::MAX_REPORTS;
use crate::damage::{Damage, Reason};
use crate::game::Node;
use crate::tags::{Form, skip_section};

impl Reader {
    /// Reads what the tags say about the initial position. Returns the end of the tag section.
    pub(super) fn tags(&mut self, text: &[u8]) -> usize {
        let mut fen_tag = None;
        let mut variant_tag = None;
        let damages = &mut self.arena.damages;
        let offset = |part: &[u8]| part.as_ptr() as usize - text.as_ptr() as usize;
        let end = skip_section(text, |tag| {
            match tag.name {
                // Databases write the tag even where there is nothing to say.
                _ if tag.value.trim_ascii().is_empty() => {}
                b"FEN" => fen_tag = fen_tag.or(Some(tag.value)),
                b"Variant" => variant_tag = variant_tag.or(Some(tag.value)),
                _ => {}
            }
            if tag.form != Form::Sound && damages.len() < MAX_REPORTS {
                let (start, end) = (tag.start, tag.end);
                damages.push(Damage { start, end, reason: Reason::MalformedTag, main_line: true });
            }
        });
        let variant = match variant_tag {
            None => Variant::Standard,
            Some(name) => self.variants.find(name).unwrap_or_else(|| {
                let start = offset(name);
                self.damage(start, start + name.len(), Reason::UnknownVariant, true);
                self.arena.has_start = false;
                Variant::Standard
            }),
        };
        self.arena.positions[0] = variant.start();
        if let Some(value) = fen_tag {
            let text = std::str::from_utf8(value).ok();
            // Chess960 games often go without their tag.
            let parse = |text| match variant.is_chess() {
                true => fen::parse(text),
                false => fen::parse_variant(text, variant),
            };
            match text.and_then(|text| parse(text).ok()) {
                Some((position, rules)) => {
                    self.arena.positions[0] = position;
                    self.arena.rules = rules;
                }
                None => {
                    let start = offset(value);
                    self.damage(start, start + value.len(), Reason::BadFen, true);
                    self.arena.has_start = false;
                    self.arena.bad_fen = true;
                }
            }
        }
        self.arena.rules = self.arena.rules.with_variant(variant);
        self.arena.nodes[0] = Node::ROOT;
        end
    }
}
