// Who may ask, and where the key may stand.

import { everyOperation } from "../../../src/http/every-operation.ts";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const wrongKey = "K12345678-1234-5678-4321-123456789012";
const NUMBER = /^\d+$/;

export function keyRows({ ours }: World): Row[] {
  return [
    {
      what: "a wrong key is echoed",
      ask: "GET /caller_ids",
      key: wrongKey,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    },
    {
      what: "a missing key has an empty tail",
      ask: "GET /caller_ids",
      key: null,
      status: 401,
      text: "Gecersiz anahtar: ",
    },
    {
      what: "an empty key counts as missing",
      ask: "GET /caller_ids",
      key: "",
      status: 401,
      text: "Gecersiz anahtar: ",
    },
    {
      what: "an overlong key is echoed in part",
      ask: "GET /caller_ids",
      key: "x".repeat(5_000),
      status: 401,
      text: `Gecersiz anahtar: ${"x".repeat(100)}…`,
    },
    {
      what: "a key is case-sensitive",
      ask: "GET /caller_ids",
      key: ours.key.toLowerCase(),
      status: 401,
      text: `Gecersiz anahtar: ${ours.key.toLowerCase()}`,
    },
    {
      what: "markup in a key stays text",
      ask: "GET /caller_ids",
      key: "%3Cscript%3E",
      status: 401,
      text: "Gecersiz anahtar: <script>",
    },
    ...everyKeyed().map((ask) => ({
      what: `${ask} needs a key`,
      ask,
      key: wrongKey,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    })),
    {
      what: "the key may be in a form",
      ask: "POST /contact_groups",
      key: null,
      headers: form,
      body: `key=${ours.key}&name=F`,
      text: NUMBER,
    },
    {
      what: "the key may be in JSON",
      ask: "POST /contact_groups",
      key: null,
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, name: "J" }),
      text: NUMBER,
    },
    {
      what: "the key may be in the body of a DELETE",
      ask: "DELETE /contacts/999999",
      key: null,
      headers: form,
      body: `key=${ours.key}`,
      status: 400,
      text: "cannot find group with id: 999999",
    },
    {
      what: "the key may be in the JSON body of a DELETE",
      ask: "DELETE /contact_groups/999999",
      key: null,
      headers: jsonType,
      body: JSON.stringify({ key: ours.key }),
      status: 400,
      text: "cannot find group with id: 999999",
    },
    {
      what: "the query's key goes before the body's",
      ask: "POST /contact_groups",
      headers: form,
      body: `key=${wrongKey}&name=Q`,
      text: NUMBER,
    },
    {
      what: "a wrong key in the query is not saved by the body's",
      ask: "POST /contact_groups",
      key: wrongKey,
      headers: form,
      body: `key=${ours.key}&name=Q`,
      status: 401,
      text: `Gecersiz anahtar: ${wrongKey}`,
    },
  ];
}

/** Every method on every path of the interface that is not opened by a ticket. */
function everyKeyed(): string[] {
  return everyOperation
    .filter(({ guards, needs = [] }) => guards.some(({ knows }) => knows === "key") && !needs.includes("faxes"))
    .flatMap(({ methods, paths }) => methods.flatMap((method) => paths.map((path) => `${method} ${path}`)))
    .map((line) => line.replace(/:\w+/, "1"));
}
