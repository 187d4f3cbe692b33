//! Queries by a grammar of forms.
//!
//! A form is a text with holes. A hole is a `$` with the letter of the kind that fills it, which is
//! again a form of that kind. Most queries that come out are well typed; some are not, which tests
//! the errors.

use crate::Choices;

/// How deep forms are nested.
const MAX_DEPTH: usize = 5;
/// The most bytes of a query.
const MAX_TEXT: usize = 1500;

/// The forms of a kind. The first ones have no holes: they are chosen where forms are nested too
/// deep.
struct Kind {
    leaves: &'static [&'static str],
    forms: &'static [&'static str],
}

/// Filters that match or do not.
const FILTER: Kind = Kind {
    leaves: &[
        "check",
        "mate",
        "stalemate",
        "wtm",
        "btm",
        "initial",
        "terminal",
        "variation",
        "mainline",
        "primary",
        "secondary",
        "castle",
        "o-o",
        "enpassant",
        "true",
        "false",
        "pin",
        "pseudolegal --",
        "result 1-0",
        "result 1/2-1/2",
        "event \"o\"",
        "site \"e\"",
        "player \"a\"",
        "eco \"C\"",
        "variant",
        "R attacks k",
        "move previous capture A",
        "find check",
        "passedpawns",
        "puremate",
        "[x]",
        "--",
        "previous --",
        "hasfield",
        "lastposition",
    ],
    forms: &[
        "$d",
        "$s",
        "not $a",
        "$a $a",
        "($f or $f)",
        "($f and $f)",
        "$n $r $n",
        "$n $r $n",
        "$t == $t",
        "$t in $t",
        "$t ~~ $x",
        "$p == $p",
        "flipcolor $a",
        "flip $a",
        "shift $a",
        "shifthorizontal $a",
        "shiftvertical $a",
        "rotate90 $a",
        "fliphorizontal $a",
        "flipvertical $a",
        "flipdihedral $a",
        "reversecolor $a",
        "notransform $a",
        "shift {$d $d}",
        "flip shift {$d $a}",
        "shift flipcolor line --> $d --> $d",
        "flip flipcolor {$d--$q $a}",
        "find $a",
        "find 2 4 $a",
        "find <-- $a",
        "find all $a == 0",
        "line --> $a --> $a",
        "line --> $a* --> $a",
        "line <-- $a <-- $a",
        "line --> $a? --> .",
        "path $a -- $a",
        "path --$? $a",
        "path (--$h)+ $a",
        "path $d--$q",
        "path focus $d --+ $a",
        "$d--$q",
        "$d[x]$q",
        "--($a)",
        "previous --($a)",
        "$d--$q=Q",
        "legal --$h",
        "parent:$a",
        "child:$a",
        "initialposition:$a",
        "$p:$a",
        "if $a then $a",
        "if $a then $a else $a",
        "while ($n < 3) $a",
        "square $+ in $s { $v attacks $s $f }",
        "square all $+ in $s { $f or $v attacks $s }",
        "piece $+ in $s { $f $v attacks $s }",
        "piece all $+ in $s { $v & $s or $f }",
        "move from $s to $s",
        "move from $s capture $s",
        "move legal from $s : $a",
        "move promote N",
        "move legal : $a",
        "move pseudolegal : $a",
        "move legal null : $a",
        "move null",
        "imagine piece $d --> $d : $a",
        "imagine sidetomove reverse : $a",
        "echo (i1 i2) { $f i2:$a }",
        "consecutivemoves 2 (initialposition currentposition)",
        "comment($n)",
        "comment($t)",
        "comment(\"c\" $s $n)",
        "message($n $t)",
        "sort \"n\" $n",
        "sort min \"m\" $n",
        "sort \"t\" $t",
        "loop { $a break }",
        "{ w = $n w $r $n }",
        "{ u = $s u attacks $s }",
        "{ y = 0 while (y < 2) { y += 1 $a } }",
        "try $a",
        "{ $a $a $a }",
        "function g(z) { z $f } g($d)",
        "dictionary D D[$n] = $n D[$n] $r $n",
        "dictionary E E[$t] = $t E[$t] == $t",
        "settag(\"X\" $t)",
        "removetag(\"Event\")",
        "pin from $s through $s to $s",
        "ray ($s $s)",
        "xray ($s $s)",
        "assert $a or true",
        "isbound w",
        "field(\"f\" $n)",
        "~$s == $s",
        "$n in $n",
        "gamenumber $r $n",
        "position i3 in all { $f i3:$a }",
    ],
};

