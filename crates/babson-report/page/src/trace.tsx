// What each filter of a query did at a position, as a list.

import { squareName } from "./chess";
import { colorClass, type Filter, type Verdict } from "./marks";

/** The steps by which operands are indented, as classes of the style. */
const MAX_INDENT = 8;

export interface TraceProps {
  filters: readonly Filter[];
  verdicts: readonly (Verdict | null)[];
  /** The filter whose failure decided, if one is to be pointed out. */
  failed?: number | null;
  /** Called with the filter that is pointed at, and with `null` after it. */
  light?(filter: number | null): void;
}

function valueText({ squares, value, times }: Verdict): string {
  const shown = squares ? squares.map(squareName).join(" ") || "no square" : value ?? "";
  return times ? `${shown} (${times.replace("/", " of ")} times)` : shown;
}

export function Trace({ filters, verdicts, failed = null, light }: TraceProps) {
  return (
    <ul class="why">
      {filters.map((filter, at) => {
        const found = verdicts[at] ?? null;
        const [name, sign] = !found ? ["skip", "–"] : found.matched ? ["yes", "✓"] : ["no", "✗"];
        const words = { skip: "not evaluated", yes: "matched", no: "did not match" }[name!];
        const value = found ? valueText(found) : "";
        const indent = Math.min(filter.depth, MAX_INDENT);
        return (
          <li class={`${name} in${indent}${at === failed ? " failed" : ""}`}
            onPointerEnter={light && (() => light(at))} onPointerLeave={light && (() => light(null))}>
            <span title={words} role="img" aria-label={`${words}:`}>{sign}</span>{" "}
            <code class={colorClass(filter.color)}>{filter.text}</code>{" "}
            {value && <span class="soft">{value}</span>}
            {at === failed && <b> fails first</b>}
          </li>
        );
      })}
    </ul>
  );
}
