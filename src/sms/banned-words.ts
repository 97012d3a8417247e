// Words that an account's messages may not hold, whole words alone, however their letters are written.

/** The words that go on from here, and whether one of the list ends here. */
type Way = { on: Map<string, Way>; ends: boolean };

const known = new WeakMap<readonly string[], (text: string) => boolean>();

/** Made once for a list: it is asked of every message, and a list may be long. */
export function bannedWords(words: readonly string[]): (text: string) => boolean {
  const made = known.get(words) ?? (words.length === 0 ? () => false : isIn(waysOf(words)));
  known.set(words, made);
  return made;
}

function waysOf(words: readonly string[]): Way {
  const first: Way = { on: new Map(), ends: false };
  for (const word of words) {
    let way = first;
    for (const part of partsOf(word)) {
      const next = way.on.get(part) ?? { on: new Map(), ends: false };
      way.on.set(part, next);
      way = next;
    }
    if (way !== first) way.ends = true;
  }
  return first;
}

/** However many words are banned: from each word of the text only those are followed that begin with it. */
function isIn(first: Way): (text: string) => boolean {
  return (text) => {
    const parts = partsOf(text);
    return parts.some((_, from) => {
      let way = first.on.get(parts[from]!);
      for (let at = from + 1; way && !way.ends; at++) way = way.on.get(parts[at] ?? "");
      return way !== undefined;
    });
  };
}

function partsOf(text: string): string[] {
  const letters = text
    .replace(/[ıİ]/g, "i")
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");
  return letters.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
