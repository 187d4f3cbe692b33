//! How types, directions, squares and men are spelled.

use crate::hir::*;

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
        Content::ANY => return "any".into(),
        Content::WHITE => return "A".into(),
        Content::BLACK => return "a".into(),
        _ => {}
    }
    let list: String = "PNBRQKpnbrqk_"
        .chars()
        .enumerate()
        .filter(|(i, _)| content.0 >> i & 1 == 1)
        .map(|(_, c)| c)
        .collect();
    if list.chars().count() == 1 {
        list
    } else {
        format!("[{list}]")
    }
}

pub(super) fn squares(mask: u64) -> String {
    match mask {
        0 => "[]".into(),
        u64::MAX => ".".into(),
        _ => {
            let names: Vec<String> = (0..64u8)
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| format!("{}{}", char::from(b'a' + i % 8), i / 8 + 1))
                .collect();
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
