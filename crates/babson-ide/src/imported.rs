//! The functions of the files that a query imports.

use babson_lang::imports::{ResolvedQuery, library_name};
use babson_lang::keywords::Keyword;
use babson_lang::{Span, Understanding};

use crate::markdown::code;
use crate::names::{Declaration, NameKind, declarations};
use crate::source::{Source, span, stands_alone};

/// A function of an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportedFunction {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    /// Its text, with the comments before it.
    text: String,
    /// The key of its file.
    file: String,
}

impl ImportedFunction {
    /// Whether a file of the library with this name has it.
    pub(crate) fn is_of_library(&self, file: &str) -> bool {
        library_name(&self.file) == Some(file)
    }

    /// Its text and its file, in Markdown.
    pub(crate) fn doc(&self) -> String {
        let file = match library_name(&self.file) {
            Some(file) => file,
            None => self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file),
        };
        format!("{}\n\nfrom `{file}`", code(&self.text))
    }
}

/// The functions of the files of a query, in the order of the files and of their texts. Tokens show
/// them: a file that is being written has functions, too.
pub(crate) fn imported_functions(
    query: &Source<'_>,
    resolved: &ResolvedQuery,
) -> Vec<ImportedFunction> {
    let mut found = Vec::new();
    for file in &resolved.files {
        let source = Source::in_dialect(file.span.text(&resolved.text), query.dialect);
        for declared in declarations(&source, &Understanding::default()) {
            let Declaration { name, kind: NameKind::Function(parameters), place, .. } = declared
            else {
                continue;
            };
            let text = text_of(&source, place).to_owned();
            found.push(ImportedFunction { name, parameters, text, file: file.key.clone() });
        }
    }
    found
}

/// The text of the function whose name is at a place: from the comments directly above it to its
/// closing brace, or to the end of its line.
fn text_of<'t>(source: &Source<'t>, name: Span) -> &'t str {
    let text = source.text;
    let at = source.tokens.partition_point(|token| token.span.start < name.start);
    // A function without a body does not have the body of the next one.
    let is_end = |&at: &usize| {
        source.tokens[at].text == "{" || source.tokens[at].keyword() == Some(Keyword::Function)
    };
    let end = (at..source.tokens.len()).find(is_end);
    let body = end.filter(|&at| source.tokens[at].text == "{");
    let line =
        text[name.end as usize..].find('\n').map_or(text.len(), |end| name.end as usize + end);
    let end = body.and_then(|body| source.closing(body));
    let end = end.map_or(line, |end| source.tokens[end].span.end as usize);
    let keyword = at.checked_sub(1).map_or(name, |at| source.tokens[at].span);
    let mut start = keyword.start as usize;
    for comment in source.comments.iter().rev().filter(|comment| comment.end <= keyword.start) {
        let between = text.get(comment.end as usize..start).unwrap_or_default();
        let is_above = between.trim().is_empty() && between.matches('\n').count() == 1;
        if !is_above || !stands_alone(text, comment.start as usize) {
            break;
        }
        start = comment.start as usize;
    }
    span(start, end).text(text)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use babson_lang::imports::{FoundFile, ImportFiles};

    use crate::tests::marked;
    use crate::{Item, ItemKind, Options, complete, hover, signature};

    /// A file that is being written.
    const MINE: &str = "// A file of mine.\n\nlimit = 3 // of the file\n// Twice a number,\n// or \
                        more.\nfunction twice(num more) {\n  num * 2 + more\n}\nfunction third(x)\n\
                        function quarter(x) { x / 4 }\nfunction half(";

    #[derive(Debug)]
    struct Files;

    impl ImportFiles for Files {
        fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
            Ok((name == "mine").then(|| FoundFile::new("/queries/mine.cql", "mine.cql", MINE)))
        }

        fn names(&self) -> Vec<String> {
            ["mine", "sub/other", "motifs"].map(str::to_owned).to_vec()
        }
    }

    fn options() -> Options {
        Options { imports: Arc::new(Files), ..Options::default() }
    }

    fn items(text: &str) -> Vec<Item> {
        let (text, offset) = marked(text);
        complete(&text, offset, &options())
    }

    #[test]
    fn functions_of_files_are_offered() {
        let found = items("import \"mine\" x = tw‸");
        let twice = found.iter().find(|item| item.label == "twice").expect("the function");
        assert_eq!(twice.kind, ItemKind::Function);
        assert_eq!(twice.insert, "twice(${1:num} ${2:more})");
        let text =
            "// Twice a number,\n// or more.\nfunction twice(num more) {\n  num * 2 + more\n}";
        let doc = |text: &str| format!("```cql\n{text}\n```\n\nfrom `mine.cql`");
        assert_eq!(twice.doc, Some(doc(text)));
        // A function without a body ends with its line.
        let found = items("import \"mine\" x = thi‸");
        let third = found.iter().find(|item| item.label == "third").expect("the function");
        assert_eq!(third.doc, Some(doc("function third(x)")));
        assert!(items("x = tw‸").iter().all(|item| item.label != "twice"));
        // An imported file of the library has its functions, the others have their imports.
        let fork = |text: &str| {
            let found = items(text).into_iter().find(|item| item.label == "fork");
            found.map(|item| item.insert)
        };
        let call = "fork(${1:attackers} ${2:targets})";
        assert_eq!(fork("import \"motifs\" fo‸").as_deref(), Some(call));
        assert_eq!(fork("fo‸"), Some(format!("import \"motifs\" {call}")));
    }

    #[test]
    fn functions_of_files_are_explained() {
        let (text, offset) = marked("import \"mine\" twice(1 ‸");
        let found = signature(&text, offset, &options());
        assert_eq!(found[0].label, "twice(num more)");
        assert_eq!(found[0].active, Some(1));
        assert!(found[0].doc.as_deref().is_some_and(|doc| doc.contains("// Twice a number")));
        let (text, offset) = marked("import \"mine\" twi‸ce(1 2) > 3");
        let found = hover(&text, offset, &options()).expect("a meaning");
        assert!(found.markdown.ends_with("from `mine.cql`"), "{}", found.markdown);
    }

    #[test]
    fn files_are_offered() {
        let labels: Vec<String> = items("import \"‸").into_iter().map(|item| item.label).collect();
        // A file may have the name of a file of the library.
        assert_eq!(labels, ["mine", "sub/other", "motifs"]);
        let found = items("import \"sub/‸\" mate");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].insert, "sub/other");
    }
}
