// A self-signed certificate for loopback, made anew by openssl so that no key lies in the repository.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function selfSigned(name: string, { days = 2 } = {}): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const [key, cert, asked] = [join(folder, "key.pem"), join(folder, "cert.pem"), join(folder, "request.pem")];
  const what = ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name},IP:127.0.0.1`];
  const openssl = (words: string[]) => execFileSync("openssl", words, { stdio: "ignore" });
  openssl([...what, ...names, "-keyout", key, "-out", asked]);
  const extensions = ["-copy_extensions", "copy"];
  // Below nought it has expired, which only this form can do.
  openssl(["x509", "-req", "-in", asked, "-signkey", key, ...extensions, "-days", String(days), "-out", cert]);
  const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
