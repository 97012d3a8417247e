// The certificate of DTLS stays the same for whoever goes on with calls: phones were told its fingerprint.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, makeCertificate } from "./certificate.ts";

const NAME = "certificate.json";

/** `isOver`: nobody goes on with a call of the process that made the last one. */
export function keptCertificate(folder: string, { isOver }: { isOver: boolean }): Certificate {
  const found = isOver ? undefined : read(folder);
  if (found) return found;
  const made = makeCertificate();
  write(folder, made);
  return made;
}

export function forgetCertificate(folder: string): void {
  rmSync(join(folder, NAME), { force: true });
}

function read(folder: string): Certificate | undefined {
  try {
    const { certificate, key } = JSON.parse(readFileSync(join(folder, NAME), "latin1")) as Record<string, string>;
    if (!certificate || !key) return undefined;
    return { certificate: Buffer.from(certificate, "base64"), key: Buffer.from(key, "base64") };
  } catch {
    return undefined;
  }
}

/** A disk that refuses costs nothing but the next process's calls with DTLS. */
function write(folder: string, { certificate, key }: Certificate): void {
  const text = JSON.stringify({
    certificate: Buffer.from(certificate).toString("base64"),
    key: Buffer.from(key).toString("base64"),
  });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, `${NAME}.draft`), text, { mode: 0o600 });
    renameSync(join(folder, `${NAME}.draft`), join(folder, NAME));
  } catch {
    forgetCertificate(folder);
  }
}
