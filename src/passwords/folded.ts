// A password as somebody would guess at it: in small letters, without marks on them.

export function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i");
}
