// Names of files that lead out of where files are: in the path of an address as in what it asks for. The server holds
// secrets beside what it shows, so that whatever leads there would be seen.

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import { startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { visitorAt } from "../town/console-town.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = join(temporaryFolder(), "data");
const server = await startProcess(folder);
const first = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as FirstRun;
const { key } = first.exchange;

/** What stands in files that are shown to nobody: passwords, keys, users of the machine, our package. */
const told = /root:.*:0:0:|"secrets?":|"cipher":|BEGIN [A-Z ]*PRIVATE|"devDependencies"/;
const guarded = [
  readFileSync(join(folder, "secret.keys"), "utf8"),
  readFileSync(join(folder, "first-run.json"), "utf8"),
]
  .flatMap((text) => text.match(/[\w+/=-]{24,}/g) ?? [])
  .filter((word) => word !== key);

const visitor = visitorAt(`http://${server.run.http}`);
const { email, password } = first.console;
await visitor.signIn({ email, password });
const newPassword = `${password} and more`;
await visitor.post("/console/api/session.changePassword", { oldPassword: password, newPassword });
await visitor.signIn({ email, password: newPassword });

/** An answer to a path that goes over the line as it is: no client tidies it first. */
function raw(path: string): Promise<string> {
  const [host, port] = server.run.http.split(":");
  return new Promise((tell, fail) => {
    const heard: Buffer[] = [];
    const socket = connect(Number(port), host);
    socket.on("data", (part) => void heard.push(part));
    socket.on("close", () => tell(Buffer.concat(heard).toString("latin1"))).on("error", fail);
    const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", `Cookie: ${visitor.cookie()}`, "Connection: close"];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  });
}

const files = ["etc/passwd", "secret.keys", "first-run.json", "package.json"];
const ups = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%252f", "..\\", "..%5c", "....//", "..;/", "%c0%ae%c0%ae/"];
const names = [
  ...ups.flatMap((up) => files.flatMap((file) => [1, 2, 3, 8].map((levels) => up.repeat(levels) + file))),
  ...files.flatMap((file) => [`${join(folder, file)}`, `//${file}`, `file:///${file}`, `${file}%00.js`, `./${file}`]),
];
const doors = ["/", "/console/", "/console/assets/", "/console/help/", "/console/backup/", "/console/sound/recording/"];
const more = ["/console/fax/record/", "/console/sso/", "/webphone/", "/openapi/", "/docs/", "/wall/"];
const tickets = ["/recording/", "/phone_settings/", "/fax_document/", "/cdrs/"];

function isHarmless(path: string, said: string): void {
  expect(said.slice(9, 12), `${path} breaks`).toMatch(/^[234]/);
  expect(told.exec(said)?.[0], `${path} shows a file`).toBeUndefined();
  expect(
    guarded.filter((word) => said.includes(word)),
    `${path} shows a secret`,
  ).toEqual([]);
}

test.each([...doors, ...more, ...tickets])("no name behind %s leads out of it", async (door) => {
  for (const name of names) isHarmless(door + name, await raw(door + name));
});

/** What is asked for by a name, of the interface and of the console. */
const asked = (name: string) => [
  `/recordings?key=${key}&call_uuid=${name}`,
  `/fax_document/x?format=${name}&page=${name}`,
  `/announcements?key=${key}&id=${name}&name=${name}`,
  `/webphone?token=${name}&page=${name}`,
  `/console/recordings.zip?ids=${name}&name=${name}`,
  `/console/pop?call=${name}&url=${name}`,
];

test("nor does one in a query", async () => {
  for (const name of names.map((name) => name.replaceAll("\\", "%5c")))
    for (const path of asked(name)) isHarmless(path, await raw(path));
});

test("nor one that an operation of the console takes for a backup, an upload or a file of its own", async () => {
  for (const name of names.map((name) => decoded(name)))
    for (const [operation, sent] of [
      ["backups.download", { name }],
      ["backups.delete", { name }],
      ["imports.upload", { kind: "contacts", fileName: name, content: "YQ==" }],
    ] as const) {
      const response = await visitor.post(`/console/api/${operation}`, sent);
      isHarmless(`${operation} ${name}`, `HTTP/1.1 ${response.status} ${await response.text()}`);
    }
});

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // no text at all, and to be sent as it is
  }
}
