// Words of strangers as they may be kept.

/** Without what a database cannot keep and a page would not show: control characters and halves of letters. */
export function tidyText(text: string): string {
  return withoutHalves(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, "")).trim();
}

/** A surrogate alone is no letter, and no JSON that PostgreSQL takes. */
export function withoutHalves(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");
}
