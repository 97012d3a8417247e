// The word by which a recipient says "no more": IPTAL, however a phone happens to write it.

const WORD = "IPTAL";

/** What is answered to somebody who opted out. */
export const OPT_OUT_REPLY = "Numaraniz kara listeye alindi, bir daha mesaj almayacaksiniz.";

export function isOptOut(text: string): boolean {
  return asCapitals(text) === WORD;
}

/** The line that `add_ret` appends; it counts in the message's length. */
export function optOutLine(shortCode: string): string {
  return `\nRet: ${WORD} yaz ${shortCode} gonder`;
}

/** Dotted and dotless i, both cases, with or without accents and anything between the letters, come out as one word. */
function asCapitals(text: string): string {
  return text
    .replace(/[ıİ]/g, "I")
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
}
