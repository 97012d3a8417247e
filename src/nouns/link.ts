// Links with places to be filled in for a call: https://crm.example.com/?tel={number}. Whatever a caller sends stays a value
// in such a link: it never says where the link leads.

export type CallOfLink = { number: string; uuid: string; queue: string };

/** The host stands there in full, and nobody's name and password do. */
const SHAPE = /^https?:\/\/[^/?#{}@\s\\]+([/?#][^\s\\]*)?$/i;
const PLACE = /\{(number|uuid|queue)\}/g;

export function isLink(text: string): boolean {
  const filled = SHAPE.test(text) ? URL.parse(filledIn(text, { number: "1", uuid: "1", queue: "1" })) : null;
  return filled !== null && /^https?:$/.test(filled.protocol) && filled.username === "";
}

/** Undefined for what should never have been kept. */
export function linkFor(template: string, call: CallOfLink): string | undefined {
  return isLink(template) ? filledIn(template, call) : undefined;
}

/** Where such links lead, for whoever lets them into a frame. */
export function originOfLink(template: string): string | undefined {
  return isLink(template) ? URL.parse(template)?.origin : undefined;
}

function filledIn(template: string, call: CallOfLink): string {
  return template.replace(PLACE, (_, name: keyof CallOfLink) =>
    encodeURIComponent(call[name].replace(/\p{Surrogate}/gu, "\ufffd")),
  );
}
