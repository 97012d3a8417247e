// Every operation of the HTTP interface, of the SMS interface and of the web phone, asked with a key of one exchange and
// all that its owner might know of another one.

import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { clientAddressBehind } from "../../src/http/door/client-address.ts";
import { openFastify } from "../../src/http/door/listener.ts";
import { nobodyRegistered } from "../../src/http/door/presence.ts";
import { callsApi } from "../../src/http/exchange/calls.ts";
import { faxesApi } from "../../src/http/exchange/faxes.ts";
import { exchangeApi } from "../../src/http/exchange/routes.ts";
import { smsApi } from "../../src/http/sms/routes.ts";
import { desk } from "../../src/http/webphone/desk.ts";
import { webphone } from "../../src/http/webphone/plugin.ts";
import { silentLog } from "../../src/log.ts";
import { issueTicket } from "../../src/store/tickets.ts";
import { httpTown } from "../town/http-town.ts";
import { openSmsServer } from "../town/sms-desk.ts";
import { candidatesFrom, ownCandidates } from "./candidates.ts";
import { type Candidates, everyWayOfAsking, type Parameters, parametersFor } from "./from-schema.ts";
import { databaseWithoutWalls, neighboursIn, notingExchange, OUR_MARKER } from "./neighbours.ts";

const { askedFor, exchange, faxes } = notingExchange();
const db = await databaseWithoutWalls();
const { server, objects } = await httpTown({ exchange, faxes, db });
const { theirs, ours, expectUnharmed } = await neighboursIn(db);
const candidates = candidatesFrom(theirs);
const endpoints = [...callsApi(exchange), ...exchangeApi, ...faxesApi(faxes)];
const sms = await openSmsServer(db);
const phone = await openWebphone();
afterAll(async () => {
  await sms.close();
  await phone.close();
});

async function openWebphone() {
  const app = openFastify(silentLog);
  const webLogins = {
    issue: ({ exchangeId }: { exchangeId: number }) => {
      askedFor.push(exchangeId);
      return { user: "web", password: "secret", seconds: 60 };
    },
  };
  const parts = { db, clock: realClock, log: silentLog, exchange, presence: nobodyRegistered, files: "nowhere" };
  const clientAddress = clientAddressBehind([]);
  await app.register(webphone({ ...parts, clientAddress, webLogins: webLogins as never })); // it only gives logins out
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo; // listening on a port
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}

/** Parameters that the interface does not have; by contract they are not looked at. */
const extra = {
  exchange_id: String(theirs.exchangeId),
  exchangeId: String(theirs.exchangeId),
  tenant: String(theirs.exchangeId),
  account_id: String(theirs.id),
};

type Asked = { method: string; path: string; query: Record<string, string>; parameters: Parameters; headers?: object };

/** Parameters in the path, in the query of what has no body, in a body of JSON otherwise. */
async function ask(base: string, { method, path, query, parameters, headers }: Asked) {
  const rest = { ...parameters };
  const filled = path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
    const value = name === undefined ? theirs.blocked : rest[name];
    if (name !== undefined) delete rest[name];
    return encodeURIComponent(String(value));
  });
  const hasBody = !["GET", "HEAD", "DELETE"].includes(method);
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(hasBody ? {} : rest))
    search.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  const response = await fetch(`${base}${filled}?${search}`, {
    ...{ method, redirect: "manual", headers: { "content-type": "application/json", ...headers } },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
  });
  const asked = `${method} ${filled}?${search} ${JSON.stringify(rest)}`;
  return { asked, status: response.status, text: await response.text() };
}

