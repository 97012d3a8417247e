// As much of Google Drive's interface (v3) as an archive speaks, with the token endpoint of service accounts beside it.

import { createHash, createVerify, generateKeyPairSync, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Heard, openStoreFront, type StoreFront } from "./store-front.ts";

type DriveFile = { name: string; parents: string[]; bytes: Buffer; trashed: boolean };

export type DriveServer = {
  front: StoreFront;
  url: string;
  /** As Google gives it out. */
  key: string;
  folder: string;
  files: Map<string, DriveFile>;
  /** A content manager of a shared drive: may not delete for good. */
  mayDelete: boolean;
  close(): Promise<void>;
};

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const EMAIL = "kayit@proje.iam.gserviceaccount.com";

export async function openDriveServer(): Promise<DriveServer> {
  const tokens = new Set<string>();
  const sessions = new Map<string, { id: string; name?: string; parents?: string[] }>();
  const files: DriveServer["files"] = new Map();
  const front = await openStoreFront((heard, response) => serve(heard, response));
  const url = `http://127.0.0.1:${front.port}`;
  const server: DriveServer = {
    ...{ front, url, files, folder: "1FolderOfRecordings", mayDelete: true, key: keyFor(url), close: front.close },
  };
  return server;

  function serve(heard: Heard, response: ServerResponse): void {
    const at = new URL(heard.url, url);
    if (at.pathname === "/token") return giveToken(heard, response);
    if (at.pathname === "/session") return take(at.searchParams.get("upload_id") ?? "", heard, response);
    if (!tokens.has(String(heard.headers.authorization).replace("Bearer ", "")))
      return say(response, 401, { error: { errors: [{ reason: "authError" }] } });
    if (at.pathname === "/drive/v3/files/generateIds") return say(response, 200, { ids: [`1${randomUUID()}`] });
    if (at.pathname.startsWith("/upload/drive/v3/files")) return begin(at, heard, response);
    return serveFile(decodeURIComponent(at.pathname.split("/").at(-1) ?? ""), at, heard, response);
  }

  function giveToken({ body }: Heard, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString());
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const isOurs = createVerify("RSA-SHA256").update(`${head}.${claims}`).verify(publicKey, signature, "base64url");
    const { iss, aud, exp, iat } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const isRight = isOurs && iss === EMAIL && aud === `${url}/token` && exp - iat <= 3_600;
    if (!isRight || form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
      return say(response, 400, { error: "invalid_grant" });
    const token = randomUUID();
    tokens.add(token);
    say(response, 200, { access_token: token, expires_in: 3_599, token_type: "Bearer" });
  }

  function begin(at: URL, { method, body }: Heard, response: ServerResponse): void {
    const facts = JSON.parse(body.toString());
    const id = method === "PATCH" ? decodeURIComponent(at.pathname.split("/").at(-1) ?? "") : facts.id;
    if (method === "POST" && facts.parents[0] !== server.folder)
      return say(response, 404, { error: { errors: [{ reason: "notFound" }] } });
    if (method === "POST" && files.has(id)) return say(response, 409, { error: { errors: [{ reason: "conflict" }] } });
    const session = randomUUID();
    sessions.set(session, { ...facts, id });
    response.writeHead(200, { location: `${url}/session?upload_id=${session}` }).end();
  }

  function take(session: string, { body }: Heard, response: ServerResponse): void {
    const begun = sessions.get(session);
    if (!begun) return say(response, 404, {});
    const before = files.get(begun.id);
    const [name, parents] = [begun.name ?? before?.name ?? "", begun.parents ?? before?.parents ?? []];
    files.set(begun.id, { name, parents, bytes: body, trashed: false });
    say(response, 200, { id: begun.id });
  }

  function serveFile(id: string, at: URL, { method, headers }: Heard, response: ServerResponse): void {
    const file = files.get(id);
    if (!file) return say(response, 404, { error: { errors: [{ reason: "notFound" }] } });
    if (method === "DELETE") {
      if (!server.mayDelete)
        return say(response, 403, { error: { errors: [{ reason: "insufficientFilePermissions" }] } });
      files.delete(id);
      response.writeHead(204).end();
    } else if (method === "PATCH") {
      file.trashed = true;
      say(response, 200, {});
    } else if (at.searchParams.get("alt") === "media") sendBytes(file.bytes, String(headers.range ?? ""), response);
    else say(response, 200, factsOf(file));
  }
}

function factsOf({ bytes, trashed }: DriveFile) {
  const sum = (kind: string) => createHash(kind).update(bytes).digest("hex");
  return { size: String(bytes.length), sha256Checksum: sum("sha256"), md5Checksum: sum("md5"), trashed };
}

function sendBytes(bytes: Buffer, range: string, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  if (from === undefined || to === undefined) {
    response.writeHead(200, { "content-length": bytes.length });
    response.end(bytes);
    return;
  }
  const part = bytes.subarray(Number(from), Number(to) + 1);
  response.writeHead(206, {
    "content-length": part.length,
    "content-range": `bytes ${from}-${to}/${bytes.length}`,
  });
  response.end(part);
}

function keyFor(url: string): string {
  return JSON.stringify(
    {
      type: "service_account",
      private_key_id: "1234",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: EMAIL,
      token_uri: `${url}/token`,
    },
    null,
    2,
  );
}

function say(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
