//! The names of the variants (`docs/src/language/positions.md#variants`).

use std::fmt;

use crate::Variant;

/// The names of each variant, in the order of [`Variant::ALL`]: first the name that is printed,
/// then names that are only read. lichess.org writes "From Position" for a game of chess that does
/// not begin with the initial array.
const NAMES: [&[&str]; Variant::ALL.len()] = [
    &["Standard", "Chess", "Classical", "Normal", "From Position"],
    &["Chess960", "Fischerandom"],
    &["Atomic", "Atom", "Atomic Chess"],
    &["Crazyhouse", "Crazy House", "House", "ZH"],
    &["Giveaway", "Antichess", "Give away", "Giveaway Chess", "Give away chess"],
    &["Suicide", "Suicide Chess"],
    &["Losers"],
    &["Horde", "Horde Chess"],
    &["King of the Hill", "kingOfTheHill", "KOTH"],
    &["Racing Kings", "Race", "Racing", "RacingKings"],
    &["Three-Check", "Three Check", "ThreeCheck", "Three Check Chess", "3-Check", "3 Check"],
];

impl Variant {
    /// The variant of this name, without regard to case and surrounding whitespace.
    ///
    /// ```
    /// use babson_chess::Variant;
    /// assert_eq!(Variant::parse("KOTH"), Some(Variant::KingOfTheHill));
    /// assert_eq!(Variant::parse("tic-tac-toe"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Variant> {
        VariantNames::default().find(name)
    }

    /// The name of the variant that is printed.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize][0]
    }
}

/// The names of variants: the names that [`Variant::parse`] knows, and added aliases.
///
/// The `Variant` tag of a game and the filter `variant "X"` use the same table.
///
/// ```
/// use babson_chess::{Variant, VariantNames};
/// let mut names = VariantNames::default();
/// names.add("Bughouse", Variant::Crazyhouse).unwrap();
/// assert_eq!(names.find("BUGHOUSE"), Some(Variant::Crazyhouse));
/// assert_eq!(names.find("zh"), Some(Variant::Crazyhouse));
/// assert!(names.to_string().ends_with("Three-Check, Bughouse (Crazyhouse)"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct VariantNames {
    aliases: Vec<(String, Variant)>,
}

/// Two are equal if they find the same variants, in whatever order and case their names were added.
impl PartialEq for VariantNames {
    fn eq(&self, other: &VariantNames) -> bool {
        // No name is in a list twice.
        let is_known = |(name, variant): &(String, Variant)| other.find(name) == Some(*variant);
        self.aliases.len() == other.aliases.len() && self.aliases.iter().all(is_known)
    }
}

impl Eq for VariantNames {}

impl VariantNames {
    /// The variant of this name, without regard to the case of ASCII letters and to surrounding
    /// whitespace. The name may be any bytes, since it may come from a game.
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<Variant> {
        let name = name.as_ref().trim_ascii();
        let same = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        let mut own = Variant::ALL.into_iter();
        own.find(|&variant| NAMES[variant as usize].iter().any(|known| same(known))).or_else(|| {
            let mut aliases = self.aliases.iter();
            aliases.find(|alias| same(&alias.0)).map(|alias| alias.1)
        })
    }

    /// Adds a name of a variant. A name that the variant already has changes nothing.
    ///
    /// # Errors
    /// If another variant has the name: that variant.
    pub fn add(&mut self, alias: &str, variant: Variant) -> Result<(), Variant> {
        match self.find(alias) {
            Some(known) if known != variant => Err(known),
            Some(_) => Ok(()),
            None => {
                self.aliases.push((alias.trim().to_owned(), variant));
                Ok(())
            }
        }
    }
}

/// Displays one name of each variant, then the aliases with their variants.
impl fmt::Display for VariantNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, variant) in Variant::ALL.into_iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{}", variant.name())?;
        }
        for (alias, variant) in &self.aliases {
            write!(f, ", {alias} ({})", variant.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_its_own_variant() {
        for (i, variant) in Variant::ALL.into_iter().enumerate() {
            assert_eq!(variant as usize, i);
            for name in NAMES[i] {
                assert_eq!(Variant::parse(&name.to_uppercase()), Some(variant));
            }
        }
    }

    #[test]
    fn equal_names_find_the_same_variants() {
        let names = |aliases: &[(&str, Variant)]| {
            let mut names = VariantNames::default();
            aliases.iter().for_each(|&(alias, variant)| names.add(alias, variant).unwrap());
            names
        };
        let (foo, bar) = (("foo", Variant::Atomic), ("bar", Variant::Horde));
        assert_eq!(names(&[foo, bar]), names(&[bar, ("FOO", Variant::Atomic), foo]));
        assert_eq!(names(&[("zh", Variant::Crazyhouse)]), VariantNames::default());
        assert_ne!(names(&[foo]), names(&[bar]));
        assert_ne!(names(&[foo]), names(&[("foo", Variant::Horde)]));
        assert_ne!(names(&[foo, bar]), names(&[foo]));
        assert_ne!(names(&[foo]), names(&[foo, bar]));
    }

    #[test]
    fn an_alias_means_one_variant() {
        let mut names = VariantNames::default();
        assert_eq!(names.find("Foo"), None);
        assert_eq!(names.add(" Foo ", Variant::Atomic), Ok(()));
        assert_eq!(names.find(b"\tfoo"), Some(Variant::Atomic));
        assert_eq!(names.add("FOO", Variant::Atomic), Ok(()));
        assert_eq!(names.add("foo", Variant::Horde), Err(Variant::Atomic));
        assert_eq!(names.add("chess", Variant::Horde), Err(Variant::Standard));
        assert_eq!(names.find(b"f\xf6o"), None);
        assert!(names.to_string().starts_with("Standard, Chess960, Atomic"));
        assert!(names.to_string().ends_with("Three-Check, Foo (Atomic)"));
    }
}
