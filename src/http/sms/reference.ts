// What the SMS API's operations have in common in the reference: credentials, and the words of a refused send.

import { Type } from "typebox";
import type { WireRefusal } from "../door/wire-words.ts";

export const credentials = {
  username: Type.String({ description: "SMS user name" }),
  password: Type.String({ description: "its API password" }),
};

const CODES = [
  "INVALID_SOURCE_ADDRESS",
  "NUMERIC_SOURCE_ADDRESS_NOT_ALLOWED",
  "MISSING_MESSAGE",
  "MESSAGE_TOO_LONG",
  "INVALID_PERIOD",
  "INVALID_DELIVERY_TIME",
  "INVALID_DATACODING",
  "MISSING_IYS_BRAND_CODE",
  "AHS_AUTHORIZATION_ERROR",
  "NO_AHS_BRAND_ERROR",
  "INVALID_IYS_RECIPIENT_TYPE",
  "MISSING_DESTINATION_ADDRESS",
  "INVALID_DESTINATION_ADDRESS",
  "MUKERRER_RAPORLAMA",
  "INSUFFICIENT_CREDITS",
  "FORBIDDEN_MESSAGE",
  "MISSING_OPT_OUT",
  "MESSAGE_COUNT_LIMIT_EXCEEDED",
] as const;

export const submitRefusals: readonly WireRefusal[] = [
  ...CODES.map((code) => ({ refused: "sms", code }) as const),
  { refused: "unreadable", what: "utf8" },
  { refused: "unreadable", what: "json" },
];

export const paging = {
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
};
