// Text built from pieces, made whole: unjoined it would keep its pieces, and through them entire datagrams, alive.

/** Reading a character makes the engine join the pieces in place. */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
