// The forms of a web phone's own calls: which it owes, filling one in, and putting one aside.

import { checkAnswers } from "../../forms/answers.ts";
import { writeAuditLine } from "../../store/audit.ts";
import { fillCallForm, findCallForm, formsOwedBy, putFormAside } from "../../store/call-forms.ts";
import { json, refuse } from "../door/answer.ts";
import { limit, unstored } from "../door/guards.ts";
import type { FormSaved, FormShown } from "./shown.ts";
import { sentBody, token, webphoneEndpoint } from "./token.ts";

const DAYS_SHOWN_MS = 7 * 86_400_000;
const MOST_SHOWN = 20;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Forty long texts in the longest spelling of JSON. */
const LONGEST_BODY = 1_500_000;

const guards = [unstored, token, limit("webphone")];

const listForms = webphoneEndpoint({
  methods: ["GET"],
  paths: ["/webphone/forms"],
  guards,
  async handle(_, { db, clock, exchangeId, visitor: { extension } }) {
    const since = new Date(clock.wall() - DAYS_SHOWN_MS);
    const owed = await formsOwedBy(db, { exchangeId, extension, since, most: MOST_SHOWN });
    return json(owed.map(shown));
  },
});

function shown({ at, putAside, queue, ...owed }: Awaited<ReturnType<typeof formsOwedBy>>[number]): FormShown {
  const { callUuid, form, fields, direction, number, name, isUp } = owed;
  const call = { callUuid, direction, number, name, queue: queue ?? "", atMs: at.getTime(), isUp };
  return { ...call, form, fields, aside: putAside };
}

const saveForm = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/form"],
  guards: [...guards, sentBody],
  longestBody: LONGEST_BODY,
  async handle(query, { db, clock, exchangeId, visitor: { extension } }) {
    const callUuid = query.get("call") ?? "";
    const sent = answersIn(query.get("answers") ?? "");
    const found = UUID.test(callUuid) && (await findCallForm(db, { exchangeId, callUuid, extension }));
    if (!found || !sent) return refuse({ refused: "invalid", field: found ? "answers" : "call" });
    const checked = checkAnswers(found.fields, sent);
    if ("problems" in checked) return json({ problems: checked.problems } satisfies FormSaved);
    await db.transaction(async (db) => {
      const at = new Date(clock.wall());
      await fillCallForm(db, { exchangeId, callUuid, extension, answers: checked.answers, by: extension, at });
      const details = { uuid: callUuid, extension };
      await writeAuditLine(db, { exchangeId, doer: "web phone", who: extension, did: "forms.fill", details });
    });
    return json({ saved: true } satisfies FormSaved);
  },
});

const putAside = webphoneEndpoint({
  methods: ["POST"],
  paths: ["/webphone/form-aside"],
  guards,
  async handle(query, { db, exchangeId, visitor: { extension } }) {
    const callUuid = query.get("call") ?? "";
    const isDone = UUID.test(callUuid) && (await putFormAside(db, { exchangeId, callUuid, extension }));
    return isDone ? json({}) : refuse({ refused: "invalid", field: "call" });
  },
});

export const webphoneForms = [listForms, saveForm, putAside];

/** More than all fields of a form, with every choice of each. */
const MOST_VALUES = 10_000;

function answersIn(text: string): Record<string, unknown> | undefined {
  // Looked at first: texts are soon read, however long, and very many values are not.
  if (!hasFewValues(text)) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // whoever sent it meant nothing we know
  }
}

function hasFewValues(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length && values <= MOST_VALUES; at++) {
    const letter = json[at];
    if (letter === '"') for (at++; at < json.length && json[at] !== '"'; at++) if (json[at] === "\\") at++;
    if (letter === "," || letter === "[" || letter === "{") values++;
  }
  return values <= MOST_VALUES;
}
