// Links from the queries of the book to the playground beside it. Only `cargo xtask site` adds this
// script: a book alone has no playground.
(() => {
    'use strict';

    // mdBook says in each page how to get to the root of the book.
    const root = typeof path_to_root === 'string' ? path_to_root : '';

    // The queries of a block. A query ends at the arrow before its value; without any, the block is
    // one query.
    const queries = text => {
        const found = [];
        let lines = [];
        const end = () => {
            const query = lines.join('\n').trim();
            if (query) found.push(query);
            lines = [];
        };
        for (const line of text.split('\n')) {
            const [query, value] = line.split('⇒');
            lines.push(query.trimEnd());
            if (value !== undefined) end();
        }
        end();
        return found;
    };

    const link = (query, text) => {
        const link = document.createElement('a');
        link.href = `${root}playground/#q=${encodeURIComponent(query)}`;
        link.textContent = text;
        link.title = query;
        return link;
    };

    for (const block of document.querySelectorAll('code.language-cql')) {
        const found = queries(block.textContent);
        if (found.length === 0) continue;
        const line = document.createElement('p');
        line.className = 'open-query';
        if (found.length === 1) {
            line.append(link(found[0], 'Open in the playground'));
        } else {
            line.append('Open in the playground: ');
            found.forEach((query, at) => line.append(link(query, String(at + 1)), ' '));
        }
        block.closest('pre').after(line);
    }
})();
