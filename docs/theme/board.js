// Draws the boards of `board` and `fen` blocks. Without scripts the blocks stay as text.
(() => {
    'use strict';

    const SVG = 'http://www.w3.org/2000/svg';
    const SIZE = 40;
    // The filled figures serve both colors. The selector after them asks for text, not for emoji.
    const FIGURES = { k: '♚', q: '♛', r: '♜', b: '♝', n: '♞', p: '♟' };
    const TEXT = '\uFE0E';

    const element = (parent, name, attributes, text = '') => {
        const child = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes)) {
            child.setAttribute(key, value);
        }
        child.textContent = text;
        parent.append(child);
        return child;
    };

    // The 64 contents of the first field of a FEN, from a8 to h1, or null.
    const contents = fen => {
        const ranks = fen.split(' ')[0].replace(/\[.*\]|~/g, '').split('/');
        const squares = ranks.flatMap(rank =>
            [...rank].flatMap(letter => (/[1-8]/.test(letter) ? Array(+letter).fill('') : [letter]))
        );
        return ranks.length === 8 && squares.length === 64 ? squares : null;
    };

    const draw = (squares, label) => {
        const svg = document.createElementNS(SVG, 'svg');
        svg.setAttribute('viewBox', `-16 0 ${8 * SIZE + 16} ${8 * SIZE + 18}`);
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-label', label);
        squares.forEach((letter, index) => {
            const [x, y] = [(index % 8) * SIZE, Math.floor(index / 8) * SIZE];
            const shade = (index + Math.floor(index / 8)) % 2 ? 'dark' : 'light';
            element(svg, 'rect', { x, y, width: SIZE, height: SIZE, class: shade });
            const figure = FIGURES[letter.toLowerCase()];
            if (figure) {
                const side = letter === letter.toUpperCase() ? 'white' : 'black';
                const center = { x: x + SIZE / 2, y: y + SIZE * 0.83, class: side };
                element(svg, 'text', center, figure + TEXT);
            }
        });
        for (let line = 0; line < 8; line += 1) {
            const middle = line * SIZE + SIZE / 2;
            element(svg, 'text', { x: -8, y: middle + 4, class: 'label' }, `${8 - line}`);
            element(svg, 'text', { x: middle, y: 8 * SIZE + 14, class: 'label' }, 'abcdefgh'[line]);
        }
        return svg;
    };

    for (const block of document.querySelectorAll('code.language-board, code.language-fen')) {
        const lines = block.textContent.trimEnd().split('\n');
        const fen = lines[lines.length - 1];
        const squares = contents(fen);
        if (!squares) {
            continue;
        }
        const caption = lines.length > 1 ? lines[0] : '';
        const figure = document.createElement('figure');
        figure.className = 'board';
        const text = document.createElement('figcaption');
        text.textContent = caption;
        const code = document.createElement('code');
        code.textContent = fen;
        text.append(code);
        figure.append(draw(squares, `${caption} ${fen}`), text);
        block.closest('pre').replaceWith(figure);
    }
})();
