// Every operation of the HTTP interface, of the SMS interface and of the web phone, asked with a key of one exchange and
// all that its owner might know of another one.

import { afterEach, expect, test } from "vitest";
import type { Guard } from "../../src/http/door/guard.ts";
import { everyOperation } from "../../src/http/every-operation.ts";
import { issueTicket } from "../../src/store/tickets.ts";
import { httpTown } from "../town/http-town.ts";
import { candidatesFrom, ownCandidates } from "./candidates.ts";
import { type Candidates, everyWayOfAsking, type Parameters, parametersFor } from "./from-schema.ts";
import { databaseWithoutWalls, neighboursIn, OUR_MARKER } from "./neighbours.ts";
import { notingExchange } from "./noting-exchange.ts";

const { askedFor, exchange, faxes, webLogins } = notingExchange();
const db = await databaseWithoutWalls();
const { server, objects } = await httpTown({ exchange, faxes, webLogins, db });
const { theirs, ours, expectHarmless, expectUntouched } = await neighboursIn(db);
afterEach(expectUntouched);
const candidates = candidatesFrom(theirs);
const here = `http://${server.address}`;

function knownBy(...ways: Guard["knows"][]) {
  const found = everyOperation.filter(({ guards }) => guards.some(({ knows }) => ways.includes(knows)));
  return found.map((it) => ({
    ...it,
    name: `${it.methods[0]} ${it.paths[0]}`,
    method: it.methods[0] ?? "",
    path: it.paths[0] ?? "",
  }));
}

test("every operation is asked below in the way it knows who asks", () => {
  expect(knownBy("key", "ticket", "account", "token")).toHaveLength(everyOperation.length);
});

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
    method,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
  });
  const asked = `${method} ${filled}?${search} ${JSON.stringify(rest)}`;
  return { asked, status: response.status, text: await response.text() };
}

test.each(knownBy("key", "ticket"))(
  "$name reaches nothing of another exchange",
  async ({ methods, paths, parameters: schema }) => {
    const us = await ours();
    const own = ownCandidates(us, methods[0] === "POST" ? "thing.create" : "thing.change");
    askedFor.length = 0;
    const query = { key: us.apiKey };
    for (const parameters of everyWayOfAsking(schema, candidates, own)) {
      const reply = await ask(here, {
        method: methods[0] ?? "",
        path: paths[0] ?? "",
        query,
        parameters,
      });
      expectHarmless(reply.asked, reply);
      expect(reply.status, reply.asked).not.toBe(401);
    }
    for (const method of methods)
      for (const path of paths)
        for (const parameters of [
          { ...parametersFor(schema, { candidates }), ...extra },
          { ...parametersFor(schema, { candidates: own(), optional: false }), ...extra, key: theirs.uuid },
        ]) {
          const reply = await ask(here, { method, path, query, parameters });
          expectHarmless(reply.asked, reply);
        }
    expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
  },
);

test.each(knownBy("account"))(
  "$name reaches nothing of another exchange",
  async ({ method, path, parameters: schema }) => {
    const us = await ours();
    const account: Candidates = { username: [us.username], password: [us.smsPassword] };
    const own = ownCandidates(us, "sms.change");
    const ways = [...everyWayOfAsking(schema, { ...candidates, ...account }, () => ({ ...own(), ...account }))];
    for (const parameters of [...ways, ...ways.slice(0, 1).map((way) => ({ ...way, ...extra }))]) {
      const reply = await ask(here, { method, path, query: {}, parameters });
      expectHarmless(reply.asked, reply);
      expect(reply.status, reply.asked).not.toBe(401);
    }
    const strange = { ...ways[0], username: theirs.username };
    expect(await ask(here, { method, path, query: {}, parameters: strange })).toMatchObject({ status: 401 });
  },
);

test.each(knownBy("token"))("$name of the web phone reaches nothing of another exchange", async ({ method, path }) => {
  const us = await ours();
  const headers = { authorization: `Bearer ${us.webphoneToken}` };
  askedFor.length = 0;
  const texts = {
    call: theirs.missedUuid,
    answers: "{}",
    search: "GEHEIM",
    description: "x",
    extension: theirs.extension,
    number: theirs.external,
    ...extra,
  };
  for (const wanted of ["logIn", "logOut", "pause", "resume", ""])
    for (const query of [
      { wanted, on: "true", ...texts },
      { wanted, on: "false", search: "", number: us.external },
    ]) {
      const reply = await ask(here, { method, path, query, parameters: {}, headers });
      expectHarmless(reply.asked, reply);
      expect(reply.status).not.toBe(401);
    }
  expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
});

test("asked for what is its own, the same words do find it", async () => {
  const us = await ours();
  let shown = 0;
  for (const { methods, paths, parameters: schema } of knownBy("key", "ticket")) {
    const parameters = parametersFor(schema, { candidates: candidatesFrom(us), optional: false });
    const asked = { method: methods[0] ?? "", path: paths[0] ?? "", query: { key: us.apiKey }, parameters };
    if (asked.method !== "GET") continue;
    const { text } = await ask(here, asked);
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
    const wanted = { exchangeId: us.exchangeId, opens, subject: theirs.uuid, now: Date.now() };
    const { ticket } = await issueTicket(db, wanted);
    for (const path of [`/recording/${ticket}`, `/fax_document/${ticket}`]) {
      const reply = await ask(here, { method: "GET", path, query: {}, parameters: {} });
      expect(reply.status).toBe(400);
      expectHarmless(reply.asked, reply);
    }
  }
});
