// Reads vCards as address books write them: versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350). Text in, properties out.

export type Property = {
  /** In capitals, without its group. */
  name: string;
  /** Names in capitals; bare words of version 2.1 are types. */
  parameters: ReadonlyMap<string, readonly string[]>;
  /** As it was written: what is escaped is still escaped, except in quoted-printable. */
  value: string;
};

export type Card = readonly Property[];

const MOST_PROPERTIES = 500;
const LONGEST_VALUE = 10_000;
const LONGEST_LINE = 3 * LONGEST_VALUE;
const MOST_PARAMETERS = 100;
/** Pictures, sounds and keys. */
const CONTENTS = new Set(["PHOTO", "LOGO", "SOUND", "KEY"]);

/** Every whole card of a text, in order. What stands outside of cards, or in one that does not end, is not looked at. */
export function* readCards(text: string): Generator<Card> {
  let card: Property[] | undefined;
  for (const line of unfolded(text)) {
    const bare = line.trim().toUpperCase();
    if (bare === "BEGIN:VCARD") card = [];
    else if (bare === "END:VCARD") {
      if (card) yield card;
      card = undefined;
    } else if (card && card.length < MOST_PROPERTIES) {
      const property = readProperty(line);
      if (property && !CONTENTS.has(property.name)) card.push(property);
    }
  }
}

/** Lines that begin with a space go on with the one before; in quoted-printable so do those after one that ends in `=`. */
function* unfolded(text: string): Generator<string> {
  let line: string | undefined;
  for (const [next] of text.matchAll(/[^\r\n]+/g)) {
    if (line === undefined) line = next;
    else if (/^[ \t]/.test(next)) line = grown(line, next.slice(1));
    else if (line.endsWith("=") && isQuotedPrintable(line)) line = grown(line.slice(0, -1), next);
    else {
      yield line;
      line = next;
    }
  }
  if (line !== undefined) yield line;
}

/** A value that is too long to mean anything grows no further. */
function grown(line: string, more: string): string {
  return line.length > 2 * LONGEST_VALUE ? line : line + more;
}

function isQuotedPrintable(line: string): boolean {
  return /^[^:]*;(ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line.slice(0, 500));
}

/** `item1.TEL;TYPE="cell,voice";PREF=1:+90 532 …` */
function readProperty(whole: string): Property | undefined {
  const line = whole.slice(0, LONGEST_LINE);
  const head = /^\s*(?:[\w-]+\.)?([\w-]+)/.exec(line);
  if (!head) return undefined;
  const parameters = new Map<string, string[]>();
  let at = head[0].length;
  const parameter = /;\s*([\w-]+)(?:\s*=((?:"[^"]*"|[^":;])*))?/y;
  for (let count = 0; count < MOST_PARAMETERS; count++) {
    parameter.lastIndex = at;
    const found = parameter.exec(line);
    if (!found) break;
    at = parameter.lastIndex;
    const [, name = "", given] = found;
    // Version 2.1 leaves TYPE= and ENCODING= away.
    const [key, values] = given === undefined ? ["TYPE", [name]] : [name.toUpperCase(), valuesIn(given)];
    parameters.set(key, [...(parameters.get(key) ?? []), ...values]);
  }
  if (line[at] !== ":") return undefined;
  const raw = line.slice(at + 1, at + 1 + 2 * LONGEST_VALUE);
  return {
    name: (head[1] ?? "").toUpperCase(),
    parameters,
    value: plainValue(raw, parameters).slice(0, LONGEST_VALUE),
  };
}

/** With commas between them, inside quotation marks as well (`TYPE="cell,voice"`); carets as in RFC 6868. */
function valuesIn(given: string): string[] {
  const carets: Record<string, string> = { "^n": "\n", "^'": '"', "^^": "^" };
  return given.split(/[",]+/).flatMap((it) => {
    const value = it.replace(/\^[n'^]/g, (caret) => carets[caret] ?? caret).trim();
    return value === "" ? [] : [value];
  });
}

function plainValue(raw: string, parameters: Property["parameters"]): string {
  const encodings = [...(parameters.get("ENCODING") ?? []), ...(parameters.get("TYPE") ?? [])];
  if (!encodings.some((it) => it.toUpperCase() === "QUOTED-PRINTABLE")) return raw;
  const bytes = Buffer.from(
    Buffer.from(raw, "utf8")
      .toString("latin1")
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  // A line break in here is not escaped, but a semicolon between two parts is one.
  return decoded(bytes, parameters.get("CHARSET")?.[0] ?? "utf-8").replaceAll(/\r?\n/g, "\\n");
}

function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString("utf8"); // a charset that nobody knows
  }
}

/** The parts of a value between marks that are not escaped, each without its escapes. */
export function partsOf(value: string, mark: ";" | ","): string[] {
  const parts: string[] = [];
  let part = "";
  for (const [piece] of value.matchAll(/\\[\s\S]|[^\\;,]+|[\s\S]/g)) {
    if (piece === mark) {
      parts.push(part);
      part = "";
    } else part += piece.length > 1 && piece.startsWith("\\") ? escaped(piece) : piece;
  }
  return [...parts, part].map((it) => it.trim());
}

export function textOf(value: string): string {
  return value.replace(/\\[\s\S]/g, escaped).trim();
}

function escaped(pair: string): string {
  return pair === "\\n" || pair === "\\N" ? "\n" : pair.slice(1);
}
