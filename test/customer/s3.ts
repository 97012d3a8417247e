// A store that speaks S3: s3rver behind a front that checks signatures of version 4 and sums, which s3rver does not.

import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { request, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Heard, openStoreFront, type StoreFront } from "./store-front.ts";

export const S3_LOGIN = { accessKey: "S3RVER", secretKey: "S3RVER" };
export const BUCKET = "kayitlar";
const DOMAIN = "test";
/** Names below it are buckets. */
export const S3_HOST = `s3.${DOMAIN}`;

export type S3Server = { front: StoreFront; url: string; close(): Promise<void> };

type S3rver = { run(): Promise<{ port: number }>; close(): Promise<void> };

export async function openS3Server(login = S3_LOGIN): Promise<S3Server> {
  const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => S3rver;
  const directory = await mkdtemp(join(tmpdir(), "santral-s3-"));
  const buckets = [{ name: BUCKET, configs: [] }];
  const inner = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory },
    ...{ configureBuckets: buckets, serviceEndpoint: DOMAIN },
  });
  const { port } = await inner.run();
  const front = await openStoreFront((heard, response) => {
    const wrong = whatIsWrong(heard, login);
    if (wrong) return refuse(response, ...wrong);
    return pass(heard, response, port);
  });
  return {
    front,
    url: `http://127.0.0.1:${front.port}`,
    async close() {
      await front.close();
      await inner.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function whatIsWrong(
  { method, url, headers, body }: Heard,
  login: typeof S3_LOGIN,
): [status: number, code: string] | undefined {
  const said = String(headers.authorization ?? "");
  const [, credential = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(said) ?? [];
  if (credential.split("/")[0] !== login.accessKey) return [403, "InvalidAccessKeyId"];
  const picked = Object.fromEntries(names.split(";").map((name) => [name, String(headers[name] ?? "")]));
  if (signatureOf({ method, url, headers: picked, credential }, login.secretKey) !== signature)
    return [403, "SignatureDoesNotMatch"];
  const sum = createHash("sha256").update(body).digest("hex");
  if (headers["x-amz-content-sha256"] !== sum) return [400, "XAmzContentSHA256Mismatch"];
  const md5 = headers["content-md5"];
  if (md5 && md5 !== createHash("md5").update(body).digest("base64")) return [400, "BadDigest"];
  return undefined;
}

export type Signed = { method: string; url: string; headers: Record<string, string>; credential: string };

/** By the letter of Amazon's "Authenticating Requests (AWS Signature Version 4)". */
export function signatureOf({ method, url, headers, credential }: Signed, secretKey: string): string {
  const [path = "", query = ""] = url.split("?");
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, " ")}\n`);
  const pairs = query.split("&").filter((it) => it !== "");
  const sorted = pairs.map((pair) => (pair.includes("=") ? pair : `${pair}=`)).sort();
  const canonical = [method, path, sorted.join("&"), lines.join(""), names.join(";"), headers["x-amz-content-sha256"]];
  const [, date = "", region = "", service = "", end = ""] = credential.split("/");
  const scope = [date, region, service, end].join("/");
  const hash = createHash("sha256").update(canonical.join("\n")).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n");
  const keyed = [date, region, service, end].reduce<Buffer>(
    (key, part) => createHmac("sha256", key).update(part).digest(),
    Buffer.from(`AWS4${secretKey}`),
  );
  return createHmac("sha256", keyed).update(text).digest("hex");
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

function pass({ method, url, headers, body }: Heard, response: ServerResponse, port: number): void {
  const inner = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  inner.on("error", () => response.destroy());
  inner.end(body);
}
