// Sources of contacts: what is set of them, how they fare, and what is found where one is to be.

import { Type } from "typebox";
import { readColumns } from "../../../contacts/headings.ts";
import { trySource } from "../../../contacts/try-out.ts";
import { contactSource } from "../../../nouns/contact-source.ts";
import { shareOf } from "../../../readers/task.ts";
import { sourcePassword } from "../../../store/contact-runs.ts";
import {
  confirmRemovals,
  createContactSource,
  deleteContactSource,
  listContactSources,
  listSourceFaults,
  makeSourceDue,
  type SourceChanges,
  updateContactSource,
} from "../../../store/contact-sources.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { type ConsoleContext, operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { checkedChanges } from "./checked-changes.ts";
import { name, nothing } from "./fields.ts";
import { changesSchema, wholeSchemas } from "./noun-schema.ts";

const SHOWN_FAULTS = 200;

const changesOf = changesSchema(contactSource);
const called = name(64);
const { kind, url } = wholeSchemas(contactSource);
const notFound = (which: string) => ({ refused: "not-found", what: "contact source", which }) as const;

export const contactSources = {
  "contactSources.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listContactSources(db, exchangeId),
  }),

  "contactSources.faults": operation({
    right: "see-setup",
    reads: true,
    parameters: Type.Object({ name: called }),
    handle: ({ name }, { db, exchangeId }) => listSourceFaults(db, { exchangeId, name, limit: SHOWN_FAULTS }),
  }),

  "contactSources.create": operation({
    right: "set-up",
    parameters: Type.Object({ name: called, kind, url, changes: changesOf }),
    async handle({ name, kind, url, changes }, context) {
      const { db, secrets, exchangeId, clock } = context;
      const checked = await checkedSource({ ...changes, kind, url }, context);
      if ("refused" in checked) return checked;
      const source = { ...checked.kept, kind, url };
      const made = await createContactSource(db, secrets, { exchangeId, name, source, at: new Date(clock.wall()) });
      return isRefusal(made) ? made : { name };
    },
  }),

  "contactSources.update": operation({
    right: "set-up",
    parameters: Type.Object({ name: called, changes: changesOf }),
    async handle({ name, changes }, context) {
      const { db, secrets, exchangeId, clock } = context;
      const checked = await checkedSource(changes, context);
      if ("refused" in checked) return checked;
      const { kind: _kind, ...kept } = checked.kept; // said once, when it is made
      const changed = { exchangeId, name, changes: kept, at: new Date(clock.wall()) };
      return (await updateContactSource(db, secrets, changed)) ? {} : notFound(name);
    },
  }),

  "contactSources.delete": operation({
    right: "set-up",
    parameters: Type.Object({ name: called, keeps: Type.Boolean() }),
    handle: async ({ name, keeps }, { db, exchangeId }) =>
      (await deleteContactSource(db, { exchangeId, name, keeps })) ? {} : notFound(name),
  }),

  "contactSources.run": operation({
    right: "run-again",
    parameters: Type.Object({ name: called }),
    handle: async ({ name }, { db, exchangeId, clock }) =>
      (await makeSourceDue(db, { exchangeId, name, at: new Date(clock.wall()) })) ? {} : notFound(name),
  }),

  "contactSources.confirm": operation({
    right: "set-up",
    parameters: Type.Object({ name: called }),
    handle: async ({ name }, { db, exchangeId, clock }) =>
      (await confirmRemovals(db, { exchangeId, name, at: new Date(clock.wall()) })) ? {} : notFound(name),
  }),

  /** With the settings as they stand in the form; a password that was not typed again is the one that is kept. */
  "contactSources.try": operation({
    right: "set-up",
    reads: true,
    apart: true,
    parameters: Type.Object({ name: called, kind, url, changes: changesOf }),
    async handle({ name, kind, url, changes }, context) {
      const { db, secrets, exchangeId, running, readers } = context;
      if (!running) return { refused: "not-running" } as const;
      const checked = await checkedSource({ ...changes, kind, url }, context);
      if ("refused" in checked) return checked;
      const { address_book = null, username = null, columns = [], password } = checked.kept;
      const kept = password ?? (await sourcePassword(db, secrets, { exchangeId, name }));
      const parts = { requester: running.requester, readers, share: shareOf(exchangeId) };
      return trySource(parts, { kind, url, address_book, username, columns, password: kept });
    },
  }),
};

async function checkedSource(
  { password, ...changes }: SourceChanges,
  { db, exchangeId }: ConsoleContext,
): Promise<{ kept: SourceChanges } | ConsoleRefusal> {
  if (changes.columns && !readColumns(changes.columns)) return { refused: "invalid", field: "columns" };
  const checked = await checkedChanges(contactSource, changes, { db, exchangeId });
  if ("refused" in checked) return checked;
  return { kept: { ...checked.kept, password: password === "" ? undefined : password } };
}
