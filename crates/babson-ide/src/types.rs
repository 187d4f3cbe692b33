//! The types of names.

use babson_lang::hir::Type;

use crate::analysis::Analysis;

/// The type of what each binding stands for, as far as its declaration, its value and its uses show
/// it.
pub(crate) fn of_bindings(analysis: &Analysis<'_>) -> Vec<Option<Type>> {
    let bindings = &analysis.names.bindings;
    let mut of_uses = vec![Uses::None; bindings.len()];
    for one in &analysis.names.occurrences {
        if let Some(ty) = analysis.known.type_at(one.place) {
            of_uses[one.binding] = of_uses[one.binding].with(ty);
        }
    }
    let of_value = |value| analysis.known.type_at(value);
    let types = bindings.iter().zip(of_uses).map(|(binding, uses)| {
        binding.ty.or_else(|| binding.value.and_then(of_value)).or(uses.ty())
    });
    types.collect()
}

/// The types of the uses of a name.
#[derive(Clone, Copy)]
enum Uses {
    None,
    All(Type),
    /// The arguments of two calls may have different types.
    Different,
}

impl Uses {
    fn with(self, ty: Type) -> Uses {
        match self {
            Uses::None => Uses::All(ty),
            Uses::All(known) if known == ty => self,
            Uses::All(_) | Uses::Different => Uses::Different,
        }
    }

    fn ty(self) -> Option<Type> {
        match self {
            Uses::All(ty) => Some(ty),
            Uses::None | Uses::Different => None,
        }
    }
}
