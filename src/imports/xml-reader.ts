// XML piece by piece, for the few elements a sheet is made of. Every letter is looked at once, however a stranger wrote it.

export type XmlEvents = {
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
};

/** What no workbook has: a tag without an end, a document type with entities of its own. */
export class NotXml extends Error {}

const LONGEST_TAG = 64 * 1024;

export function xmlReader({ open, close, text }: XmlEvents): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const all = rest + piece;
    let at = 0;
    while (at < all.length) {
      const begin = all.indexOf("<", at);
      if (begin !== at) text(all.slice(at, begin < 0 ? all.length : begin));
      if (begin < 0) {
        at = all.length;
        break;
      }
      const end = endOfTag(all, begin);
      at = begin;
      if (end === undefined) break;
      tag(all.slice(begin, end));
      at = end;
    }
    rest = all.slice(at);
    if (rest.length > LONGEST_TAG) throw new NotXml("a tag without an end");
  };

  function tag(whole: string): void {
    if (whole.startsWith("<!--") || whole.startsWith("<?")) return;
    if (whole.startsWith("<![CDATA[")) return text(whole.slice(9, -3).replaceAll("&", "&amp;"));
    if (whole.startsWith("<!")) throw new NotXml("a document type");
    if (whole.startsWith("</")) return close(nameIn(whole, 2));
    const name = nameIn(whole, 1);
    open(name, whole.slice(1 + name.length, -1));
    if (whole.endsWith("/>")) close(name);
  }
}

function endOfTag(all: string, begin: number): number | undefined {
  const mark = all.startsWith("<!--", begin) ? "-->" : all.startsWith("<![CDATA[", begin) ? "]]>" : ">";
  const end = all.indexOf(mark, begin);
  return end < 0 ? undefined : end + mark.length;
}

/** Without the prefix of its name space: programs differ in it. */
function nameIn(tag: string, from: number): string {
  const [, name = ""] = /^(?:[\w.-]+:)?([\w.-]+)/.exec(tag.slice(from, from + 200)) ?? [];
  return name;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    if (point !== undefined) return point <= 0x10ffff ? String.fromCodePoint(point) : "";
    return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
  });
}
