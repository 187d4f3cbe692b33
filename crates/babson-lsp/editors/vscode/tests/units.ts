// Tests of what needs neither an editor nor a server.
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import language from "../language-configuration.json";
import { byteAt, indexAt } from "../src/bytes";
import { probe } from "../src/program";

test("bytes and code units", () => {
  const text = "♔a1 // é𝔵\nmate";
  assert.equal(byteAt(text, text.indexOf("mate")), Buffer.byteLength("♔a1 // é𝔵\n"));
  for (let at = 0; at <= text.length; at++) {
    // Inside of a surrogate pair there is no place.
    if (/[\udc00-\udfff]/.test(text[at] ?? "")) continue;
    assert.equal(indexAt(text, byteAt(text, at)), at);
  }
  assert.equal(indexAt("♔", 1), 0, "a byte inside of a character");
  assert.equal(indexAt("abc", 99), 3, "a byte after the end");
});

test("a program is looked at before it is used", { skip: process.platform === "win32" }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "babson-probe-"));
  const program = async (name: string, script: string) => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };
  try {
    assert.deepEqual(await probe(join(folder, "none")), { kind: "missing" });
    assert.deepEqual(await probe(await program("good", "echo 'babson 1.2.3'")), { kind: "usable", version: "babson 1.2.3" });
    const old = await program("old", 'test "$1" = --version && echo "babson 0.0.1" && exit 0; exit 2');
    const found = await probe(old);
    assert.ok(found.kind === "unusable" && found.reason.includes("a newer version is needed"), JSON.stringify(found));
    const other = await probe(await program("other", "echo 'another program'"));
    assert.ok(other.kind === "unusable" && other.reason.includes("another program"), JSON.stringify(other));
    const broken = await probe(await program("broken", "echo 'no library' >&2; exit 127"));
    assert.deepEqual(broken, { kind: "unusable", reason: "no library" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("words of the editor are words of the language", () => {
  const { wordPattern, indentationRules, onEnterRules } = language as unknown as Language;
  const words = (text: string) => text.match(new RegExp(wordPattern, "g"));
  assert.deepEqual(words("o-o-o x1+$y ♔♖ Ka-h1"), ["o-o-o", "x1", "$y", "♔♖", "Ka", "h1"]);
  const indents = new RegExp(indentationRules.increaseIndentPattern);
  for (const line of ["flip {", "  function f(X) {", "path ( // all"]) assert.ok(indents.test(line), line);
  for (const line of ["mate", "{ check }", "// a (", 'comment("(")']) assert.ok(!indents.test(line), line);
  assert.ok(new RegExp(indentationRules.decreaseIndentPattern).test("  }"));
  for (const { beforeText } of onEnterRules) assert.doesNotThrow(() => new RegExp(beforeText));
});

interface Language {
  wordPattern: string;
  indentationRules: { increaseIndentPattern: string; decreaseIndentPattern: string };
  onEnterRules: { beforeText: string }[];
}
