//! The macro that makes the enums of filters and of keywords from the rows of the table.

/// The value of [`Keyword::filter`](super::Keyword::filter) for a row of the keywords.
macro_rules! plain_filter {
    () => {
        None
    };
    ($filter:expr) => {
        Some($filter.into())
    };
}
pub(super) use plain_filter;

/// What a transform of colors changes in a filter: a part of its payload, if it has one.
macro_rules! color_part {
    () => {
        None
    };
    ($payload:ident) => {
        $crate::filters::Payload::color_part($payload)
    };
}
pub(super) use color_part;

/// A section of filters has rows `Variant "keyword" Class Origin: signature;`, which make a filter
/// and its keyword, and rows `Variant(payload: Type) "form": signature;` of filters that no keyword
/// names by itself. The rows of the keywords are `Variant "keyword" Class Origin;`, with
/// `Class(value)` if the class has a value, and `= filter` if the keyword names a filter with a
/// payload. Those of the keywords with productions of their own have a [`KeywordStart`] instead of
/// a class.
///
/// [`KeywordStart`]: super::KeywordStart
macro_rules! filters {
    (
        $(
            $(#[$enum_doc:meta])*
            enum $Filter:ident {
                $(
                    $(#[$row_doc:meta])*
                    $row:ident $row_name:literal $row_class:ident $(($row_class_value:expr))?
                        $row_origin:ident: $row_signature:expr;
                )*
            } others {
                $(
                    $(#[$other_doc:meta])*
                    $other:ident $(($payload:ident: $payload_type:ty))? $name:literal $($more_names:literal)*:
                        $signature:expr;
                )*
            }
        )*
        keywords {
            $(
                $keyword:ident $keyword_name:literal $class:ident $(($class_value:expr))? $origin:ident
                    $(= $filter:expr)?;
            )*
        }
        special {
            $(
                $special:ident $special_name:literal $start:ident $special_origin:ident
                    $(= $special_filter:expr)?;
            )*
        }
    ) => {
        $(
            $(#[$enum_doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $Filter {
                $(
                    #[doc = concat!("`", $row_name, "`")]
                    ///
                    $(#[$row_doc])*
                    $row,
                )*
                $(
                    #[doc = concat!("`", $name, "`")]
                    $(#[doc = concat!(", `", $more_names, "`")])*
                    ///
                    $(#[$other_doc])*
                    $other $(($payload_type))?,
                )*
            }

            impl $Filter {
                /// How it is written; of several forms, the first.
                pub const fn name(self) -> &'static str {
                    match self {
                        $($Filter::$row => $row_name,)*
                        $($Filter::$other { .. } => $name,)*
                    }
                }

                /// Its row of the table of filters.
                pub const fn signature(self) -> Signature {
                    match self {
                        $($Filter::$row => $row_signature,)*
                        $(
                            #[allow(unused_variables, reason = "most rows ignore the payload")]
                            $Filter::$other $(($payload))? => $signature,
                        )*
                    }
                }

                /// The part that changes if the colors are swapped.
                #[allow(dead_code, reason = "operators have no such part")]
                pub(crate) fn color_part(&mut self) -> Option<$crate::filters::ColorPart<'_>> {
                    match self {
                        $($Filter::$row => None,)*
                        $($Filter::$other $(($payload))? => color_part!($($payload)?),)*
                    }
                }
            }
        )*

        /// A word of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs)] // each variant is its own spelling
        pub enum Keyword { $($($row,)*)* $($keyword,)* $($special,)* }

        /// A keyword with a production of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs)] // each variant is its own spelling
        pub enum SpecialKeyword { $($special,)* }

        impl SpecialKeyword {
            /// What begins with it.
            pub(crate) fn start(self) -> KeywordStart {
                match self {
                    $(SpecialKeyword::$special => KeywordStart::$start,)*
                }
            }
        }

        impl Keyword {
            /// All keywords.
            pub const ALL: &[Keyword] = &[
                $($(Keyword::$row,)*)*
                $(Keyword::$keyword,)*
                $(Keyword::$special,)*
            ];

            /// The main spelling.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Keyword::$row => $row_name,)*)*
                    $(Keyword::$keyword => $keyword_name,)*
                    $(Keyword::$special => $special_name,)*
                }
            }

            /// The syntactic class.
            pub fn class(self) -> KeywordClass {
                match self {
                    $($(Keyword::$row => KeywordClass::$row_class $(($row_class_value))?,)*)*
                    $(Keyword::$keyword => KeywordClass::$class $(($class_value))?,)*
                    $(Keyword::$special => KeywordClass::Special(SpecialKeyword::$special),)*
                }
            }

            /// Which engines reserve the keyword.
            pub fn origin(self) -> KeywordOrigin {
                match self {
                    $($(Keyword::$row => KeywordOrigin::$row_origin,)*)*
                    $(Keyword::$keyword => KeywordOrigin::$origin,)*
                    $(Keyword::$special => KeywordOrigin::$special_origin,)*
                }
            }

            /// The plain filter that the keyword names, if it names one.
            pub(crate) fn filter(self) -> Option<PlainFilter> {
                match self {
                    $($(Keyword::$row => Some($Filter::$row.into()),)*)*
                    $(Keyword::$keyword => plain_filter!($($filter)?),)*
                    $(Keyword::$special => plain_filter!($($special_filter)?),)*
                }
            }

            /// The keyword with this spelling, including aliases.
            pub fn from_word(word: &str) -> Option<Keyword> {
                match word {
                    $($($row_name => Some(Keyword::$row),)*)*
                    $($keyword_name => Some(Keyword::$keyword),)*
                    $($special_name => Some(Keyword::$special),)*
                    _ => ALIASES
                        .iter()
                        .find(|(alias, _)| *alias == word)
                        .map(|&(_, keyword)| keyword),
                }
            }
        }
    };
}
pub(super) use filters;