/// Sets of squares.
const SET: Kind = Kind {
    leaves: &[
        "A", "a", "K", "k", "[RQ]", "[bn]", "P", "p", ".", "_", "[a-d1-4]", "e4", "[]", "♔", "△",
    ],
    forms: &[
        "$d",
        "$v",
        "($s & $s)",
        "($s | $s)",
        "~$s",
        "($s attacks $s)",
        "($s attackedby $s)",
        "($s -> $s)",
        "light $s",
        "dark $s",
        "up 1 2 $s",
        "down $s",
        "northeast 1 7 $s",
        "horizontal 1 2 $s",
        "diagonal 1 $s",
        "anydirection $s",
        "between($s $s)",
        "ray($s $s)",
        "pin through $s",
        "square $+ in $s { $v attacks $s }",
        "piece $+ in $s { $f }",
        "move from $s",
        "move to $s",
        "if $a then $s else $s",
        "$p:$s",
        "makesquare($n $n)",
        "passedpawns",
        "isolatedpawns",
        "connectedpawns",
        "doubledpawns",
        "flip $s",
        "flipcolor $s",
        "{ $f $s }",
        "($s ∩ $s)",
        "($s ∪ $s)",
    ],
};

/// Designators of pieces.
const DESIGNATOR: Kind = Kind {
    leaves: &["K", "q", "R", "b", "N", "p", "A", "a", "[RQ]", "[Aa]", "_", "."],
    forms: &["K$q", "q$q", "R$q", "[BN]$q", "A$q", "p$q", "a$q", "$q", "[Kq]$q", "_$q"],
};

/// Squares by their names.
const SQUARES: Kind = Kind {
    leaves: &["e4", "a1", "h8", "d5", "f7"],
    forms: &["a-h1-8", "a-d4", "e1-4", "[a1,b2]", "[e4,a-c7]", "g7-8", "a-h2"],
};

/// Numbers.
const NUMBER: Kind = Kind {
    leaves: &[
        "0",
        "1",
        "2",
        "-1",
        "7",
        "ply",
        "movenumber",
        "gamenumber",
        "depth",
        "#A",
        "year",
        "positionid",
    ],
    forms: &[
        "#$s",
        "power $s",
        "($n + $n)",
        "($n - $n)",
        "($n * $n)",
        "($n / $n)",
        "($n % $n)",
        "abs($n)",
        "max($n $n)",
        "min($n $n)",
        "sqrt($n)",
        "#$t",
        "int \"12\"",
        "rank $s",
        "file $s",
        "find all $a",
        "elo",
        "elo white",
        "$p:$n",
        "if $a then $n else $n",
        "{ $f $n }",
        "distance($s $s)",
        "2147483647",
        "-2147483647",
        "#($s & $s)",
        "sort \"k\" $n",
        "pathcount",
        "flipcolor count $a",
        "line --> $a --> $a",
        "clock",
        "asciicode $t",
        "indexof($t $t)",
        "countmoves legal --$h",
        "movecount",
    ],
};

/// Strings.
const TEXT: Kind = Kind {
    leaves: &[
        "\"\"",
        "\"a\"",
        "\"e4\"",
        "\"12\"",
        "event",
        "fen",
        "player white",
        "\"Ré\"",
        "site",
    ],
    forms: &[
        "str($n)",
        "str($n $t $s)",
        "($t + $t)",
        "tag \"White\"",
        "tag \"Nosuch\"",
        "$p:$t",
        "lowercase $t",
        "uppercase $t",
        "$t[0:2]",
        "if $a then $t else $t",
        "ascii $n",
        "originalcomment",
        "eco",
        "date",
        "typename $n",
        "readfile \"no\"",
        "{ $t ~~ $x \\0 }",
    ],
};

/// Regular expressions.
const PATTERN: Kind = Kind {
    leaves: &["\"a\"", "\"[a-h][1-8]\"", "\".*\"", "\"\"", "\"(\"", "\"^.\""],
    forms: &[
        "\"(a|b)+c?\"",
        "\"(.)\\\\1\"",
        "\"\\\\d{2,}\"",
        "\"(?=b).\"",
        "\"[^ ]+\"",
        "\"(x)?(.)\"",
    ],
};

/// Positions.
const POSITION: Kind = Kind {
    leaves: &["currentposition", "initialposition", "parent", "child"],
    forms: &[
        "$p:parent",
        "find $a",
        "position 2",
        "(if $a then $p else $p)",
        "$p:child",
        "lca($p $p)",
    ],
};

