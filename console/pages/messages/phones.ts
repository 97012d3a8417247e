// Numbers as people type or paste them: one below another, or with anything usual between them.

export function phonesIn(text: unknown): string[] {
  return String(text)
    .split(/[\s,;]+/)
    .filter((phone) => phone !== "");
}
