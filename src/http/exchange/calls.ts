// Calls over the interface: start them, answer, hang up, transfer and mute them while they are up.

import { Type } from "typebox";
import { isRefusal, type Refusal } from "../../exchange/calls/refusal.ts";
import { refuse, type TextAnswer, text } from "../door/answer.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { flag, oneOf, telephone, wholeNumber, words } from "../parameters/schema.ts";

const group = "Calls";
const uuid = "358c20bc-fd86-11e5-87a2-157d41a07454";
const NO_SUCH_CALL = { refused: "no-such-call" } as const;

const soundId = (description: string) =>
  Type.Optional(wholeNumber({ least: 1, most: Number.MAX_SAFE_INTEGER, description }));

const forBoth = {
  caller_id: Type.Optional(telephone({ description: "one of the exchange's own numbers", example: "908501234567" })),
  timeout: Type.Optional(wholeNumber({ least: 10, most: 60, default: 30, description: "seconds each side is rung" })),
  announcement_to_caller: soundId("sound played to the caller at answer"),
  announcement_to_callee: soundId("sound played to the called party at answer"),
};

const callId = words({
  description: "the call's UUID, from originate or a call event",
  example: uuid,
  missing: () => ({ refused: "no-such-call" }),
});

export const originate = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/originate"],
  summary: "Connect an extension with a number",
  description:
    "Rings the extension first; when it picks up, the destination is dialled. Without `manual_answer` the phone is asked to answer by itself. Answers the call's UUID at once.",
  parameters: Type.Object({
    extension: words({ description: "rung first", example: "1000", missing: () => ({ refused: "missing-extension" }) }),
    destination: telephone({
      description: "90…, 0…, 00… or +…, or an extension",
      example: "908505320000",
      missing: () => ({ refused: "invalid-destination", destination: "" }),
    }),
    manual_answer: Type.Optional(flag({ description: "wait for somebody to pick the extension up" })),
    ...forBoth,
  }),
  guards: [key, limit("originate"), body, schema],
  reply: "text",
  example: uuid,
  refusals: [
    { refused: "extension-not-found", extension: "1005" },
    { refused: "invalid-destination", destination: "1234" },
    { refused: "destination-barred", destination: "0049301234567", why: "international" },
    { refused: "extension-not-reachable", extension: "1005" },
    { refused: "do-not-disturb", extension: "1000" },
    { refused: "misfit", field: "caller_id", value: "905550000000" },
    { refused: "out-of-range", field: "timeout", least: 10, most: 60 },
  ],
  async handle(wanted, { exchange, exchangeId, limit }) {
    const request = {
      extension: wanted.extension,
      destination: wanted.destination,
      callerId: wanted.caller_id,
      manualAnswer: wanted.manual_answer ?? false,
      seconds: wanted.timeout ?? 30,
      announcements: { toCaller: wanted.announcement_to_caller, toCallee: wanted.announcement_to_callee },
    };
    const started = await exchange.originate(exchangeId, request, limit);
    return isRefusal(started) ? refuse(started) : text(started.callUuid);
  },
});

export const bridge = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/bridge"],
  summary: "Connect two outside numbers",
  description:
    "Dials the source, then the destination; both see only the exchange's number. The answer is held until the source has answered or failed.",
  parameters: Type.Object({
    source: telephone({
      description: "dialled first",
      example: "905321234567",
      missing: () => ({ refused: "invalid-source", source: "" }),
    }),
    destination: telephone({
      description: "dialled when the source has answered",
      example: "908505320000",
      missing: () => ({ refused: "invalid-destination", destination: "" }),
    }),
    ...forBoth,
    recording_enabled: Type.Optional(flag({ description: "`false` switches recording off for this call" })),
  }),
  guards: [key, limit("originate"), body, schema],
  reply: "text",
  example: uuid,
  refusals: [
    { refused: "invalid-destination", destination: "1234" },
    { refused: "destination-barred", destination: "0049301234567", why: "international" },
    { refused: "call-failed", cause: "USER_BUSY" },
  ],
  async handle(wanted, { exchange, exchangeId, limit }) {
    const request = {
      source: wanted.source,
      destination: wanted.destination,
      callerId: wanted.caller_id,
      seconds: wanted.timeout ?? 30,
      announcements: { toCaller: wanted.announcement_to_caller, toCallee: wanted.announcement_to_callee },
      recordingEnabled: wanted.recording_enabled ?? true,
    };
    const started = await exchange.bridge(exchangeId, request, limit);
    return isRefusal(started) ? refuse(started) : text(started.callUuid);
  },
});

export const hangUp = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/hangup/:id", "/hangup"],
  summary: "End a call",
  parameters: Type.Object({ id: callId }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "+OK",
  refusals: [NO_SUCH_CALL],
  handle: async ({ id }, { exchange, exchangeId }) => done(exchange.hangUp(exchangeId, id, "interface")),
});

export const answer = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/answer/:id", "/answer"],
  summary: "Pick up the ringing extension of a call started with manual_answer",
  parameters: Type.Object({ id: callId }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "+OK",
  refusals: [NO_SUCH_CALL],
  handle: async ({ id }, { exchange, exchangeId, limit }) => done(await limit.hold(exchange.answer(exchangeId, id))),
});

export const transfer = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/transfer/:id", "/transfer"],
  summary: "Send a call on to an extension",
  description:
    "The extension that talks now is taken off the line; the other party is rung through to the new one. An extension " +
    "without a phone is refused, and the call stays, unless it says who takes its calls.",
  parameters: Type.Object({
    id: callId,
    user_number: words({
      description: "the extension",
      example: "1001",
      missing: () => ({ refused: "missing-extension" }),
    }),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "+OK",
  refusals: [
    NO_SUCH_CALL,
    { refused: "extension-not-found", extension: "1005" },
    { refused: "extension-not-reachable", extension: "1005" },
  ],
  handle: async ({ id, user_number }, { exchange, exchangeId, limit }) =>
    done(await exchange.transfer(exchangeId, id, user_number, limit)),
});

export const mute = endpoint({
  needs: ["exchange"],
  group,
  methods: ["GET", "POST"],
  paths: ["/mute/:id", "/mute"],
  summary: "Mute the extension of a call, or let it be heard again",
  parameters: Type.Object({
    id: callId,
    state: oneOf(["on", "off"], {
      missing: () => ({ refused: "not-one-of", field: "state", choices: ["on", "off"] }),
      wrong: () => ({ refused: "not-one-of", field: "state", choices: ["on", "off"] }),
    }),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "+OK",
  refusals: [NO_SUCH_CALL, { refused: "not-one-of", field: "state", choices: ["on", "off"] }],
  handle: async ({ id, state }, { exchange, exchangeId }) => done(await exchange.mute(exchangeId, id, state === "on")),
});

function done(outcome: Refusal | "done"): TextAnswer | Refused {
  return outcome === "done" ? text("+OK") : refuse(outcome);
}
