// The word by which a recipient says "no more": IPTAL, however a phone happens to write it.

const WORD = "IPTAL";

/** What is answered to somebody who opted out. */
export const OPT_OUT_REPLY = "Numaraniz kara listeye alindi, bir daha mesaj almayacaksiniz.";

export function isOptOut(text: string): boolean {
  return asCapitals(text) === WORD;
}

/** The words by which people are told to say it. */
const WORDS = [WORD, "RET", "STOP"];

/** Whether a text says how to get no more of its kind: one of the words, and a number to send it to. */
export function tellsHowToOptOut(text: string): boolean {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u);
  return WORDS.some((word) => words.includes(word)) && /\d{3}/.test(text);
}

/** The line that `add_ret` appends; it counts in the message's length. */
export function optOutLine(shortCode: string): string {
  return `\nRet: ${WORD} yaz ${shortCode} gonder`;
}

/** Dotted and dotless i, both cases, with or without accents and anything between the letters, come out as one word. */
function asCapitals(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, "");
}

function folded(text: string): string {
  return text.replace(/[ıİ]/g, "I").normalize("NFD").replace(/\p{M}/gu, "").toUpperCase();
}
