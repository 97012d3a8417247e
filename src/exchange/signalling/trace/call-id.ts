// The few facts a trace needs of every message, read without parsing it.

/** Undefined when there is none within the first octets, as of a message that is none. */
export function callIdIn(text: string): string | undefined {
  // Nearly everybody writes it this way; the search is then one scan by the machine's own instructions.
  const usual = text.indexOf("\r\nCall-ID: ");
  if (usual >= 0) return lineFrom(text, usual + 11);
  const found = OTHER_SPELLINGS.exec(text.slice(0, HEAD_OCTETS));
  return found ? lineFrom(text, found.index + found[0].length) : undefined;
}

const HEAD_OCTETS = 4_096;
const OTHER_SPELLINGS = /\r\n(?:call-id|i)[ \t]*:[ \t]*/i;
const LONGEST = 256;

function lineFrom(text: string, start: number): string | undefined {
  const end = text.indexOf("\r\n", start);
  return end < 0 || end - start > LONGEST ? undefined : text.slice(start, end).trim();
}

export const beginsCall = (text: string): boolean => text.startsWith("INVITE ");

/** BYE or CANCEL, or an answer to one. */
export function endsCall(text: string): boolean {
  if (text.startsWith("BYE ") || text.startsWith("CANCEL ")) return true;
  return text.startsWith("SIP/") && ENDING.test(text.slice(0, HEAD_OCTETS));
}

const ENDING = /\r\ncseq[ \t]*:[ \t]*\d+[ \t]+(?:BYE|CANCEL)\r\n/i;

/** Whether anybody named in the message has this user part. */
export function names(text: string, extension: string): boolean {
  return text.slice(0, HEAD_OCTETS).includes(`:${extension}@`);
}
