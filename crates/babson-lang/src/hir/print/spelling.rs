//! How types, directions, squares and men are spelled.

use crate::hir::*;
use crate::terms::square_names;

pub(super) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "condition",
        Type::Number => "number",
        Type::Set => "set",
        Type::String => "string",
        Type::Position => "position",
        Type::Piece => "piece",
    }
}

pub(super) fn compass(directions: Directions) -> String {
    const NAMES: [&str; 8] = [
        "up",
        "northeast",
        "right",
        "southeast",
        "down",
        "southwest",
        "left",
        "northwest",
    ];
    if directions.0 == 0xff {
        return "any".into();
    }
    let names = NAMES
        .iter()
        .enumerate()
        .filter(|(i, _)| directions.0 >> i & 1 == 1);
    names.map(|(_, name)| *name).collect::<Vec<_>>().join("+")
}

pub(super) fn letters(content: Content) -> String {
    match content {
        Content::ANY => "any".into(),
        _ => content.to_string(),
    }
}

pub(super) fn squares(mask: u64) -> String {
    match mask {
        0 => "[]".into(),
        u64::MAX => ".".into(),
        _ => {
            let names = square_names(mask);
            if names.len() > 16 {
                format!("[{} squares {mask:#x}]", names.len())
            } else {
                format!("[{}]", names.join(","))
            }
        }
    }
}

pub(super) fn designator(d: &Designator) -> String {
    match (d.squares, d.content) {
        (u64::MAX, content) => letters(content),
        (mask, Content::ANY) => squares(mask),
        (mask, content) => format!("{}{}", letters(content), squares(mask)),
    }
}
