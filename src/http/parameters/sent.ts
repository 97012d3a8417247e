// What a caller sent, before anybody asks what it means: names with the values that came for them.

export type Sent = Map<string, SentValue[]>;

/** Text from a query or form; whatever JSON can hold; or a file of a multipart form. */
export type SentValue = unknown;

export class SentFile {
  readonly name: string;
  readonly bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }
}

/** Bodies and queries that cannot be read. */
export type Unreadable = { unreadable: "json" | "utf8" | "parameters" | "multipart" };

export function isUnreadable(read: object): read is Unreadable {
  return "unreadable" in read;
}

export const MOST_PARAMETERS = 1_000;

export const INVALID_JSON: Unreadable = { unreadable: "json" };
export const INVALID_UTF8: Unreadable = { unreadable: "utf8" };
export const TOO_MANY: Unreadable = { unreadable: "parameters" };

/** Clients spell a list `name[]`, `name[0]` or, in JSON, `name:[]`: all of them mean `name`. */
function bareName(name: string): string {
  return name.endsWith("]") ? name.replace(/:?\[\d{0,4}\]$/, "") : name;
}

export function add(sent: Sent, name: string, value: SentValue): void {
  const bare = bareName(name);
  const known = sent.get(bare);
  if (known) known.push(value);
  else sent.set(bare, [value]);
}

/** An empty list is something said, too: it leaves the name with no value. */
export function addAll(sent: Sent, name: string, values: readonly SentValue[]): void {
  const bare = bareName(name);
  const known = sent.get(bare) ?? [];
  for (const value of values) known.push(value);
  sent.set(bare, known);
}
