// auto-generated: "lalrpop 0.23.2"
// sha3: 9a91f67ce1b8d2b3d34c570c7ab31ebbef5c16ac08aeaa0d6161afe46711e74f
// features: 
use std::convert::Infallible;
use super::form::{AtomKind, Form, Opening, Phrase, FormValue, ValueKind};
use super::lexer::Cql3Token;
use babson_lang::diagnostic::Span;
#[allow(unused_extern_crates)]
extern crate lalrpop_util as __lalrpop_util;
#[allow(unused_imports)]
use self::__lalrpop_util::state_machine as __state_machine;
#[allow(unused_extern_crates)]
extern crate alloc;

#[rustfmt::skip]
#[allow(explicit_outlives_requirements, non_snake_case, non_camel_case_types, unused_mut, unused_variables, unused_imports, unused_parens, clippy::needless_lifetimes, clippy::type_complexity, clippy::needless_return, clippy::too_many_arguments, clippy::match_single_binding, clippy::clone_on_copy, clippy::unit_arg)]
mod __parse__Query {

    use std::convert::Infallible;
    use super::super::form::{AtomKind, Form, Opening, Phrase, FormValue, ValueKind};
    use super::super::lexer::Cql3Token;
    use babson_lang::diagnostic::Span;
    #[allow(unused_extern_crates)]
    extern crate lalrpop_util as __lalrpop_util;
    #[allow(unused_imports)]
    use self::__lalrpop_util::state_machine as __state_machine;
    #[allow(unused_extern_crates)]
    extern crate alloc;
    use super::__ToTriple;
    #[allow(dead_code)]
    pub(crate) enum __Symbol<'s>
     {
        Variant0(Cql3Token<'s>),
        Variant1(&'static str),
        Variant2((AtomKind, &'s str)),
        Variant3(u32),
        Variant4(Form<'s>),
        Variant5(Opening),
        Variant6(Phrase<'s>),
        Variant7(alloc::vec::Vec<Phrase<'s>>),
        Variant8(FormValue<'s>),
        Variant9(alloc::vec::Vec<FormValue<'s>>),
        Variant10(ValueKind<'s>),
    }
    const __ACTION: &[i8] = &[
        // State 0
        11, 12, 10, 0, 0, 0,
        // State 1
        11, 12, 10, 17, 5, 18,
        // State 2
        0, 0, 0, 20, 5, 0,
        // State 3
        11, 12, 10, 22, 5, 18,
        // State 4
        11, 12, 10, -10, -10, 18,
        // State 5
        0, 0, 0, 23, 5, 0,
        // State 6
        11, 12, 10, -11, -11, 18,
        // State 7
        0, 0, 0, 0, 0, 0,
        // State 8
        0, 0, 0, 0, 0, 0,
        // State 9
        -9, -9, -9, -9, -9, -9,
        // State 10
        -7, -7, -7, -7, -7, -7,
        // State 11
        -8, -8, -8, -8, -8, -8,
        // State 12
        -23, -23, -23, -23, -23, -23,
        // State 13
        0, 0, 0, -14, -14, 0,
        // State 14
        -20, -20, -20, -20, -20, -20,
        // State 15
        -17, -17, -17, -17, -17, -17,
        // State 16
        -3, -3, -3, -3, -3, -3,
        // State 17
        -22, -22, -22, -22, -22, -22,
        // State 18
        0, 0, 0, -15, -15, 0,
        // State 19
        -5, -5, -5, -5, -5, -5,
        // State 20
        -21, -21, -21, -21, -21, -21,
        // State 21
        -4, -4, -4, -4, -4, -4,
        // State 22
        -6, -6, -6, -6, -6, -6,
    ];
    fn __action(state: i8, integer: usize) -> i8 {
        __ACTION[(state as usize) * 6 + integer]
    }
    const __EOF_ACTION: &[i8] = &[
        // State 0
        0,
        // State 1
        0,
        // State 2
        0,
        // State 3
        0,
        // State 4
        0,
        // State 5
        0,
        // State 6
        0,
        // State 7
        -16,
        // State 8
        -24,
        // State 9
        0,
        // State 10
        0,
        // State 11
        0,
        // State 12
        0,
        // State 13
        0,
        // State 14
        0,
        // State 15
        0,
        // State 16
        -3,
        // State 17
        0,
        // State 18
        0,
        // State 19
        -5,
        // State 20
        0,
        // State 21
        -4,
        // State 22
        -6,
    ];
    fn __goto(state: i8, nt: usize) -> i8 {
        match nt {
            2 => match state {
                0 => 7,
                _ => 12,
            },
            3 => 1,
            4 => match state {
                2 | 5 => 18,
                _ => 13,
            },
            6 => match state {
                3 => 5,
                _ => 2,
            },
            7 => 8,
            8 => match state {
                3 | 6 => 20,
                _ => 14,
            },
            10 => match state {
                4 => 6,
                _ => 3,
            },
            11 => 15,
            _ => 0,
        }
    }
    #[allow(clippy::needless_raw_string_hashes)]
    const __TERMINAL: &[&str] = &[
        r###""(match""###,
        r###""(position""###,
        r###""(""###,
        r###"")""###,
        r###""keyword""###,
        r###""atom""###,
    ];
    fn __expected_tokens(__state: i8) -> alloc::vec::Vec<alloc::string::String> {
        __TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
            let next_state = __action(__state, index);
            if next_state == 0 {
                None
            } else {
                Some(alloc::string::ToString::to_string(terminal))
            }
        }).collect()
    }
    fn __expected_tokens_from_states<
        's,
    >(
        __states: &[i8],
        _: core::marker::PhantomData<(&'s ())>,
    ) -> alloc::vec::Vec<alloc::string::String>
    {
        __TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
            if __accepts(None, __states, Some(index), core::marker::PhantomData::<(&())>) {
                Some(alloc::string::ToString::to_string(terminal))
            } else {
                None
            }
        }).collect()
    }
    struct __StateMachine<'s>
    where 
    {
        __phantom: core::marker::PhantomData<(&'s ())>,
    }
    impl<'s> __state_machine::ParserDefinition for __StateMachine<'s>
    where 
    {
        type Location = u32;
        type Error = Infallible;
        type Token = Cql3Token<'s>;
        type TokenIndex = usize;
        type Symbol = __Symbol<'s>;
        type Success = Form<'s>;
        type StateIndex = i8;
        type Action = i8;
        type ReduceIndex = i8;
        type NonterminalIndex = usize;

        #[inline]
        fn start_location(&self) -> Self::Location {
              Default::default()
        }

        #[inline]
        fn start_state(&self) -> Self::StateIndex {
              0
        }

        #[inline]
        fn token_to_index(&self, token: &Self::Token) -> Option<usize> {
            __token_to_integer(token, core::marker::PhantomData::<(&())>)
        }

        #[inline]
        fn action(&self, state: i8, integer: usize) -> i8 {
            __action(state, integer)
        }

        #[inline]
        fn error_action(&self, state: i8) -> i8 {
            __action(state, 6 - 1)
        }

        #[inline]
        fn eof_action(&self, state: i8) -> i8 {
            __EOF_ACTION[state as usize]
        }

        #[inline]
        fn goto(&self, state: i8, nt: usize) -> i8 {
            __goto(state, nt)
        }

        fn token_to_symbol(&self, token_index: usize, token: Self::Token) -> Self::Symbol {
            __token_to_symbol(token_index, token, core::marker::PhantomData::<(&())>)
        }

        fn expected_tokens(&self, state: i8) -> alloc::vec::Vec<alloc::string::String> {
            __expected_tokens(state)
        }

        fn expected_tokens_from_states(&self, states: &[i8]) -> alloc::vec::Vec<alloc::string::String> {
            __expected_tokens_from_states(states, core::marker::PhantomData::<(&())>)
        }

        #[inline]
        fn uses_error_recovery(&self) -> bool {
            false
        }

        #[inline]
        fn error_recovery_symbol(
            &self,
            recovery: __state_machine::ErrorRecovery<Self>,
        ) -> Self::Symbol {
            panic!("error recovery not enabled for this grammar")
        }

        fn reduce(
            &mut self,
            action: i8,
            start_location: Option<&Self::Location>,
            states: &mut alloc::vec::Vec<i8>,
            symbols: &mut alloc::vec::Vec<__state_machine::SymbolTriple<Self>>,
        ) -> Option<__state_machine::ParseResult<Self>> {
            __reduce(
                action,
                start_location,
                states,
                symbols,
                core::marker::PhantomData::<(&())>,
            )
        }

        fn simulate_reduce(&self, action: i8) -> __state_machine::SimulatedReduce<Self> {
            __simulate_reduce(action, core::marker::PhantomData::<(&())>)
        }
    }
    fn __token_to_integer<
        's,
    >(
        __token: &Cql3Token<'s>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> Option<usize>
    {
        #[warn(unused_variables)]
        match __token {
            Cql3Token::Match if true => Some(0),
            Cql3Token::Position if true => Some(1),
            Cql3Token::Open if true => Some(2),
            Cql3Token::Close if true => Some(3),
            Cql3Token::Keyword(_) if true => Some(4),
            Cql3Token::Atom(_, _) if true => Some(5),
            _ => None,
        }
    }
    fn __token_to_symbol<
        's,
    >(
        __token_index: usize,
        __token: Cql3Token<'s>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> __Symbol<'s>
    {
        #[allow(clippy::manual_range_patterns)]match __token_index {
            0 | 1 | 2 | 3 => __Symbol::Variant0(__token),
            4 => match __token {
                Cql3Token::Keyword(__tok0) if true => __Symbol::Variant1(__tok0),
                _ => unreachable!(),
            },
            5 => match __token {
                Cql3Token::Atom(__tok0, __tok1) if true => __Symbol::Variant2((__tok0, __tok1)),
                _ => unreachable!(),
            },
            _ => unreachable!(),
        }
    }
    fn __simulate_reduce<
        's,
    >(
        __reduce_index: i8,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> __state_machine::SimulatedReduce<__StateMachine<'s>>
    {
        match __reduce_index {
            0 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 0,
                }
            }
            1 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 1,
                }
            }
            2 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 2,
                }
            }
            3 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 2,
                }
            }
            4 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 2,
                }
            }
            5 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 2,
                }
            }
            6 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            7 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            8 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            9 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            10 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 4,
                }
            }
            11 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 5,
                }
            }
            12 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 5,
                }
            }
            13 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 6,
                }
            }
            14 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 6,
                }
            }
            15 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 7,
                }
            }
            16 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            17 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 9,
                }
            }
            18 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            19 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 10,
                }
            }
            20 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 10,
                }
            }
            21 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 11,
                }
            }
            22 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 11,
                }
            }
            23 => __state_machine::SimulatedReduce::Accept,
            _ => panic!("invalid reduction index {__reduce_index}")
        }
    }
    pub(crate) struct QueryParser {
        _priv: (),
    }

    impl Default for QueryParser { fn default() -> Self { Self::new() } }
    impl QueryParser {
        pub(crate) fn new() -> QueryParser {
            QueryParser {
                _priv: (),
            }
        }

        #[allow(dead_code)]
        pub(crate) fn parse<
            's,
            __TOKEN: __ToTriple<'s, >,
            __TOKENS: IntoIterator<Item=__TOKEN>,
        >(
            &self,
            __tokens0: __TOKENS,
        ) -> Result<Form<'s>, __lalrpop_util::ParseError<u32, Cql3Token<'s>, Infallible>>
        {
            let __tokens = __tokens0.into_iter();
            let mut __tokens = __tokens.map(|t| __ToTriple::to_triple(t));
            __state_machine::Parser::drive(
                __StateMachine {
                    __phantom: core::marker::PhantomData::<(&())>,
                },
                __tokens,
            )
        }
    }
    fn __accepts<
        's,
    >(
        __error_state: Option<i8>,
        __states: &[i8],
        __opt_integer: Option<usize>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> bool
    {
        let mut __states = __states.to_vec();
        __states.extend(__error_state);
        loop {
            let mut __states_len = __states.len();
            let __top = __states[__states_len - 1];
            let __action = match __opt_integer {
                None => __EOF_ACTION[__top as usize],
                Some(__integer) => __action(__top, __integer),
            };
            if __action == 0 { return false; }
            if __action > 0 { return true; }
            let (__to_pop, __nt) = match __simulate_reduce(-(__action + 1), core::marker::PhantomData::<(&())>) {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop, nonterminal_produced
                } => (states_to_pop, nonterminal_produced),
                __state_machine::SimulatedReduce::Accept => return true,
            };
            __states_len -= __to_pop;
            __states.truncate(__states_len);
            let __top = __states[__states_len - 1];
            let __next_state = __goto(__top, __nt);
            __states.push(__next_state);
        }
    }
    fn __reduce<
        's,
    >(
        __action: i8,
        __lookahead_start: Option<&u32>,
        __states: &mut alloc::vec::Vec<i8>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> Option<Result<Form<'s>,__lalrpop_util::ParseError<u32, Cql3Token<'s>, Infallible>>>
    {
        let (__pop_states, __nonterminal) = match __action {
            0 => {
                __reduce0(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            1 => {
                __reduce1(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            2 => {
                __reduce2(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            3 => {
                __reduce3(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            4 => {
                __reduce4(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            5 => {
                __reduce5(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            6 => {
                __reduce6(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            7 => {
                __reduce7(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            8 => {
                __reduce8(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            9 => {
                __reduce9(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            10 => {
                __reduce10(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            11 => {
                __reduce11(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            12 => {
                __reduce12(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            13 => {
                __reduce13(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            14 => {
                __reduce14(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            15 => {
                __reduce15(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            16 => {
                __reduce16(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            17 => {
                __reduce17(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            18 => {
                __reduce18(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            19 => {
                __reduce19(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            20 => {
                __reduce20(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            21 => {
                __reduce21(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            22 => {
                __reduce22(__lookahead_start, __symbols, core::marker::PhantomData::<(&())>)
            }
            23 => {
                // __Query = Query => ActionFn(0);
                let __sym0 = __pop_Variant4(__symbols);
                let __start = __sym0.0.clone();
                let __end = __sym0.2.clone();
                let __nt = super::__action0::<>(__sym0);
                return Some(Ok(__nt));
            }
            _ => panic!("invalid action code {__action}")
        };
        let __states_len = __states.len();
        __states.truncate(__states_len - __pop_states);
        let __state = *__states.last().unwrap();
        let __next_state = __goto(__state, __nonterminal);
        __states.push(__next_state);
        None
    }
    #[inline(never)]
    fn __symbol_type_mismatch() -> ! {
        panic!("symbol type mismatch")
    }
    fn __pop_Variant2<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, (AtomKind, &'s str), u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant2(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant0<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, Cql3Token<'s>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant0(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant4<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, Form<'s>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant4(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant8<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, FormValue<'s>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant8(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant5<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, Opening, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant5(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant6<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, Phrase<'s>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant6(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant10<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, ValueKind<'s>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant10(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant9<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, alloc::vec::Vec<FormValue<'s>>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant9(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant7<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, alloc::vec::Vec<Phrase<'s>>, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant7(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant3<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, u32, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant3(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant1<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>
    ) -> (u32, &'static str, u32)
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant1(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __reduce0<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // @L =  => ActionFn(15);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action15::<>(&__start, &__end);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (0, 0)
    }
    fn __reduce1<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // @R =  => ActionFn(14);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action14::<>(&__start, &__end);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (0, 1)
    }
    fn __reduce2<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // List = Opening, ")" => ActionFn(28);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action28::<>(__sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (2, 2)
    }
    fn __reduce3<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // List = Opening, Value+, ")" => ActionFn(29);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant9(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action29::<>(__sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (3, 2)
    }
    fn __reduce4<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // List = Opening, Phrase+, ")" => ActionFn(30);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant7(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action30::<>(__sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (3, 2)
    }
    fn __reduce5<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // List = Opening, Value+, Phrase+, ")" => ActionFn(31);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant7(__symbols);
        let __sym1 = __pop_Variant9(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action31::<>(__sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (4, 2)
    }
    fn __reduce6<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Opening = "(match" => ActionFn(3);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action3::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (1, 3)
    }
    fn __reduce7<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Opening = "(position" => ActionFn(4);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action4::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (1, 3)
    }
    fn __reduce8<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Opening = "(" => ActionFn(5);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action5::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (1, 3)
    }
    fn __reduce9<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase = "keyword" => ActionFn(32);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action32::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 4)
    }
    fn __reduce10<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase = "keyword", Value+ => ActionFn(33);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant9(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action33::<>(__sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 4)
    }
    fn __reduce11<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase* =  => ActionFn(10);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action10::<>(&__start, &__end);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (0, 5)
    }
    fn __reduce12<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase* = Phrase+ => ActionFn(11);
        let __sym0 = __pop_Variant7(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action11::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 5)
    }
    fn __reduce13<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase+ = Phrase => ActionFn(18);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action18::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 6)
    }
    fn __reduce14<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Phrase+ = Phrase+, Phrase => ActionFn(19);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant7(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action19::<>(__sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (2, 6)
    }
    fn __reduce15<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Query = List => ActionFn(1);
        let __sym0 = __pop_Variant4(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action1::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (1, 7)
    }
    fn __reduce16<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Value = ValueKind => ActionFn(25);
        let __sym0 = __pop_Variant10(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action25::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant8(__nt), __end));
        (1, 8)
    }
    fn __reduce17<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Value* =  => ActionFn(12);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action12::<>(&__start, &__end);
        __symbols.push((__start, __Symbol::Variant9(__nt), __end));
        (0, 9)
    }
    fn __reduce18<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Value* = Value+ => ActionFn(13);
        let __sym0 = __pop_Variant9(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action13::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant9(__nt), __end));
        (1, 9)
    }
    fn __reduce19<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Value+ = Value => ActionFn(16);
        let __sym0 = __pop_Variant8(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action16::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant9(__nt), __end));
        (1, 10)
    }
    fn __reduce20<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // Value+ = Value+, Value => ActionFn(17);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant8(__symbols);
        let __sym0 = __pop_Variant9(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action17::<>(__sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant9(__nt), __end));
        (2, 10)
    }
    fn __reduce21<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // ValueKind = "atom" => ActionFn(8);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action8::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant10(__nt), __end));
        (1, 11)
    }
    fn __reduce22<
        's,
    >(
        __lookahead_start: Option<&u32>,
        __symbols: &mut alloc::vec::Vec<(u32,__Symbol<'s>,u32)>,
        _: core::marker::PhantomData<(&'s ())>,
    ) -> (usize, usize)
    {
        // ValueKind = List => ActionFn(9);
        let __sym0 = __pop_Variant4(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action9::<>(__sym0);
        __symbols.push((__start, __Symbol::Variant10(__nt), __end));
        (1, 11)
    }
}
#[allow(unused_imports)]
pub(crate) use self::__parse__Query::QueryParser;

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action0<
    's,
>(
    (_, __0, _): (u32, Form<'s>, u32),
) -> Form<'s>
{
    __0
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action1<
    's,
>(
    (_, __0, _): (u32, Form<'s>, u32),
) -> Form<'s>
{
    __0
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action2<
    's,
>(
    (_, l, _): (u32, u32, u32),
    (_, opening, _): (u32, Opening, u32),
    (_, r, _): (u32, u32, u32),
    (_, values, _): (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    (_, phrases, _): (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    (_, close, _): (u32, u32, u32),
    (_, _, _): (u32, Cql3Token<'s>, u32),
    (_, end, _): (u32, u32, u32),
) -> Form<'s>
{
    Form {
        opening, begin: Span::new(l, r), values, phrases, end: Span::new(close, end),
    }
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action3<
    's,
>(
    (_, __0, _): (u32, Cql3Token<'s>, u32),
) -> Opening
{
    Opening::Match
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action4<
    's,
>(
    (_, __0, _): (u32, Cql3Token<'s>, u32),
) -> Opening
{
    Opening::Position
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action5<
    's,
>(
    (_, __0, _): (u32, Cql3Token<'s>, u32),
) -> Opening
{
    Opening::Bare
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action6<
    's,
>(
    (_, l, _): (u32, u32, u32),
    (_, name, _): (u32, &'static str, u32),
    (_, r, _): (u32, u32, u32),
    (_, values, _): (u32, alloc::vec::Vec<FormValue<'s>>, u32),
) -> Phrase<'s>
{
    Phrase { name, span: Span::new(l, r), values }
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action7<
    's,
>(
    (_, l, _): (u32, u32, u32),
    (_, kind, _): (u32, ValueKind<'s>, u32),
    (_, r, _): (u32, u32, u32),
) -> FormValue<'s>
{
    FormValue { kind, span: Span::new(l, r) }
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action8<
    's,
>(
    (_, atom, _): (u32, (AtomKind, &'s str), u32),
) -> ValueKind<'s>
{
    ValueKind::Atom(atom.0, atom.1)
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action9<
    's,
>(
    (_, __0, _): (u32, Form<'s>, u32),
) -> ValueKind<'s>
{
    ValueKind::List(__0)
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action10<
    's,
>(
    __lookbehind: &u32,
    __lookahead: &u32,
) -> alloc::vec::Vec<Phrase<'s>>
{
    alloc::vec![]
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action11<
    's,
>(
    (_, v, _): (u32, alloc::vec::Vec<Phrase<'s>>, u32),
) -> alloc::vec::Vec<Phrase<'s>>
{
    v
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action12<
    's,
>(
    __lookbehind: &u32,
    __lookahead: &u32,
) -> alloc::vec::Vec<FormValue<'s>>
{
    alloc::vec![]
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action13<
    's,
>(
    (_, v, _): (u32, alloc::vec::Vec<FormValue<'s>>, u32),
) -> alloc::vec::Vec<FormValue<'s>>
{
    v
}

#[allow(clippy::needless_lifetimes)]
fn __action14<
    's,
>(
    __lookbehind: &u32,
    __lookahead: &u32,
) -> u32
{
    *__lookbehind
}

#[allow(clippy::needless_lifetimes)]
fn __action15<
    's,
>(
    __lookbehind: &u32,
    __lookahead: &u32,
) -> u32
{
    *__lookahead
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action16<
    's,
>(
    (_, __0, _): (u32, FormValue<'s>, u32),
) -> alloc::vec::Vec<FormValue<'s>>
{
    alloc::vec![__0]
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action17<
    's,
>(
    (_, v, _): (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    (_, e, _): (u32, FormValue<'s>, u32),
) -> alloc::vec::Vec<FormValue<'s>>
{
    { let mut v = v; v.push(e); v }
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action18<
    's,
>(
    (_, __0, _): (u32, Phrase<'s>, u32),
) -> alloc::vec::Vec<Phrase<'s>>
{
    alloc::vec![__0]
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action19<
    's,
>(
    (_, v, _): (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    (_, e, _): (u32, Phrase<'s>, u32),
) -> alloc::vec::Vec<Phrase<'s>>
{
    { let mut v = v; v.push(e); v }
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action20<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, u32, u32),
    __2: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __3: (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    __4: (u32, Cql3Token<'s>, u32),
    __5: (u32, u32, u32),
) -> Form<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.0.clone();
    let __start1 = __3.2.clone();
    let __end1 = __4.0.clone();
    let __temp0 = __action15(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    let __temp1 = __action15(
        &__start1,
        &__end1,
    );
    let __temp1 = (__start1, __temp1, __end1);
    __action2(
        __temp0,
        __0,
        __1,
        __2,
        __3,
        __temp1,
        __4,
        __5,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action21<
    's,
>(
    __0: (u32, &'static str, u32),
    __1: (u32, u32, u32),
    __2: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
) -> Phrase<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.0.clone();
    let __temp0 = __action15(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        __temp0,
        __0,
        __1,
        __2,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action22<
    's,
>(
    __0: (u32, ValueKind<'s>, u32),
    __1: (u32, u32, u32),
) -> FormValue<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.0.clone();
    let __temp0 = __action15(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action7(
        __temp0,
        __0,
        __1,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action23<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __2: (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    __3: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __start1 = __3.2.clone();
    let __end1 = __3.2.clone();
    let __temp0 = __action14(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    let __temp1 = __action14(
        &__start1,
        &__end1,
    );
    let __temp1 = (__start1, __temp1, __end1);
    __action20(
        __0,
        __temp0,
        __1,
        __2,
        __3,
        __temp1,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action24<
    's,
>(
    __0: (u32, &'static str, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
) -> Phrase<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action14(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action21(
        __0,
        __temp0,
        __1,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action25<
    's,
>(
    __0: (u32, ValueKind<'s>, u32),
) -> FormValue<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action14(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action22(
        __0,
        __temp0,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action26<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __2: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __1.2.clone();
    let __end0 = __2.0.clone();
    let __temp0 = __action10(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action23(
        __0,
        __1,
        __temp0,
        __2,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action27<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __2: (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    __3: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __2.0.clone();
    let __end0 = __2.2.clone();
    let __temp0 = __action11(
        __2,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action23(
        __0,
        __1,
        __temp0,
        __3,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action28<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action12(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action26(
        __0,
        __temp0,
        __1,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action29<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __2: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action26(
        __0,
        __temp0,
        __2,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action30<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    __2: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action12(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action27(
        __0,
        __temp0,
        __1,
        __2,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action31<
    's,
>(
    __0: (u32, Opening, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
    __2: (u32, alloc::vec::Vec<Phrase<'s>>, u32),
    __3: (u32, Cql3Token<'s>, u32),
) -> Form<'s>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action27(
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action32<
    's,
>(
    __0: (u32, &'static str, u32),
) -> Phrase<'s>
{
    let __start0 = __0.2.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action12(
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action24(
        __0,
        __temp0,
    )
}

#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action33<
    's,
>(
    __0: (u32, &'static str, u32),
    __1: (u32, alloc::vec::Vec<FormValue<'s>>, u32),
) -> Phrase<'s>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action24(
        __0,
        __temp0,
    )
}

#[allow(clippy::type_complexity, dead_code)]
pub(crate) trait __ToTriple<'s, >
{
    fn to_triple(self) -> Result<(u32,Cql3Token<'s>,u32), __lalrpop_util::ParseError<u32, Cql3Token<'s>, Infallible>>;
}

impl<'s, > __ToTriple<'s, > for (u32, Cql3Token<'s>, u32)
{
    fn to_triple(self) -> Result<(u32,Cql3Token<'s>,u32), __lalrpop_util::ParseError<u32, Cql3Token<'s>, Infallible>> {
        Ok(self)
    }
}
impl<'s, > __ToTriple<'s, > for Result<(u32, Cql3Token<'s>, u32), Infallible>
{
    fn to_triple(self) -> Result<(u32,Cql3Token<'s>,u32), __lalrpop_util::ParseError<u32, Cql3Token<'s>, Infallible>> {
        self.map_err(|error| __lalrpop_util::ParseError::User { error })
    }
}
