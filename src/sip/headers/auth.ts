// The digest headers: WWW-Authenticate and Proxy-Authenticate ask, Authorization and Proxy-Authorization answer.

import { EQUALS, endOfQuoted, endOfRun, QUOTE, quote, skipBlanks, TOKEN, unquote } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headersOf, type Message } from "../message/message.ts";
import { remember } from "./remember.ts";

/** `scheme` and parameter names in lower case; values without their quotes. */
export type AuthFields = { readonly scheme: string; readonly parameters: ReadonlyMap<string, string> };

export const challengesOf = (message: Message) => headersOf(message, "WWW-Authenticate").map(parseAuth);
export const proxyChallengesOf = (message: Message) => headersOf(message, "Proxy-Authenticate").map(parseAuth);

/** What a request shows for that realm: asked before it is let in, and again when it logs in, so nothing is made on the way. */
export function answerFor(realm: string, request: Message): AuthFields | undefined {
  return answerIn("Authorization", realm, request) ?? answerIn("Proxy-Authorization", realm, request);
}

function answerIn(header: string, realm: string, { headers }: Message): AuthFields | undefined {
  for (const { name, value } of headers) {
    const given = name === header ? parseAnswer(value) : undefined;
    if (given && !isMalformed(given) && given.parameters.get("realm") === realm) return given;
  }
  return undefined;
}

const parseAnswer = remember(parseAuth);

/** One header is one challenge or one answer; unlike other lists its commas part the fields (20.44). */
export function parseAuth(text: string): AuthFields | Malformed {
  const schemeEnd = endOfRun(text, 0, TOKEN);
  if (schemeEnd === 0) return { malformed: "no authentication scheme" };
  const scheme = text.slice(0, schemeEnd).toLowerCase();
  const parameters = new Map<string, string>();
  let at = skipBlanks(text, schemeEnd);
  while (at < text.length) {
    const nameEnd = endOfRun(text, at, TOKEN);
    const equals = skipBlanks(text, nameEnd);
    if (nameEnd === at || text.charCodeAt(equals) !== EQUALS) return { malformed: "authentication field" };
    const valueStart = skipBlanks(text, equals + 1);
    const valueEnd =
      text.charCodeAt(valueStart) === QUOTE ? endOfQuoted(text, valueStart) : endOfBare(text, valueStart);
    if (valueEnd < 0) return { malformed: "authentication field without its closing quote" };
    const name = text.slice(at, nameEnd).toLowerCase();
    if (parameters.has(name)) return { malformed: `${name} twice` };
    parameters.set(name, unquote(text.slice(valueStart, valueEnd)));
    at = skipBlanks(text, valueEnd);
    if (at === text.length) break;
    if (text[at] !== ",") return { malformed: "no comma between authentication fields" };
    at = skipBlanks(text, at + 1);
  }
  return { scheme, parameters };
}

function endOfBare(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "," && text[at] !== " " && text[at] !== "\t") at++;
  return at;
}

/** By RFC 7616 these are never quoted; all others always are, which the oldest phones insist on. */
const BARE = new Set(["algorithm", "stale", "nc"]);

/** `qop` is quoted where it is a list of offers and bare where it is the choice made. */
export function printAuth(fields: Readonly<Record<string, string>>, kind: "challenge" | "answer"): string {
  let text = "Digest ";
  for (const name in fields) {
    const value = fields[name] ?? "";
    const bare = BARE.has(name) || (name === "qop" && kind === "answer");
    text += `${text.length > 7 ? ", " : ""}${name}=${bare ? value : quote(value)}`;
  }
  return text;
}
