// One question about everything: whom, what and which calls a few letters or digits mean. Nobody finds what he may not list.

import { Type } from "typebox";
import { firstLanguage } from "../../../languages.ts";
import { hasRight } from "../../../nouns/role.ts";
import { searchEverywhere } from "../../../store/search.ts";
import { operation } from "../operation/operation.ts";
import { name, readersLanguage } from "./fields.ts";

/** Of each kind: more is a list, and has its page. */
const MOST = 6;

export const search = {
  "search.everywhere": operation({
    right: "directory",
    reads: true,
    parameters: Type.Object({ about: name(64), language: readersLanguage() }),
    handle({ about, language = firstLanguage.console }, { db, exchangeId, scope, staff }) {
      const may = {
        setup: hasRight(staff, "see-setup"),
        queues: hasRight(staff, "see-queues"),
        people: hasRight(staff, "see-contacts"),
        calls: hasRight(staff, "see-calls"),
        scope,
      };
      return searchEverywhere(db, exchangeId, { about: about.trim(), most: MOST, may, language });
    },
  }),
};