const RELATIONS: [&str; 6] = ["<", "<=", "==", "!=", ">=", ">"];
const REPEATS: [&str; 6] = ["", "?", "*", "+", "{2}", "{1,3}"];
const HEADERS: [&str; 12] = [
    "",
    "",
    "",
    "cql()",
    "cql(variations)",
    "cql(matchcount 2 9)",
    "cql(gamenumber 1 2)",
    "cql(result 1-0)",
    "cql(silent)",
    "cql(matchstring \"m\")",
    "cql(quiet variations)",
    "cql(input a.pgn output b.pgn)",
];
const BEFORE: [&str; 9] = [
    "",
    "",
    "",
    "persistent sum += 1",
    "persistent dictionary P P[ply] = 1",
    "message quiet(ply)",
    "cqlend { message(\"end\") }",
    "// a comment\n",
    "/* another */",
];

/// Returns a query. Every filter of the language may be in it.
///
/// ```
/// use babson_arbitrary::{Choices, query};
///
/// assert_eq!(query(&mut Choices::new(&[])), "check");
/// ```
pub fn query(choices: &mut Choices<'_>) -> String {
    let mut writer = QueryWriter { text: String::new(), variables: 0, scope: Vec::new() };
    for part in [choices.choose(&HEADERS), choices.choose(&BEFORE)] {
        if !part.is_empty() {
            writer.text.push_str(part);
            writer.text.push(' ');
        }
    }
    for at in 0..1 + choices.below(3) {
        if at > 0 {
            writer.text.push_str([" ", "\n", "  "][choices.below(3)]);
        }
        writer.form(&FILTER, MAX_DEPTH, choices);
    }
    writer.text
}

struct QueryWriter {
    text: String,
    /// How many variables were declared: each has its own name.
    variables: usize,
    /// The variables of the loops around the place that is written.
    scope: Vec<usize>,
}

impl QueryWriter {
    fn form(&mut self, kind: &Kind, depth: usize, choices: &mut Choices<'_>) {
        let is_leaf = depth == 0 || choices.is_over() || self.text.len() > MAX_TEXT;
        let form = match choices.below(3) {
            at if at > 0 && !is_leaf => choices.choose(kind.forms),
            _ => choices.choose(kind.leaves),
        };
        let scope = self.scope.len();
        let mut rest = form;
        while let Some((text, after)) = rest.split_once('$') {
            self.text.push_str(text);
            let Some(hole) = after.chars().next() else { break };
            rest = &after[hole.len_utf8()..];
            self.fill(hole, depth.saturating_sub(1), choices);
        }
        self.text.push_str(rest);
        self.scope.truncate(scope);
    }

    fn fill(&mut self, hole: char, depth: usize, choices: &mut Choices<'_>) {
        let kind = match hole {
            'f' => &FILTER,
            's' => &SET,
            'd' => &DESIGNATOR,
            'q' => &SQUARES,
            'n' => &NUMBER,
            't' => &TEXT,
            'x' => &PATTERN,
            'p' => &POSITION,
            // A filter in braces or parentheses.
            'a' => {
                let (open, close) = choices.choose(&[("{", "}"), ("(", ")"), ("{ ", " }")]);
                self.text.push_str(open);
                self.form(&FILTER, depth, choices);
                self.text.push_str(close);
                return;
            }
            'r' => return self.text.push_str(choices.choose(&RELATIONS)),
            '?' => return self.text.push_str(choices.choose(&REPEATS)),
            // A condition in parentheses, or none.
            'h' => {
                if choices.one_in(2) {
                    self.text.push('(');
                    self.form(&FILTER, depth, choices);
                    self.text.push(')');
                }
                return;
            }
            // A new variable, and one of the variables.
            '+' => {
                self.variables += 1;
                self.scope.push(self.variables);
                return self.text.push_str(&format!("v{}", self.variables));
            }
            _ => match self.scope.len() {
                0 => return self.text.push('A'),
                variables => {
                    let variable = self.scope[choices.below(variables)];
                    return self.text.push_str(&format!("v{variable}"));
                }
            },
        };
        self.form(kind, depth, choices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [&Kind; 8] =
        [&FILTER, &SET, &DESIGNATOR, &SQUARES, &NUMBER, &TEXT, &PATTERN, &POSITION];

    #[test]
    fn every_hole_has_a_kind() {
        for kind in KINDS {
            assert!(kind.leaves.iter().all(|leaf| !leaf.contains('$')));
            for form in kind.forms {
                for after in form.split('$').skip(1) {
                    let hole = after.chars().next().unwrap_or(' ');
                    assert!("fsdqntxpar?h+v".contains(hole), "{form}");
                }
            }
        }
    }
}
