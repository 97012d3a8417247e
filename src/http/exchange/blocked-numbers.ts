// Numbers whose calls are refused. `05531234567`, `+905531234567` and `5531234567` are one number.

import { Type } from "typebox";
import { storedForm } from "../../exchange/plan/numbers.ts";
import {
  blockNumber as block,
  listBlockedNumbers as list,
  unblockNumber as unblock,
} from "../../store/blocked-numbers.ts";
import { echo, OK, refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { oneOf, pageParameters, telephone } from "../parameters/schema.ts";
import { paged, pageOf, paginationExample } from "./paging.ts";

const group = "Blocked numbers";
const number = telephone({ example: "05531234567", missing: () => "number required" });
const directions = ["inbound", "outbound"] as const;
const required = [400, "number required"] as const;
const invalid = [400, "invalid number: abc"] as const;

export const listBlockedNumbers = endpoint({
  group,
  methods: ["GET"],
  paths: ["/blocked_numbers"],
  summary: "List blocked numbers",
  parameters: Type.Object(pageParameters),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: { blocked_numbers: [{ id: 4274, number: "905531234567" }], pagination: paginationExample },
  refusals: [[400, "limit must be between 10 and 100"]],
  async handle(parameters, { db, exchangeId }) {
    const page = pageOf(parameters);
    return paged("blocked_numbers", await list(db, exchangeId, page), page, ({ direction, ...rest }) =>
      direction === "inbound" ? rest : { ...rest, direction },
    );
  },
});

export const blockNumber = endpoint({
  group,
  methods: ["POST"],
  paths: ["/blocked_numbers"],
  summary: "Block a number",
  description: "Answers the ID of the record. The number is normalised before it is stored.",
  parameters: Type.Object({
    number,
    direction: Type.Optional(oneOf(directions, { description: "whose calls are refused; inbound unless said" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "20212",
  refusals: [required, invalid, [400, "905531234567 is already blocked"]],
  async handle({ number: sent, direction = "inbound" }, { db, exchangeId }) {
    const number = storedForm(sent);
    if (number === undefined) return refuse(400, `invalid number: ${echo(sent)}`);
    const id = await block(db, { exchangeId, number, direction });
    return id === undefined ? refuse(400, `${number} is already blocked`) : text(id);
  },
});

export const unblockNumber = endpoint({
  group,
  methods: ["DELETE"],
  paths: ["/blocked_numbers/delete", "/blocked_numbers"],
  summary: "Unblock a number",
  parameters: Type.Object({
    number,
    direction: Type.Optional(oneOf(directions, { description: "both directions unless said" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [required, invalid, [400, "905531234567 is not blocked"]],
  async handle({ number: sent, direction }, { db, exchangeId }) {
    const number = storedForm(sent);
    if (number === undefined) return refuse(400, `invalid number: ${echo(sent)}`);
    const unblocked = await unblock(db, { exchangeId, number, direction });
    return unblocked ? OK : refuse(400, `${number} is not blocked`);
  },
});