test.each(endpoints.map((it) => [`${it.methods[0]} ${it.paths[0]}`, it] as const))(
  "%s reaches nothing of another exchange",
  async (_, { methods, paths, parameters: schema }) => {
    const us = await ours();
    const own = ownCandidates(us, methods[0] === "POST" ? "thing.create" : "thing.change");
    askedFor.length = 0;
    const query = { key: us.apiKey };
    for (const parameters of everyWayOfAsking(schema, candidates, own)) {
      const reply = await ask(`http://${server.address}`, {
        ...{ method: methods[0] ?? "", path: paths[0] ?? "", query, parameters },
      });
      await expectUnharmed(reply.asked, reply);
      expect(reply.status, reply.asked).not.toBe(401);
    }
    for (const method of methods)
      for (const path of paths)
        for (const parameters of [
          { ...parametersFor(schema, { candidates }), ...extra },
          { ...parametersFor(schema, { candidates: own(), optional: false }), ...extra, key: theirs.uuid },
        ]) {
          const reply = await ask(`http://${server.address}`, { method, path, query, parameters });
          await expectUnharmed(reply.asked, reply);
        }
    expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
  },
);

test.each(smsApi.map((it) => [`${it.method} ${it.path}`, it] as const))(
  "%s reaches nothing of another exchange",
  async (_, { method, path, parameters: schema }) => {
    const us = await ours();
    const account: Candidates = { username: [us.username], password: [us.smsPassword] };
    const own = ownCandidates(us, "sms.change");
    const ways = [...everyWayOfAsking(schema, { ...candidates, ...account }, () => ({ ...own(), ...account }))];
    for (const parameters of [...ways, ...ways.slice(0, 1).map((way) => ({ ...way, ...extra }))]) {
      const reply = await ask(sms.url, { method, path, query: {}, parameters });
      await expectUnharmed(reply.asked, reply);
      expect(reply.status, reply.asked).not.toBe(401);
    }
    const strange = { ...ways[0], username: theirs.username };
    expect(await ask(sms.url, { method, path, query: {}, parameters: strange })).toMatchObject({ status: 401 });
  },
);

test.each(Object.keys(desk))("%s of the web phone reaches nothing of another exchange", async (name) => {
  const us = await ours();
  const [method = "", path = ""] = name.split(" ");
  const headers = { authorization: `Bearer ${us.webphoneToken}` };
  askedFor.length = 0;
  const texts = { search: "GEHEIM", description: "x", extension: theirs.extension, number: theirs.external, ...extra };
  for (const wish of ["logIn", "logOut", "pause", "resume", ""])
    for (const query of [
      { wish, on: "true", ...texts },
      { wish, on: "false", search: "", number: us.external },
    ]) {
      const reply = await ask(phone.url, { method, path, query, parameters: {}, headers });
      await expectUnharmed(reply.asked, reply);
      expect(reply.status).not.toBe(401);
    }
  expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
});

test("asked for what is its own, the same words do find it", async () => {
  const us = await ours();
  let shown = 0;
  for (const { methods, paths, parameters: schema } of endpoints) {
    const parameters = parametersFor(schema, { candidates: candidatesFrom(us), optional: false });
    const asked = { method: methods[0] ?? "", path: paths[0] ?? "", query: { key: us.apiKey }, parameters };
    if (asked.method !== "GET") continue;
    const { text } = await ask(`http://${server.address}`, asked);
    if (text.includes(OUR_MARKER)) shown++;
  }
  expect(shown).toBeGreaterThan(10);
});

test("a ticket of ours opens nothing of theirs, whatever it says it is for", async () => {
  const us = await ours();
  await objects.put(`${theirs.marker}/recording`, { bytes: Buffer.from(theirs.marker) });
  await objects.put(`${theirs.marker}/message`, { bytes: Buffer.from(theirs.marker) });
  await objects.put(`${theirs.marker}/fax.pdf`, { bytes: Buffer.from(theirs.marker) });
  for (const opens of ["recording", "voicemail", "fax"] as const) {
    const wish = { exchangeId: us.exchangeId, opens, subject: theirs.uuid, now: Date.now() };
    const { ticket } = await issueTicket(db, wish);
    for (const path of [`/recording/${ticket}`, `/fax_document/${ticket}`]) {
      const reply = await ask(`http://${server.address}`, { method: "GET", path, query: {}, parameters: {} });
      expect(reply.status).toBe(400);
      await expectUnharmed(reply.asked, reply);
    }
  }
});
