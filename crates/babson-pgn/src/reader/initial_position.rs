//! The initial position of a game, from its tags.

use babson_chess::{Position, Variant, fen};

use super::Reader;
use crate::damage::{Damage, DamageReason};
use crate::limits::MAX_REPORTS;
use crate::node::Node;
use crate::tags::{TagForm, skip_section};

impl Reader {
    /// The initial array of chess.
    pub(super) fn usual_start(&mut self) {
        self.arena.positions[0] = Position::start();
        self.arena.nodes[0] = Node::ROOT;
    }

    /// Reads the tags that decide the initial position. Returns the end of the tag section.
    pub(super) fn tags(&mut self, text: &[u8]) -> usize {
        let mut fen_tag = None;
        let mut variant_tag = None;
        let damages = &mut self.arena.damages;
        let offset = |part: &[u8]| part.as_ptr() as usize - text.as_ptr() as usize;
        let end = skip_section(text, |tag| {
            match tag.name {
                // Databases also write tags without a value.
                _ if tag.value.trim_ascii().is_empty() => {}
                b"FEN" => fen_tag = fen_tag.or(Some(tag.value)),
                b"Variant" => variant_tag = variant_tag.or(Some(tag.value)),
                _ => {}
            }
            if tag.form != TagForm::Sound && damages.len() < MAX_REPORTS {
                let (start, end) = (tag.start, tag.end);
                damages.push(Damage {
                    start,
                    end,
                    reason: DamageReason::MalformedTag,
                    main_line: true,
                });
            }
        });
        let variant = match variant_tag {
            None => Variant::Standard,
            Some(name) => self.variants.find(name).unwrap_or_else(|| {
                let start = offset(name);
                self.damage(start, start + name.len(), DamageReason::UnknownVariant, true);
                self.arena.has_start = false;
                Variant::Standard
            }),
        };
        self.arena.positions[0] = variant.start();
        if let Some(value) = fen_tag {
            let text = std::str::from_utf8(value).ok();
            // Games of Chess960 often have no `Variant` tag.
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
                    self.damage(start, start + value.len(), DamageReason::BadFen, true);
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
