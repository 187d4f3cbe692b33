//! Macros that define specs, whose fields are operands by their types. Roles of other fields:
//!
//! | role | the field |
//! | --- | --- |
//! | `var` | the register of a variable |
//! | `vars` | pairs that begin with such registers |
//! | `state(n)` | the first of `n` registers |
//! | `below(f)` | a number, if any, below `f` of the code |

/// Calls `visit` with the operands of a field.
macro_rules! visit_operand {
    ($visit:ident $field:ident) => {
        $field.for_each_operand($visit)
    };
    ($visit:ident $field:ident var) => {
        $visit(Operand::Variable(*$field))
    };
    ($visit:ident $field:ident state($count:expr)) => {
        $visit(Operand::State(*$field, $count))
    };
    ($visit:ident $field:ident vars) => {
        $field.iter().for_each(|(var, _)| $visit(Operand::Variable(*var)))
    };
    ($visit:ident $field:ident below($limit:expr)) => {
        if let Some(number) = Option::<u32>::from(*$field) {
            $visit(Operand::Index(number as usize, $limit));
        }
    };
}
pub(super) use visit_operand;

/// Defines structs. After `where` comes a test of the numbers that a struct has of its own parts.
macro_rules! spec_structs {
    ($(
        $(#[$meta:meta])*
        pub(crate) struct $Spec:ident {$(
            $(#[$field_meta:meta])*
            pub(crate) $field:ident: $ty:ty $(as $role:ident $(($of:expr))?)?,
        )*}
        $(where $closed:path;)?
    )*) => {$(
        $(#[$meta])*
        pub(crate) struct $Spec {$(
            $(#[$field_meta])*
            pub(crate) $field: $ty,
        )*}

        impl Operands for $Spec {
            fn for_each_operand(&self, visit: &mut dyn FnMut(Operand<Pc>)) {
                let $Spec { $($field),* } = self;
                $(visit_operand!(visit $field $($role $(($of))?)?);)*
            }

            $(fn is_closed(&self) -> bool {
                $closed(self)
            })?
        }
    )*};
}
pub(super) use spec_structs;

/// Defines enums.
macro_rules! spec_enums {
    ($(
        $(#[$meta:meta])*
        pub(crate) enum $Spec:ident {$(
            $(#[$variant_meta:meta])*
            $name:ident
                $(($($item:ident: $item_ty:ty $(as $item_role:ident)?),*))?
                $({$($field:ident: $ty:ty $(as $role:ident $(($of:expr))?)?),* $(,)?})?,
        )*}
    )*) => {$(
        $(#[$meta])*
        pub(crate) enum $Spec {$(
            $(#[$variant_meta])*
            $name $(($($item_ty),*))? $({ $($field: $ty),* })?,
        )*}

        impl Operands for $Spec {
            fn for_each_operand(&self, visit: &mut dyn FnMut(Operand<Pc>)) {
                match self {$(
                    $Spec::$name $(($($item),*))? $({ $($field),* })? => {
                        $($(visit_operand!(visit $item $($item_role)?);)*)?
                        $($(visit_operand!(visit $field $($role $(($of))?)?);)*)?
                    }
                )*}
            }
        }
    )*};
}
pub(super) use spec_enums;
