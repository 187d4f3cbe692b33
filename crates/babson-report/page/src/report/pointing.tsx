// From the query to the boards and back: which squares are marked, and which filters are lit.

import { colorClass, type Filter } from "../marks";
import { useState } from "preact/hooks";
import { marksAt, verdictsOf, type Data, type Hit } from "./data";

const query = () => document.getElementById("query");
const rules = document.createElement("style");
const hidden = new Set<number>();

/** Marks the squares of one filter on all boards, or the squares of all filters. */
function light(filter: number | null): void {
  const off = [...hidden].map((at) => `.mark[data-filter="${at}"]{display:none}`).join("");
  const one = `.mark[data-filter="${filter}"]{display:inline;stroke-width:.1;fill-opacity:.6}`;
  const style = filter === null ? off : `.mark{display:none}${one}`;
  // An equal style would be applied again.
  if (rules.textContent !== style) rules.textContent = style;
  litFilters(filter === null ? [] : [filter]);
}

/** Shows filters as lit in the query and in the legend. */
function litFilters(lit: number[]): void {
  for (const element of query()?.querySelectorAll<HTMLElement>("[data-filter]") ?? []) {
    element.classList.toggle("lit", lit.includes(Number(element.dataset.filter)));
  }
}

/** Shows in the query what its filters did at a match. */
export function explain(data: Data, hit: Hit | undefined): void {
  const verdicts = verdictsOf(data.filters, hit);
  for (const element of query()?.querySelectorAll<HTMLElement>("pre [data-filter]") ?? []) {
    const found = verdicts[Number(element.dataset.filter)];
    element.classList.toggle("no", Boolean(found && !found.matched));
    element.classList.toggle("skip", Boolean(hit?.filters && !found));
  }
}

/** The filter of the query or of the legend that an element belongs to. */
function filterOf(filters: readonly Filter[], target: Element): number | null {
  const element = target.closest<HTMLElement>("#query [data-filter]");
  const at = Number(element?.dataset.filter ?? -1);
  return filters[at]?.color === undefined ? null : at;
}

/** The match that an event points at, and the square; the square is `null` for the keyboard. */
function pointed(data: Data, event: Event): { hit: Hit; at: number | null } | null {
  const target = event.target as Element;
  const item = target.closest<HTMLElement>(".hit");
  const hit = data.games[Number(item?.dataset.game ?? -1)]?.hits[Number(item?.dataset.hit ?? -1)];
  if (!hit) return null;
  const svg = target.closest("svg");
  if (!svg || !(event instanceof MouseEvent)) return { hit, at: null };
  const box = svg.getBoundingClientRect();
  const step = box.width / 8;
  const [file, rank] = [(event.clientX - box.left) / step, (box.bottom - event.clientY) / step];
  return { hit, at: Math.floor(rank) * 8 + Math.floor(file) };
}

/** Follows the pointer and the focus. */
export function followPointer(data: Data): void {
  document.head.append(rules);
  const point = (event: Event) => {
    if (!(event.target instanceof Element)) return;
    const filter = filterOf(data.filters, event.target);
    if (filter !== null) return light(filter);
    const found = pointed(data, event);
    explain(data, found?.hit);
    light(null);
    if (!found) return;
    const { hit, at } = found;
    const names = marksAt(data.filters, hit).filter((mark) => at === null || mark.squares.includes(at));
    litFilters(names.map((mark) => mark.filter));
  };
  for (const name of ["pointerover", "pointermove", "focusin"]) document.addEventListener(name, point);
}

/** The colors of the filters, as buttons that hide their squares. */
export function Legend({ filters }: { filters: readonly Filter[] }) {
  const [, redraw] = useState(0);
  const toggle = (filter: number) => {
    if (!hidden.delete(filter)) hidden.add(filter);
    light(null);
    redraw((count) => count + 1);
  };
  const named = filters.map((filter, at) => ({ ...filter, at })).filter(({ color }) => color !== undefined);
  return (
    <>
      {named.length > 0 && <span class="soft">Squares of</span>}
      {named.map(({ at, color, text }) => (
        <button type="button" class={colorClass(color)} data-filter={at} title="Show or hide these squares"
          aria-pressed={hidden.has(at) ? "false" : "true"} onClick={() => toggle(at)}><i />{text}</button>
      ))}
      <span class="soft"><i class="last" />last move <i class="next" />next move</span>
    </>
  );
}
