// Written by `cargo xtask grammars` from the tables of the language.

/** The words of the language. */
export const WORDS: ReadonlySet<string> = new Set(`
abs all ancestor and any anydirection arrow ascii assert atomic attack attacked attackedby attacks
between black btm by capture captures castle check child clk colortype commandpipe comment
connectedpawns consecutivemoves count countmoves cql cql_abort cql_assertvariations cql_hhdbhascook
cqlbegin cqlend curpos currentfen currentmove currentmutation currentposition currenttransform dark
date depth descendant diagonal dictionary dihedral distance doubledpawns down drop echo eco elo else
enpassant enpassantsquare equal eval event eventdate extension false fen field file find firstmatch
flip flipcolor flipdihedral fliphorizontal flipvertical focus from function gamenumber halfmoveclock
hascomment hhdb horizontal idealmate idealstalemate if imagine import in indexof initial
initialposition input int isbound isolatedpawns isunbound keepallbest key lastgamenumber
lastposition lca left legal legalposition light line local loop lowercase maindiagonal mainline
makesquare matchcount matchstring mate materialkey max message min modelmate modelstalemate move
movenumber nestban northeast northwest nosort not notransform null nullmove o-o o-o-o offdiagonal
oldline or originalcomment orthogonal output parent passedpawns path pathcount pathcountunfocused
pathdebug pathlastposition pathstart persistent pgn piece pieceid piecename piecepath pin player ply
position positionid power previous primary promote promotedpieces pseudolegal puremate purestalemate
quiet rank ray reachableposition readfile removecomment removetag result reverse reversecolor right
rotate45 rotate90 san saveposition secondary settag shift shifthorizontal shiftvertical sidetomove
silent similarposition singlecolor site sort southeast southwest sqrt square stalemate standardfen
str string substring swap tag terminal then through title to transform true try type typename unbind
up uppercase variant variantdraw variantend variantloss variantwin variation variations verbose
vertical virtualmainline while white writefile wtm xray year zobristkey
`.trim().split(/\s+/));

// The patterns begin where the lexer stands.
export const LINE_COMMENT = /^(?:\/\/(?:(?!\/)|(?=\/\/)).*)/;
export const ESCAPE = /^(?:\\(?:[\\"]|[nrt](?![A-Za-z0-9_$])))/;
export const GROUP = /^(?:\\(?:[0-9][0-9]?|-[0-9]+|-?\{[A-Za-z_][A-Za-z0-9_]*\}))/;
export const REPEAT = /^(?:\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+|\*|\+)\})/;
export const RESULT = /^(?:(?<![A-Za-z0-9_$\/-])(?:1-0|0-1|1\/2-1\/2)(?![A-Za-z0-9_$\/-]))/;
export const CASTLING = /^(?:(?:o-o-o|o-o)(?![A-Za-z0-9_$]))/;
export const KEYWORD_SYMBOL = /^(?:[⊢◎∙✵⬓])/;
export const WORD_SYMBOL = /^(?:\[x\]|\[element\]|\[forall\])/;
export const PIECE_VARIABLE = /^(?:(?:\[Aa\]|◭)(?!(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])(?![A-Za-z0-9_$]))[A-Za-z_$][A-Za-z0-9_$]*)/;
export const DESIGNATOR = /^(?:(?:(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])|(?:[KQRBNPkqrbnpAa_]|\[[KQRBNPkqrbnpAa_]+\]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+|\[[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+\])(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])?)(?![A-Za-z0-9_$]))/;
