// The web phone's page and files: built beforehand, read once, and sent with what a browser may do with them.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyReply } from "fastify";
import { takesPacked } from "../door/packing.ts";

export type PhoneFiles = Record<PhoneFile, { bytes: Buffer; packed(): Buffer; mediaType: string; version: string }>;

type PhoneFile = keyof typeof mediaTypes;

const mediaTypes = { "phone.js": "text/javascript; charset=utf-8", "phone.css": "text/css; charset=utf-8" } as const;

/** Undefined where no page was built, as in a test of something else. */
export async function readPhoneFiles(folder: string): Promise<PhoneFiles | undefined> {
  try {
    const read = async (name: PhoneFile) => {
      const bytes = await readFile(join(folder, name));
      const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
      let packed: Buffer | undefined; // not at a start, for which calls may wait
      return { bytes, packed: () => (packed ??= gzipSync(bytes)), mediaType: mediaTypes[name], version };
    };
    return { "phone.js": await read("phone.js"), "phone.css": await read("phone.css") };
  } catch {
    return undefined;
  }
}

export function isPhoneFile(name: string): name is PhoneFile {
  return Object.hasOwn(mediaTypes, name);
}

/** Their address holds their version, so a browser may keep them for ever. */
export function sendFile(reply: FastifyReply, { bytes, packed, mediaType }: PhoneFiles[PhoneFile]): FastifyReply {
  const isSmall = takesPacked(reply.request);
  if (isSmall) reply.header("content-encoding", "gzip");
  return reply
    .header("vary", "accept-encoding")
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("x-content-type-options", "nosniff")
    .header("cross-origin-resource-policy", "same-origin")
    .type(mediaType)
    .send(isSmall ? packed() : bytes);
}

/** Who may hold the page in a frame: the exchange's own list, or any page that came by a safe way. */
function frameAncestors(origins: readonly string[]): string {
  return origins.length === 0 ? "'self' https:" : `'self' ${origins.join(" ")}`;
}

export function sendPage(
  reply: FastifyReply,
  { files, page, origins, host }: { files: PhoneFiles; page: string; origins: readonly string[]; host: string },
): FastifyReply {
  const socket = /^[\w.:[\]-]{1,255}$/.test(host) ? ` ws://${host} wss://${host}` : "";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob: mediastream:",
    `connect-src 'self'${socket}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(origins)}`,
  ];
  return secretly(reply)
    .header("content-security-policy", policy.join("; "))
    .header("permissions-policy", "microphone=(self), camera=(), geolocation=()")
    .send(`<!doctype html>
<html lang="tr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="santral-page" content="${page}">
<title>Santral</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/webphone/phone.css?${files["phone.css"].version}">
<script type="module" src="/webphone/phone.js?${files["phone.js"].version}"></script>
</head>
<body></body>
</html>
`);
}

/** The sentence stands in a frame of somebody else's page, so it says in both languages what to do. */
export function sendRefusal(reply: FastifyReply): FastifyReply {
  return secretly(reply.code(401))
    .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
    .send(`<!doctype html>
<html lang="tr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Santral</title></head>
<body style="font:15px/1.5 system-ui,sans-serif;padding:1.5rem;text-align:center">
<p><b>Web telefonun anahtarı geçersiz ya da süresi dolmuş.</b><br>Sayfayı yeniden açın.</p>
<p lang="en"><b>The web phone's token is invalid or has expired.</b><br>Open the page again.</p>
</body>
</html>
`);
}

function secretly(reply: FastifyReply): FastifyReply {
  return reply
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("x-content-type-options", "nosniff")
    .type("text/html; charset=utf-8");
}
