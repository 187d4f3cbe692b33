//! Filters of the Heijden database of studies (docs/src/language/hhdb.md#the-heijden-database).
//!
//! Most keys become combinations of tags and comments. Transforms do not change any of them.

use super::{ExprResult, Sema};
use crate::ast::{Filter, Ident};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span, quoted};
use crate::hhdb::{self, HhdbText};
use crate::hir::{
    Award, AwardKind, BinaryFilter, BuiltInTag, Color, Condition, Expr, ExprKind, HhdbCondition,
    HhdbValue, Property, SortKey, Type,
};

/// The keys that are a text in the Black tag, with their other names.
const FLAGS: [(&str, &[&str]); 16] = [
    ("(c)", &["correction"]),
    ("(m)", &["modification"]),
    ("(s)", &["corrected_solution"]),
    ("(v)", &["version"]),
    ("AN", &["anticipation"]),
    ("CR", &["colors_reversed"]),
    ("MC", &["too_many_composers"]),
    ("PH", &["posthumous"]),
    ("TE", &["theoretical_ending"]),
    ("TT", &["theme_tourney", "theme_tournament"]),
    ("TW", &["twin"]),
    ("U1", &["dual_at_move_1"]),
    ("U2", &["dual_after_move_1"]),
    ("U3", &["white_fails"]),
    ("U4", &["white_wins_in_draw"]),
    ("U5", &["unreachable"]),
];

/// The keys that are a text in the current comment: the key, the text, and whether the key needs
/// variations.
const MARKS: [(&str, &str, bool); 5] = [
    ("<cook>", "<cook", false),
    ("<eg>", "<eg>", false),
    ("<main>", "<main>", true),
    ("<minor_dual>", "<minor_dual", false),
    ("<or>", "<or>", true),
];

impl Sema<'_> {
    pub(super) fn hhdb(&mut self, filter: &Filter, span: Span) -> ExprResult {
        let words: Vec<&Ident> = filter.names().collect();
        let Some(&key) = words.first() else {
            let error = Diagnostic::missing(span, "hhdb", "a key after it");
            return Err(self.report(error.with_help("for example `hhdb prize` or `hhdb composer`")));
        };
        let name = key.name.as_str();
        if hhdb::AWARD_WORDS.contains(&name) {
            return self.award(&words, span);
        }
        let text = match hhdb::text_of(name) {
            None => return self.hhdb_condition(key, span),
            Some(HhdbText::Value(value)) => self.hhdb_value(value, span),
            Some(HhdbText::Gbr) => self.gbr(words.get(1).copied(), span)?,
            Some(HhdbText::FirstComment) => {
                let initial = self.property(Property::InitialPosition, span);
                let comment = self.property(Property::OriginalComment, span);
                let kind = ExprKind::With { position: Box::new(initial), body: Box::new(comment) };
                self.node(kind, span)
            }
        };
        match filter.text() {
            Some(search) => self.search(text, search, &format!("hhdb {name}"), span),
            None => Ok(text),
        }
    }

    fn hhdb_value(&mut self, key: HhdbValue, span: Span) -> Expr {
        self.property(Property::Hhdb(key), span)
    }

    fn gbr(&mut self, part: Option<&Ident>, span: Span) -> ExprResult {
        let code = self.hhdb_value(HhdbValue::Gbr, span);
        let Some(part) = part else {
            return Ok(code);
        };
        let Some(&(_, from, to)) = hhdb::GBR.iter().find(|known| known.0 == part.name) else {
            return Err(self.error(Code::UnknownHhdbKey, part.span, "`hhdb gbr` has no such part"));
        };
        let number = |this: &mut Self, n| this.node(ExprKind::Number(n), span);
        let kind = ExprKind::Slice {
            text: Box::new(code),
            from: Some(Box::new(number(self, from))),
            to: Some(Box::new(number(self, to))),
        };
        Ok(self.node(kind, span))
    }

    /// The keys that are conditions or numbers.
    fn hhdb_condition(&mut self, key: &Ident, span: Span) -> ExprResult {
        let name = key.name.as_str();
        if let Some((flag, _)) =
            FLAGS.iter().find(|(flag, others)| *flag == name || others.contains(&name))
        {
            return Ok(self.in_black(&[flag], span));
        }
        if let Some(&(_, wanted, variations)) = MARKS.iter().find(|mark| mark.0 == name) {
            if variations {
                self.query.requires_variations.get_or_insert(span);
            }
            return Ok(self.occurs(wanted, Property::OriginalComment, span));
        }
        let cooked = Condition::Hhdb(HhdbCondition::Cooked);
        Ok(match name {
            "cooked" => self.condition(cooked, span),
            "egdiagram" => self.hhdb_value(HhdbValue::EgDiagram, span),
            "tourney_edition" => self.hhdb_value(HhdbValue::TourneyEdition, span),
            "tourney_year" => self.hhdb_value(HhdbValue::TourneyYear, span),
            "tourney_year_end" => self.hhdb_value(HhdbValue::TourneyYearEnd, span),
            "mainline" => self.in_variations(HhdbCondition::Mainline, span),
            "variation" => self.in_variations(HhdbCondition::Variation, span),
            "dual" => self.in_black(&["U1", "U2"], span),
            "unsound" => {
                let cooked = self.condition(cooked, span);
                let marked = self.in_black(&["U1", "U2", "U3", "U4", "U5"], span);
                self.logic(true, cooked, marked)
            }
            "sound" => {
                let cooked = self.condition(cooked, span);
                let dual = self.in_black(&["U1", "U2"], span);
                let cooked = self.logic(false, cooked, dual);
                let failed = self.in_black(&["U3", "U4", "U5"], span);
                let unsound = self.logic(true, cooked, failed);
                self.node(ExprKind::Not(Box::new(unsound)), span)
            }
            _ => return Err(self.report(unknown_key(key))),
        })
    }

    /// A condition that only games with variations can tell.
    fn in_variations(&mut self, which: HhdbCondition, span: Span) -> Expr {
        self.query.requires_variations.get_or_insert(span);
        self.condition(Condition::Hhdb(which), span)
    }

    /// Whether the text occurs in a tag or a comment.
    fn occurs(&mut self, text: &str, place: Property, span: Span) -> Expr {
        let text = self.text(text, span);
        let place = self.property(place, span);
        self.binary(BinaryFilter::Substring, text, place, span)
    }

    /// Whether one of the texts occurs in the Black tag. A swap of colors does not change the tag.
    fn in_black(&mut self, texts: &[&str], span: Span) -> Expr {
        let black = Property::Tag(BuiltInTag::Player(Some(Color::Black)));
        let mut found: Option<Expr> = None;
        for text in texts {
            let occurs = self.occurs(text, black, span);
            found = Some(match found {
                Some(found) => self.logic(true, found, occurs),
                None => occurs,
            });
        }
        let found = found.unwrap_or_else(|| self.bool(false, span));
        self.node(ExprKind::NoTransform(Box::new(found)), span)
    }

    /// A filter of an award, which also sorts if `sort` is one of its words.
    fn award(&mut self, words: &[&Ident], span: Span) -> ExprResult {
        let (award, sortable) = parse_award(words).map_err(|error| self.report(error))?;
        let value = self.property(Property::Award(award), span);
        if sortable || !award.sort {
            return Ok(value);
        }
        if award.max {
            return Err(self.report(Diagnostic::excluding(span, "`sort`", "`max`")));
        }
        if words.last().is_some_and(|word| word.name == "sort") {
            let message = "`sort` cannot be the last word of `hhdb`";
            let error = Diagnostic::new(Code::MisplacedParameter, span, message);
            return Err(self.report(error.with_help("for example `hhdb sort award`")));
        }
        let names: Vec<&str> = words.iter().map(|word| word.name.as_str()).collect();
        let name = format!("hhdb {}", names.join(" "));
        // The key is not printed, since its value has no use for the reader.
        let key = self.sort_key(SortKey { name, ty: Type::Number, min: true, quiet: true });
        Ok(self.node(ExprKind::Sort { key, value: Box::new(value) }, span))
    }
}

