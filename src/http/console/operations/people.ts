// Those outside whose calls we do not take, and those who left a message.

import { Type } from "typebox";
import { listBlockedNumbers } from "../../../store/blocked-numbers.ts";
import { findExtension } from "../../../store/extensions.ts";
import { deleteMessage } from "../../../store/mailboxes.ts";
import { withinOf } from "../../../store/scope.ts";
import { hasVoicemail, listVoicemail, markVoicemailRead } from "../../../store/voicemail.ts";
import { blockNumber, unblockNumber } from "../../exchange/blocked-numbers.ts";
import { forward } from "../operation/forward.ts";
import { operation } from "../operation/operation.ts";
import { name, pageFields, text, uuid } from "./fields.ts";

const direction = Type.Enum(["inbound", "outbound"]);

export const people = {
  "blocked.list": operation({
    right: "see-blocked",
    reads: true,
    parameters: Type.Object(pageFields),
    handle: (page, { db, exchangeId }) => listBlockedNumbers(db, exchangeId, page),
  }),

  "blocked.add": operation({
    right: "change-blocked",
    parameters: Type.Object({ number: name(32), direction }),
    handle: (wanted, context) => forward(blockNumber, wanted, context),
  }),

  "blocked.remove": operation({
    right: "change-blocked",
    parameters: Type.Object({ number: name(32), direction }),
    handle: (wanted, context) => forward(unblockNumber, wanted, context),
  }),

  "voicemail.list": operation({
    right: "see-voicemail",
    reads: true,
    parameters: Type.Object({ ...pageFields, extension: text(8), read: Type.Optional(Type.Boolean()) }),
    handle: ({ extension, read, ...page }, { db, exchangeId, scope }) => {
      const wanted = { from: undefined, before: undefined, uuid: undefined, read, userNumber: extension || undefined };
      return listVoicemail(db, exchangeId, { ...wanted, mailboxes: withinOf(scope)?.extensions }, page);
    },
  }),

  "voicemail.markRead": operation({
    right: "change-voicemail",
    parameters: Type.Object({ uuid: uuid() }),
    async handle({ uuid }, { db, exchangeId, scope }) {
      if (!(await hasVoicemail(db, exchangeId, uuid.toLowerCase(), withinOf(scope)?.extensions)))
        return { refused: "not-found", what: "message", which: uuid } as const;
      await markVoicemailRead(db, exchangeId, uuid.toLowerCase());
      return {};
    },
  }),

  "voicemail.delete": operation({
    right: "change-voicemail",
    parameters: Type.Object({ uuid: uuid(), extension: name(8) }),
    async handle({ uuid, extension }, { db, exchangeId, scope }) {
      const mailbox = await findExtension(db, exchangeId, extension);
      if (!mailbox || !(await hasVoicemail(db, exchangeId, uuid.toLowerCase(), withinOf(scope)?.extensions)))
        return { refused: "not-found", what: "message", which: uuid } as const;
      await deleteMessage(db, mailbox.id, uuid.toLowerCase());
      return {};
    },
  }),
};
