// A page for people whose page cannot be shown right now: it says so, and tries again by itself.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { firstLanguage, languageIn } from "../../languages.ts";
import { comeAgain } from "../../words/come-again.ts";

/** Only what people open: an operation that a browser asks for by hand must not be asked for again and again. */
const PAGES = /^\/(?:console(?:[/?]|$)|webphone(?:\?|$))/;

/** Whether somebody looks at what is answered. */
export function isForPeople({ method, originalUrl, headers }: FastifyRequest): boolean {
  return method === "GET" && PAGES.test(originalUrl) && /\btext\/html\b/.test(headers.accept ?? "");
}

export function sendWaitingPage(reply: FastifyReply, seconds: number): FastifyReply {
  const spoken = (reply.request.headers["accept-language"] ?? "").split(",").map((name) => name.trim());
  const language = languageIn(...spoken) ?? firstLanguage.console;
  const { title, text } = comeAgain[language];
  const nonce = randomBytes(16).toString("base64");
  return reply
    .code(503)
    .headers({
      "retry-after": seconds,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'`,
    })
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width, initial-scale=1">` +
        `<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${seconds}">` +
        `<title>${title}</title><style nonce="${nonce}">` +
        `body{font-family:system-ui,sans-serif;margin:20vh auto;max-width:26rem;padding:0 1rem}</style></head>` +
        `<body><main><h1>${title}</h1><p role="status">${text}</p></main></body></html>`,
    );
}
