// Which texts may come in: well-formed Unicode without NUL, because PostgreSQL stores nothing else.

const strict = new TextDecoder("utf-8", { fatal: true });

/** Nothing when the bytes are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}
