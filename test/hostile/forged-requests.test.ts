// What a page of somebody else's can have a browser send that is signed in here: the cookie goes along, or did once.
// Nothing of it is done, whatever it asks for and however it is dressed.

import { connect } from "node:net";
import { expect, test } from "vitest";
import { consoleApi } from "../../src/http/console/api.ts";
import { PASSWORD } from "../town/console-town.ts";
import { candidatesFrom } from "./candidates.ts";
import { consoleNeighbours, secrets } from "./console-neighbours.ts";
import { parametersFor } from "./from-schema.ts";

const { administrator, fingerprintOf, address } = await consoleNeighbours();
const { us, visitor } = await administrator();
const candidates = { ...candidatesFrom(us), ...secrets };
const operations = Object.entries(consoleApi);

const EVIL = "https://evil.example";
/** A page elsewhere sets no header of its own without our leave, and cannot keep its browser from naming it. */
const dresses: [how: string, headers: Record<string, string>][] = [
  ["as a form does", { "x-santral-console": "", "content-type": "application/x-www-form-urlencoded", origin: EVIL }],
  ["as a form that hides where it is", { "x-santral-console": "", "content-type": "text/plain", origin: "null" }],
  ["as a program that does not say where it is", { "x-santral-console": "", "content-type": "text/plain" }],
  ["with our header, were it let", { origin: EVIL }],
  ["from another port of our own name", { origin: "http://127.0.0.1:1" }],
  ["from nowhere", { origin: "null" }],
];

test.each(dresses)("%s, no operation is carried out", async (_how, headers) => {
  const before = await fingerprintOf(us.exchangeId);
  for (const [name, { parameters }] of operations) {
    const sent = parametersFor(parameters, { candidates, optional: false });
    const response = await visitor.post(`/console/api/${name}`, sent, headers);
    expect([name, response.status, await response.json()]).toEqual([name, 401, { refused: "signed-out" }]);
  }
  expect(await fingerprintOf(us.exchangeId)).toEqual(before);
});

test("an address alone, as a picture or a link has it, does nothing", async () => {
  const before = await fingerprintOf(us.exchangeId);
  for (const [name] of operations) {
    const headers = { "x-santral-console": "1" };
    const response = await visitor.get(`/console/api/${name}?exchangeId=${us.exchangeId}`, headers);
    expect([name, response.headers.get("content-type")]).toEqual([name, expect.stringMatching(/^text\/(html|plain)/)]);
  }
  expect(await fingerprintOf(us.exchangeId)).toEqual(before);
});

test.each(dresses)("%s, nobody is signed in or out", async (_how, headers) => {
  const entered = await visitor.post("/console/api/session.signIn", { email: us.email, password: PASSWORD }, headers);
  expect([entered.status, entered.headers.get("set-cookie")]).toEqual([401, null]);
  await visitor.post("/console/api/session.signOut", {}, headers);
  expect((await visitor.post("/console/api/session.show", {})).status).toBe(200);
});

test.each([EVIL, "null", "http://127.0.0.1:1"])("a page of %s does not look at the live board", async (origin) => {
  const status = (from: string) =>
    new Promise<string>((tell, fail) => {
      const [host, port] = address.split(":");
      const socket = connect(Number(port), host);
      const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
      const lines = ["GET /console/live HTTP/1.1", `Host: ${address}`, ...upgrade, `Cookie: ${visitor.cookie()}`];
      socket.once("data", (said) => {
        tell(said.toString("latin1").slice(9, 12));
        socket.destroy();
      });
      socket.on("error", fail);
      socket.write([...lines, `Origin: ${from}`, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""].join("\r\n"));
    });
  expect(await status(origin)).toBe("401");
});
