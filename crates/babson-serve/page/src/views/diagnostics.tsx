// The errors of a query, with buttons that mend them.

import { plural } from "@report/text";

import type { Diagnostic, Fix } from "../engine/types";
import { sentences } from "../sentences";

/** Errors that are shown: the ones after them often follow from the first. */
const MAX_ERRORS = 3;

export interface DiagnosticsProps {
  errors: readonly Diagnostic[];
  /** Mends the query; absent if the errors are of another text than the editor has. */
  apply?(fix: Fix): void;
}

export function Diagnostics({ errors, apply }: DiagnosticsProps) {
  const more = errors.length - MAX_ERRORS;
  return (
    <ul class="diagnostics" aria-label="Errors of the query">
      {errors.slice(0, MAX_ERRORS).map(({ code, message, help, fixes }) => (
        <li>
          <b>{code}</b> <span class="message">{sentences(message)}</span> {sentences(help)}
          {fixesOf(fixes).map((fix) => <button type="button" disabled={!apply} onClick={() => apply?.(fix)}>{
            sentences(fix.title).replace(/\.$/, "")}</button>)}
        </li>
      ))}
      {more > 0 && <li class="soft">{plural(more, "error", "errors")} more</li>}
    </ul>
  );
}

/** The fixes that the editor can make: one may belong to an imported file. */
export const fixesOf = (fixes: readonly Fix[] | undefined): readonly Fix[] =>
  (fixes ?? []).filter((fix) => fix.edits.every((edit) => !edit.file));
