// The console's own files: built once, kept in memory, compressed when first asked for; whatever is no file is the application itself.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { takesPacked } from "../door/packing.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** Stands in the page where each answer gets a nonce of its own. */
const NONCE = "__nonce__";

type Page = { body: Buffer; packed(): Buffer | undefined; type: string; isNamedByHash: boolean };

export function mountPages(scope: FastifyInstance, folder: string | undefined): void {
  const files = folder !== undefined && existsSync(folder) ? readFiles(folder) : new Map<string, Page>();
  const shell = readShell(folder, "index.html");
  const show = (_request: FastifyRequest, reply: FastifyReply) =>
    shell === undefined ? reply.code(503).send("The console is not built: npm run build.") : sendShell(reply, shell);
  scope.get("", show);
  scope.get("/*", (request, reply) => {
    const name = (request.params as { "*": string })["*"];
    const page = files.get(name);
    if (page && name.startsWith("help/"))
      return sendFile(request, reply.header("content-security-policy", READ_ONLY), page);
    if (page && !name.endsWith(".html")) return sendFile(request, reply, page);
    // A file of an earlier version must not be answered with a page: the browser would run it.
    return /^(assets|help)\//.test(name) ? reply.code(404).send("Not Found") : show(request, reply);
  });
}

/** A page that each answer puts its own nonce into; undefined where none was built. */
export function readShell(folder: string | undefined, name: "index.html" | "wall.html"): string | undefined {
  const path = join(folder ?? "", name);
  return folder !== undefined && existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Files whose names hold a hash of their contents: whoever has one has the same as everybody. */
export function ownFiles(folder: string | undefined): (url: string) => boolean {
  const assets = folder === undefined ? "" : join(folder, "assets");
  const names = new Set(existsSync(assets) ? readdirSync(assets) : []);
  const before = "/console/assets/";
  return (url) => url.startsWith(before) && names.has(url.slice(before.length));
}

function readFiles(folder: string): Map<string, Page> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => extname(name) in types);
  return new Map(
    names.map((name) => {
      const body = readFileSync(join(folder, name));
      const type = types[extname(name)]!; // asked for above
      let done: Buffer | undefined; // not at a start, for which calls may wait
      const packed = () => {
        if (/^text|svg|json/.test(type)) done ??= gzipSync(body);
        return done;
      };
      const path = name.replaceAll("\\", "/");
      return [path, { body, packed, type, isNamedByHash: path.startsWith("assets/") }];
    }),
  );
}

/** Of the documentation: nothing on it may run. */
const READ_ONLY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Only our own scripts and styles, no frames around us, nothing from elsewhere. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function sendShell(reply: FastifyReply, shell: string): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  return reply
    .headers({ "content-security-policy": policy(nonce), "x-frame-options": "DENY", "cache-control": "no-store" })
    .header("permissions-policy", "camera=(), geolocation=(), microphone=(self)")
    .type("text/html; charset=utf-8")
    .send(shell.replaceAll(NONCE, nonce));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { body, packed, type, isNamedByHash } = page;
  // What has a hash of its contents in its name never changes; icons and the like may, with the next version.
  const kept = isNamedByHash ? "public, max-age=31536000, immutable" : "public, max-age=3600";
  reply.headers({ "cache-control": kept, vary: "accept-encoding" }).type(type);
  const small = takesPacked(request) ? packed() : undefined;
  return small ? reply.header("content-encoding", "gzip").send(small) : reply.send(body);
}