fn unknown_key(key: &Ident) -> Diagnostic {
    let name = &key.name;
    let message = format!("`{name}` is not a key of `hhdb`");
    let error = Diagnostic::new(Code::UnknownHhdbKey, key.span, message);
    if MARKS.iter().any(|mark| mark.0.trim_matches(['<', '>']) == name) {
        let mark = format!("\"<{name}>\"");
        let fix = Fix::replace(key.span, mark.as_str());
        error.with_help(Help::from(format!("write `hhdb {mark}`")).with(fix))
    } else {
        error
    }
}

/// `[max] [special|nonspecial] [sort|sortable] [award|prize|hm|commendation]`, and whether
/// `sortable` is one of the words: the value is the one for a sort, but it does not sort.
fn parse_award(words: &[&Ident]) -> Result<(Award, bool), Diagnostic> {
    let mut award = Award { kind: None, special: None, max: false, sort: false };
    let (mut sortable, mut has_kind) = (false, false);
    for (index, word) in words.iter().enumerate() {
        let (name, span) = (word.name.as_str(), word.span);
        if words[..index].iter().any(|other| other.name == name) {
            return Err(Diagnostic::duplicate(span, &quoted(name)));
        }
        match name {
            "max" => award.max = true,
            "sort" | "sortable" if award.sort => {
                return Err(Diagnostic::excluding(span, "`sort`", "`sortable`"));
            }
            "sort" | "sortable" => (award.sort, sortable) = (true, name == "sortable"),
            "special" | "nonspecial" if award.special.is_some() => {
                return Err(Diagnostic::excluding(span, "`special`", "`nonspecial`"));
            }
            "special" | "nonspecial" => award.special = Some(name == "special"),
            _ if has_kind => {
                let message = "only one type of award may be named";
                return Err(Diagnostic::new(Code::ExcludingParameters, span, message));
            }
            _ => (award.kind, has_kind) = (award_kind(word)?, true),
        }
    }
    Ok((award, sortable))
}

fn award_kind(word: &Ident) -> Result<Option<AwardKind>, Diagnostic> {
    match word.name.as_str() {
        "prize" => Ok(Some(AwardKind::Prize)),
        "hm" => Ok(Some(AwardKind::HonorableMention)),
        "commendation" => Ok(Some(AwardKind::Commendation)),
        "award" => Ok(None),
        _ => Err(unknown_key(word)),
    }
}
