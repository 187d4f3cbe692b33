// The highlighting of CQL, for the blocks that mdBook leaves plain because its highlight.js does
// not know the language.
(() => {
    'use strict';

    // Written by `cargo xtask grammars`.
    const WORDS = `
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
`;
    const LINE_COMMENT = /\/\/(?:(?!\/)|(?=\/\/)).*/;
    const ESCAPE = /\\(?:[\\"]|[nrt](?![A-Za-z0-9_$]))/;
    const GROUP = /\\(?:[0-9][0-9]?|-[0-9]+|-?\{[A-Za-z_][A-Za-z0-9_]*\})/;
    const REPEAT = /\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+|\*|\+)\}/;
    const RESULT = /(?<![A-Za-z0-9_$\/-])(?:1-0|0-1|1\/2-1\/2)(?![A-Za-z0-9_$\/-])/;
    const CASTLING = /(?:o-o-o|o-o)(?![A-Za-z0-9_$])/;
    const KEYWORD_SYMBOL = /[⊢◎∙✵⬓]/;
    const WORD_SYMBOL = /\[x\]|\[element\]|\[forall\]/;
    const PIECE_VARIABLE = /(?:\[Aa\]|◭)(?!(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])(?![A-Za-z0-9_$]))[A-Za-z_$][A-Za-z0-9_$]*/;
    const DESIGNATOR = /(?:(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])|(?:[KQRBNPkqrbnpAa_]|\[[KQRBNPkqrbnpAa_]+\]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+|\[[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+\])(?:[a-h](?:-[a-h])?[1-8](?:-[1-8])?|\[[a-h](?:-[a-h])?[1-8](?:-[1-8])?(?:,[a-h](?:-[a-h])?[1-8](?:-[1-8])?)*\])?)(?![A-Za-z0-9_$])/;
    // End of what is written.

    const KEYWORDS = WORDS.trim().replace(/\s+/g, ' ');
    // A word is read as a whole: a part of a longer one is neither a keyword nor a designator.
    const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/;
    const WORD = { begin: NAME, keywords: { $pattern: NAME, keyword: KEYWORDS } };

    const language = hljs => ({
        name: 'CQL',
        contains: [
            { className: 'comment', begin: LINE_COMMENT },
            hljs.COMMENT('/\\*', '\\*/'),
            // CQL 3, and old queries.
            { className: 'comment', begin: /;.*/ },
            // The result of an example.
            { className: 'comment', begin: /⇒/, end: /$/ },
            // It begins a comment of the output, whose text is filters.
            { className: 'keyword', begin: /\/\/\// },
            // A backslash is an ordinary character in a string, and one of its own outside.
            { className: 'string', begin: /"/, end: /"/ },
            { className: 'string', begin: ESCAPE },
            { className: 'variable', begin: /\$\w+/ },
            { className: 'literal', begin: RESULT },
            { className: 'literal', begin: CASTLING },
            { begin: WORD_SYMBOL },
            { className: 'variable', begin: PIECE_VARIABLE },
            { className: 'type', begin: DESIGNATOR },
            { className: 'number', begin: /\d+/ },
            { className: 'number', begin: GROUP },
            { className: 'number', begin: REPEAT },
            { className: 'keyword', begin: KEYWORD_SYMBOL },
            WORD,
        ],
    });

    hljs.registerLanguage('cql', language);
    for (const block of document.querySelectorAll('code.language-cql')) {
        // mdBook has already marked the block as highlighted.
        block.textContent = block.textContent;
        delete block.dataset.highlighted;
        hljs.highlightBlock(block);
    }
})();
