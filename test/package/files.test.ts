// What is shipped around the program: the command, the unit, the image. The whole packages: shipped.test.ts.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settings } from "../../src/config.ts";
import { temporaryFolder } from "../ground/santral-process.ts";

const variables = new Set(Object.values(settings).map(({ variable }) => variable));

/** The installed command with its places in a folder of ours, and a program that prints what it is given. */
function installed(env: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node/bin"), { recursive: true });
  writeFileSync(join(folder, "santral.env"), env);
  const node = join(folder, "node/bin/node");
  writeFileSync(node, '#!/bin/sh\nshift\nenv | grep "^\\(SANTRAL_\\|DATABASE_\\)" | sort\nprintf "<%s>\\n" "$@"\n');
  chmodSync(node, 0o755);
  const script = readFileSync("deploy/debian/santral", "utf8")
    .replaceAll("/etc/santral/santral.env", join(folder, "santral.env"))
    .replaceAll("/usr/lib/santral", folder)
    .replace("exec runuser -u santral -- ", "exec ");
  writeFileSync(join(folder, "santral"), script);
  return (words: string[], given: Record<string, string> = {}) =>
    spawnSync("sh", [join(folder, "santral"), ...words], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, ...given },
    });
}

test("the command has the service's settings, and those of the shell it is typed in go first", () => {
  const odd =
    "# a comment\n\nSANTRAL_SIP=0.0.0.0:5060\nSANTRAL_MAIL_FROM=\"a $(touch x) b\"\nDATABASE_URL='postgres://x?a=b'\nnot a setting\nbad-name=1\nSANTRAL_HTTP=127.0.0.1:1";
  const run = installed(odd);
  const { stdout, stderr, status } = run(["call", "two words", "*"], { SANTRAL_HTTP: "127.0.0.1:2" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.trim().split("\n")).toEqual([
    "DATABASE_URL=postgres://x?a=b",
    "SANTRAL_DATA=/var/lib/santral",
    "SANTRAL_HTTP=127.0.0.1:2",
    "SANTRAL_MAIL_FROM=a $(touch x) b",
    "SANTRAL_SIP=0.0.0.0:5060",
    "<call>",
    "<two words>",
    "<*>",
  ]);
});

test("the settings file names only settings that there are", () => {
  const named = [...readFileSync("deploy/debian/santral.env", "utf8").matchAll(/^#?([A-Z_]+)=/gm)].map(
    ([, name]) => name!,
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
});

test("scripts of the package are whole", () => {
  for (const name of ["santral", "postinst", "prerm", "postrm"])
    expect(spawnSync("sh", ["-n", join("deploy/debian", name)], { encoding: "utf8" }).stderr, name).toBe("");
});

test("the unit runs what the package installs, with no more rights than it needs", () => {
  const unit = readFileSync("deploy/debian/santral.service", "utf8");
  const lines = unit.split("\n").filter((line) => line !== "" && !/^[#[]/.test(line));
  for (const line of lines) expect(line).toMatch(/^[A-Z][A-Za-z]+=\S/);
  expect(unit).toContain("ExecStart=/usr/lib/santral/node/bin/node /usr/lib/santral/bin/santral.mjs start");
  expect(unit).toContain("User=santral");
  expect(unit).toContain("NoNewPrivileges=yes");
});

test("the image has one instruction a line that builders know, and copies only the package", () => {
  const text = readFileSync("deploy/Containerfile", "utf8").replaceAll("\\\n", " ");
  const instructions = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const known = /^(ARG|FROM|COPY|RUN|USER|ENV|WORKDIR|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) \S/;
  for (const line of instructions) expect(line).toMatch(known);
  expect(instructions.filter((line) => line.startsWith("COPY"))).toEqual([`COPY $\{PACKAGE} /tmp/santral.deb`]);
});
