// A link from each query of the book to the playground beside it. Only `cargo xtask site` adds this
// script: a book alone has no playground.
(() => {
    'use strict';

    // mdBook says in each page how to get to the root of the book.
    const root = typeof path_to_root === 'string' ? path_to_root : '';
    for (const block of document.querySelectorAll('code.language-cql')) {
        // What follows the arrow is the value of an example, and not a part of the query.
        const query = block.textContent.replace(/\s*⇒.*$/gm, '').trim();
        if (!query) continue;
        const link = document.createElement('a');
        link.href = `${root}playground/#q=${encodeURIComponent(query)}`;
        link.textContent = 'Open in the playground';
        const line = document.createElement('p');
        line.className = 'open-query';
        line.append(link);
        block.closest('pre').after(line);
    }
})();
