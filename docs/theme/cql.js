// The highlighting of CQL, for the blocks that mdBook leaves plain because its highlight.js does
// not know the language. The tests keep the list of words complete; BABSON_BLESS=1 rewrites it.
(() => {
    'use strict';

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
    const KEYWORDS = WORDS.trim().replace(/\s+/g, ' ');

    // A piece or a list of pieces, before a square or alone.
    const PIECES = '(?:\\[[KQRBNPAkqrbnpa_.]+\\]|[KQRBNPAkqrbnpa_.]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲□◭▦]+)';
    const SQUARES = '[a-h](?:-[a-h])?[1-8](?:-[1-8])?';
    const DESIGNATOR = new RegExp(
        `(?<![\\w$])(?:${PIECES}?(?:${SQUARES}|\\[${SQUARES}(?:,${SQUARES})*\\])|${PIECES})(?![\\w])`
    );

    const language = hljs => ({
        name: 'CQL',
        keywords: { $pattern: /[a-z][a-z0-9_-]*/, keyword: KEYWORDS },
        contains: [
            hljs.COMMENT('//', '$'),
            hljs.COMMENT('/\\*', '\\*/'),
            // The result of an example.
            { className: 'comment', begin: /⇒/, end: /$/ },
            // A backslash is an ordinary character in a string.
            { className: 'string', begin: /"/, end: /"/ },
            { className: 'variable', begin: /\$\w+/ },
            { className: 'literal', begin: /(?<![\w/])(?:1-0|0-1|1\/2-1\/2|o-o-o|o-o)(?![\w-])/ },
            { className: 'type', begin: DESIGNATOR },
            { className: 'number', begin: /(?<!\w)\d+(?!\w)/ },
            // Longer names are not designators.
            { begin: /[A-Za-z_]\w*/, keywords: { $pattern: /[a-z][a-z0-9_-]*/, keyword: KEYWORDS } },
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
