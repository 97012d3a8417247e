// What a document is, by its own bytes: what a name or a header says of it is only hearsay.

export type DocumentKind = "pdf" | "png" | "jpeg" | "tiff" | "text";

/** PDF allows some rubbish in front; readers look this far. */
const PDF_WITHIN = 1_024;
const SNIFFED = 65_536;

export function kindOf(bytes: Buffer): DocumentKind | undefined {
  const head = bytes.toString("latin1", 0, PDF_WITHIN);
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return "tiff";
  const text = decodeText(bytes.subarray(0, SNIFFED));
  return text !== undefined && isPlain(text) ? "text" : undefined;
}

/** UTF-8, UTF-16 with a mark, or what Turkish offices wrote before. Undefined when it is no text. */
export function decodeText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.length === 0 || bytes.includes(0)) return undefined;
  const utf8 = new TextDecoder("utf-8").decode(bytes);
  // A letter may be cut in half at the end of what was looked at, and only there.
  return utf8.slice(0, -2).includes("\ufffd") ? new TextDecoder("windows-1254").decode(bytes) : utf8;
}

function isPlain(text: string): boolean {
  // Control signs other than blanks and page breaks: some program's own format.
  if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f]/.test(text)) return false;
  // Written for a program to lay out, not for a reader.
  return !/^\ufeff?\s*(<!doctype|<html|<\?xml|<svg|\{\\rtf|%!PS)/i.test(text);
}
