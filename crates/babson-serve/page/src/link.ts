// The link of a search: query and options after `#`, so that no server sees them on the way.

/** What a link holds. */
export interface LinkState {
  query: string;
  databases: string[];
  variations: boolean;
  /** The group keys of the second view, if it is shown. */
  by: string | null;
}

export function readLink(hash: string): Partial<LinkState> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const query = fields.get("q");
  if (query === null) return {};
  return {
    query,
    databases: fields.getAll("db"),
    variations: fields.get("variations") === "1",
    by: fields.get("by"),
  };
}

export function writeLink({ query, databases, variations, by }: LinkState): string {
  // Spaces as %20: some programs that show links take a plus for a part of the query.
  const fields = [`q=${encodeURIComponent(query)}`];
  for (const name of databases) fields.push(`db=${encodeURIComponent(name)}`);
  if (variations) fields.push("variations=1");
  if (by) fields.push(`by=${encodeURIComponent(by)}`);
  return `#${fields.join("&")}`;
}

/** What is wrong with the databases of a link: a sentence, or nothing if all are there. */
export function unknownDatabases(wanted: readonly string[], there: readonly string[], place: string): string {
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const unknown = wanted.filter((name) => !there.includes(name));
  if (unknown.length === 0) return "";
  const missing = unknown.length === 1 ? "There is no database" : "There are no databases";
  return `${missing} ${quoted(unknown)}; ${place} has ${there.length ? quoted(there) : "none"}.`;
}
