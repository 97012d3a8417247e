// One question about everything: whom, what and which calls a few letters or digits mean. Nobody finds what he may not list.

import { Type } from "typebox";
import { searchEverywhere } from "../../../store/search.ts";
import { operation } from "../operation/operation.ts";
import { name } from "./fields.ts";

/** Of each kind: more is a list, and has its page. */
const MOST = 6;

export const search = {
  "search.everywhere": operation({
    role: "read-only",
    reads: true,
    parameters: Type.Object({ about: name(64) }),
    handle: ({ about }, { db, exchangeId }) => searchEverywhere(db, exchangeId, about.trim(), MOST),
  }),
};
