// Calls: how they are asked for in every encoding, and each refusal in the interface's words, by an exchange without sound.

import { expect } from "vitest";
import type { Exchange } from "../../../src/exchange/exchange.ts";
import type { World } from "../../town/exchange-world.ts";
import { townWith } from "../../town/town.ts";
import { form, jsonType, type Row } from "./row.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FAR = "905321234567";
const unknown = "00000000-0000-4000-8000-000000000000";
const seconds = "timeout must be between 10 and 60";
const noChannel = { status: 400, text: "No such channel!" };

/** An exchange with a phone at 1000 and somebody outside, whichever exchange of the world asks for it. */
export async function silentExchange(): Promise<Exchange> {
  const { exchange, exchangeId, phone } = await townWith({ desks: { "1000": {}, "1001": {} } });
  phone("1000");
  phone(FAR);
  return {
    ...exchange,
    originate: (_, request) => exchange.originate(exchangeId, request),
    bridge: (_, request) => exchange.bridge(exchangeId, request),
    hangUp: (_, uuid, who) => exchange.hangUp(exchangeId, uuid, who),
    answer: (_, uuid) => exchange.answer(exchangeId, uuid),
    transfer: (_, uuid, extension) => exchange.transfer(exchangeId, uuid, extension),
    mute: (_, uuid, on) => exchange.mute(exchangeId, uuid, on),
    waiting: () => exchange.waiting(exchangeId),
  };
}

export function callRows(): Row[] {
  return [...originateRows, ...bridgeRows, ...steeringRows];
}

const to = `extension=1000&destination=${FAR}`;

const originateRows: Row[] = [
  { what: "originate by GET", ask: `GET /originate?${to}`, text: UUID },
  { what: "originate by a form", ask: "POST /originate", headers: form, body: to, text: UUID },
  {
    what: "originate by JSON, and text back though JSON is asked for",
    ask: "POST /originate",
    headers: { ...jsonType, accept: "application/json" },
    body: JSON.stringify({ extension: 1000, destination: FAR, caller_id: "", timeout: "30", manual_answer: "true" }),
    text: UUID,
  },
  {
    what: "originate with all there is, and more",
    ask: `GET /originate?${to}&timeout=60&announcement_to_caller=1&announcement_to_callee=2&custom_call_type=x`,
    text: UUID,
  },
  ...["05321234567", "5321234567", "%2B90%20532%20123%2045%2067", "+905321234567", "00905321234567", "1001"].map(
    (destination) => ({
      what: `originate to ${destination}`,
      ask: `GET /originate?extension=1000&destination=${destination}`,
      text: UUID,
    }),
  ),
  {
    what: "originate from nobody's extension",
    ask: `GET /originate?extension=1005&destination=${FAR}`,
    status: 400,
    text: "extension 1005 not found",
  },
  { what: "originate from nowhere", ask: `GET /originate?destination=${FAR}`, status: 400, text: "missing extension" },
  {
    what: "originate to nothing",
    ask: "GET /originate?extension=1000",
    status: 400,
    text: "invalid destination: ",
  },
  {
    what: "originate to an extension that is none",
    ask: "GET /originate?extension=1000&destination=1234",
    status: 400,
    text: "invalid destination: 1234",
  },
  {
    what: "originate with a stranger's number",
    ask: `GET /originate?${to}&caller_id=905550000000`,
    status: 400,
    text: "invalid caller_id: 905550000000",
  },
  {
    what: "originate with a sound that is not there",
    ask: `GET /originate?${to}&announcement_to_callee=4711`,
    status: 400,
    text: "cannot find announcement with id: 4711",
  },
  { what: "originate from a phone that is not there", ...unreachable() },
  ...["9", "61", "soon"].map((timeout) => ({
    what: `originate with timeout=${timeout}`,
    ask: `GET /originate?${to}&timeout=${timeout}`,
    status: 400,
    text: seconds,
  })),
];

// A call that never came about is answered with its cause.
function unreachable(): Pick<Row, "ask" | "status" | "text"> {
  return { ask: `GET /originate?extension=1001&destination=${FAR}`, status: 400, text: "NO_USER_RESPONSE" };
}

const bridgeRows: Row[] = [
  {
    what: "bridge to an extension",
    ask: `GET /bridge?source=${FAR}&destination=1234`,
    status: 400,
    text: "invalid destination: 1234",
  },
  {
    what: "bridge from an extension",
    ask: `GET /bridge?source=1234&destination=${FAR}`,
    status: 400,
    text: "invalid source: 1234",
  },
  { what: "bridge to nobody", ask: `GET /bridge?source=${FAR}`, status: 400, text: "invalid destination: " },
  {
    what: "bridge with too little time",
    ask: `GET /bridge?source=${FAR}&destination=${FAR}&timeout=5`,
    status: 400,
    text: seconds,
  },
  {
    what: "bridge with a stranger's number",
    ask: `POST /bridge`,
    body: `source=${FAR}&destination=${FAR}&caller_id=905550000000`,
    status: 400,
    text: "invalid caller_id: 905550000000",
  },
];

/** A call that is up, steered the ways the interface knows. */
const steered = (what: string, steer: (uuid: string) => [line: string, body?: string], text: string): Row => ({
  what,
  ask: `GET /originate?${to}&manual_answer=true`,
  text: UUID,
  after: async ({ ask }: World) => {
    const [line, body] = steer((await ask(`GET /originate?${to}&manual_answer=true`)).text);
    const said = await ask(line, body === undefined ? {} : { body });
    expect(said).toMatchObject({ status: text === "+OK" ? 200 : 400, type: "text/plain; charset=utf-8", text });
  },
});

const steeringRows: Row[] = [
  steered("a call is hung up", (uuid) => [`GET /hangup/${uuid}`], "+OK"),
  steered("a call is hung up by parameter", (uuid) => [`GET /hangup?id=${uuid}`], "+OK"),
  steered("a call that nobody talks on is not muted", (uuid) => [`GET /mute/${uuid}?state=on`], "No such channel!"),
  steered(
    "a call goes to nobody's extension",
    (uuid) => [`POST /transfer?id=${uuid}&user_number=1005`],
    "extension 1005 not found",
  ),
  steered("a call goes nowhere", (uuid) => [`GET /transfer/${uuid}`], "missing extension"),
  ...[
    ...[`GET /hangup/${unknown}`, "GET /hangup/1234", `GET /answer/${unknown}`, `POST /answer?id=${unknown}`],
    ...[`POST /transfer?id=${unknown}&user_number=1001`, `GET /transfer/${unknown}?user_number=1001`],
    ...[`GET /mute/${unknown}?state=on`, "GET /hangup", "POST /answer"],
  ].map((ask) => ({ what: `${ask} finds no call`, ask, ...noChannel })),
  { what: "answer by a form", ask: "POST /answer", headers: form, body: `id=${unknown}`, ...noChannel },
  {
    what: "answer by JSON",
    ask: "POST /answer",
    headers: jsonType,
    body: JSON.stringify({ id: unknown }),
    ...noChannel,
  },
  { what: "mute without a state", ask: `GET /mute/${unknown}`, status: 400, text: "state must be on or off" },
  { what: "mute a little", ask: `GET /mute/${unknown}?state=low`, status: 400, text: "state must be on or off" },
  { what: "nobody waits", ask: "GET /queues/pending", json: [] },
];
