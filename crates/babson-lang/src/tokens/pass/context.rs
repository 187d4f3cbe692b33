//! What the tokens so far leave open: the brackets, the filters in them, and what the next token
//! can be a part of.

use super::open_filters::{OpenFilter, OperandContext};
use crate::keywords::Keyword;
use crate::parameters::{self, ParamForm};

/// The state inside one pair of brackets.
#[derive(Default)]
pub(super) struct BracketFrame {
    /// The brackets of a message list, in which a string is an item.
    pub(super) message: bool,
    /// A `///` filter, which ends with its line.
    pub(super) line_comment: bool,
    /// The brackets of an index or a slice.
    pub(super) bracket: bool,
    /// The parentheses of a group of constituents of `path`.
    pub(super) path_group: bool,
    /// The filters that expect further operands, outermost first.
    pub(super) opens: Vec<OpenFilter>,
    /// The number of `path` filters among them.
    pub(super) paths: usize,
    /// The region while no filter is open.
    pub(super) region: Region,
    /// The number of `imagine` filters whose `:` has not been read.
    pub(super) imagines: u32,
    /// The `-->` of a `piece` of `imagine` has not been read.
    pub(super) placing: bool,
}

impl BracketFrame {
    /// Whether an `if` waits for its `else`.
    pub(super) fn has_open_if(&self) -> bool {
        self.opens.iter().any(|open| matches!(open, OpenFilter::Prefix { if_token: Some(_), .. }))
    }
}

/// The parameters that a token can be part of, as in `up 1 3 K` or `find 2 all F`.
#[derive(Clone, Copy, Default)]
pub(super) struct RangeContext {
    /// The number of bounds that the range can still take.
    pub(super) bounds: u8,
    /// The filter, if the previous token is its keyword or a parameter of it.
    pub(super) of: Option<Keyword>,
}

impl RangeContext {
    /// After the keyword of a filter that has its parameters before its operand, or after one of
    /// them: other parameters can precede a range.
    pub(super) fn after(of: Keyword) -> RangeContext {
        let bounds = if parameters::takes_range(of) { 2 } else { 0 };
        RangeContext { bounds, of: Some(of) }
    }

    /// The context after a word, if the word is a flag of the filter.
    pub(super) fn after_flag(self, word: Keyword) -> Option<RangeContext> {
        let of = self.of.filter(|&of| parameters::form(of, word) == Some(ParamForm::Flag))?;
        Some(RangeContext::after(of))
    }

    pub(super) fn after_bound(self) -> RangeContext {
        RangeContext { bounds: self.bounds.saturating_sub(1), ..self }
    }
}

/// Constructs whose parameters are keywords only inside them.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Region {
    #[default]
    None,
    /// Those of a filter that ends with its parameters.
    Parameters {
        of: Keyword,
        legal: bool,
    },
    Path,
    Line,
    Header,
}

/// Whether a lexeme follows a dash.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum DashState {
    #[default]
    None,
    /// It follows a dash without a right operand.
    Bare,
    /// It follows the right operand or the promotion of a dash.
    Operand,
}

/// The state of the pass between two lexemes.
#[derive(Default)]
pub(super) struct Context {
    /// One per open bracket and `///` filter, outermost first.
    frames: Vec<BracketFrame>,
    /// The text outside of all brackets.
    outer: BracketFrame,
    /// The range that the next token can be part of.
    pub(super) range: RangeContext,
    /// Whether the current lexeme follows a dash.
    pub(super) dash_state: DashState,
    /// The last filter that can take a search string is an item of a message list.
    pub(super) is_item: bool,
    /// The current lexeme is a `:` inside an operand of `move` or `pin`.
    pub(super) operand_colon: bool,
}

impl Context {
    /// Enters brackets or a `///` filter.
    pub(super) fn enter(&mut self, frame: BracketFrame) {
        self.frames.push(frame);
    }

    /// Leaves the innermost brackets.
    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// The state inside the innermost brackets.
    pub(super) fn top(&mut self) -> &mut BracketFrame {
        self.frames.last_mut().unwrap_or(&mut self.outer)
    }

    /// The region of the innermost open filter.
    pub(super) fn region(&mut self) -> Region {
        match self.top().opens.last() {
            None => self.top().region,
            Some(&OpenFilter::Parameters { of, operand: false, legal }) => {
                Region::Parameters { of, legal }
            }
            Some(OpenFilter::Path { params: true }) => Region::Path,
            Some(OpenFilter::Line { params: true }) => Region::Line,
            Some(_) => Region::None,
        }
    }

    /// Pushes an open filter.
    pub(super) fn open_filter(&mut self, open: OpenFilter) {
        self.top().opens.push(open);
    }

    /// Replaces the innermost open filter.
    pub(super) fn set_open(&mut self, open: OpenFilter) {
        self.top().opens.pop();
        self.top().opens.push(open);
    }

    /// What the operand that begins here is an operand of, directly or through tight prefix
    /// filters.
    pub(super) fn operand_context(&mut self) -> Option<OperandContext> {
        match self.top().opens.last()? {
            OpenFilter::Prefix { context, .. } => *context,
            OpenFilter::Dash => Some(OperandContext::Dash),
            OpenFilter::Parameters { operand: true, .. } => Some(OperandContext::Parameter),
            OpenFilter::Operand { of_parameter: true } => Some(OperandContext::Enclosed),
            OpenFilter::Parameters { .. } | OpenFilter::Operand { .. } => None,
            OpenFilter::Path { .. } | OpenFilter::Line { .. } | OpenFilter::Imagine => None,
        }
    }

    /// Whether the next token belongs to a `path`, perhaps as an operand inside it.
    pub(super) fn path_level(&mut self) -> bool {
        let top = self.top();
        top.paths > 0 || top.path_group
    }
}
