// Texts that are kept ready for sending.

import { Type } from "typebox";
import { deleteReadyText, listReadyTexts, setReadyText } from "../../../store/sms-ready-texts.ts";
import { operation } from "../operation/operation.ts";
import { lines, name, nothing } from "./fields.ts";

export const readyTexts = {
  "readyTexts.list": operation({
    right: "see-messages",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listReadyTexts(db, exchangeId),
  }),

  "readyTexts.create": operation({
    right: "send-messages",
    parameters: Type.Object({ name: name(60), text: lines(1_071, 1) }),
    handle: async (wanted, { db, exchangeId }) => ({ id: await setReadyText(db, exchangeId, wanted) }),
  }),

  "readyTexts.delete": operation({
    right: "send-messages",
    parameters: Type.Object({ name: name(60) }),
    async handle({ name }, { db, exchangeId }) {
      const deleted = await deleteReadyText(db, exchangeId, name);
      return deleted ? {} : ({ refused: "not-found", what: "text", which: name } as const);
    },
  }),
};
