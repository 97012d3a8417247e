// Bodies and paths as clients really send them.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function encodingRows({ ours }: World): Row[] {
  const contact = "name=Ali&surname=Veli&phone=05531234567";
  const json = JSON.stringify({ key: ours.key, name: "Ali", surname: "Veli", phone: "05531234567" });
  return [
    { what: "a POST with everything in the query and no body", ask: `POST /contacts?${contact}`, text: NUMBER },
    { what: "a POST with an empty form body", ask: `POST /contacts?${contact}`, headers: form, body: "", text: NUMBER },
    {
      what: "a POST with Content-Type JSON and an empty body",
      ask: `POST /contacts?${contact}`,
      headers: jsonType,
      body: "",
      text: NUMBER,
    },
    { what: "a form", ask: "POST /contacts", headers: form, body: contact, text: NUMBER },
    { what: "a form without a content type", ask: "POST /contacts", body: contact, text: NUMBER },
    {
      what: "a form called text/plain",
      ask: "POST /contacts",
      headers: { "content-type": "text/plain" },
      body: contact,
      text: NUMBER,
    },
    { what: "a form called JSON", ask: "POST /contacts", headers: jsonType, body: contact, text: NUMBER },
    { what: "JSON", ask: "POST /contacts", key: null, headers: jsonType, body: json, text: NUMBER },
    {
      what: "JSON with a charset",
      ask: "POST /contacts",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: json,
      text: NUMBER,
    },
    { what: "JSON without a content type", ask: "POST /contacts", body: json, text: NUMBER },
    { what: "JSON called a form", ask: "POST /contacts", headers: form, body: json, text: NUMBER },
    {
      what: "JSON called text/plain",
      ask: "POST /contacts",
      headers: { "content-type": "text/plain" },
      body: json,
      text: NUMBER,
    },
    {
      what: "JSON with a byte order mark",
      ask: "POST /contacts",
      headers: jsonType,
      body: `\ufeff${json}`,
      text: NUMBER,
    },
    { what: "JSON behind blanks", ask: "POST /contacts", body: `\r\n  ${json}`, text: NUMBER },
    {
      what: "a content type that is none",
      ask: "POST /contacts",
      headers: { "content-type": ";;;nonsense" },
      body: contact,
      text: NUMBER,
    },
    {
      what: "a multipart form",
      ask: "POST /contacts",
      headers: { "content-type": "multipart/form-data; boundary=XX" },
      body: multipart({ name: "Ali", surname: "Veli", phone: "0553" }),
      text: NUMBER,
    },
    {
      what: "a body over a query: the body wins",
      ask: "POST /contact_groups?name=query",
      headers: form,
      body: "name=body",
      after: async ({ ask }) => expect((await ask("GET /contact_groups")).text).toContain('"body"'),
      text: NUMBER,
    },
    {
      what: "a GET with a JSON content type and no body",
      ask: "GET /caller_ids",
      headers: jsonType,
      json: ours.callerIds,
    },
    {
      what: "broken JSON",
      ask: "POST /contacts",
      headers: jsonType,
      body: '{"name": "Ali",}',
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "JSON that lacks a comma",
      ask: "POST /contacts",
      body: '{"name": "Ali" "surname": "V"}',
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "a JSON list where an object belongs",
      ask: "POST /contacts",
      headers: jsonType,
      body: "[1,2]",
      status: 400,
      text: "INVALID_JSON",
    },
    {
      what: "a JSON string where an object belongs",
      ask: "POST /contacts",
      headers: jsonType,
      body: '"Ali"',
      status: 400,
      text: "INVALID_JSON",
    },
    ...["*/*", "text/plain", "application/json", "application/json, text/plain, */*", "image/png"].map((accept) => ({
      what: `Accept: ${accept} is never a reason to refuse`,
      ask: `POST /contacts?${contact}`,
      headers: { accept },
      text: NUMBER,
    })),

    { what: "a trailing slash", ask: "GET /caller_ids/", json: ours.callerIds },
    { what: "doubled slashes", ask: "GET //caller_ids", json: ours.callerIds },
    { what: "a .json suffix", ask: "GET /caller_ids.json", json: ours.callerIds },
    {
      what: "a .json suffix behind an ID",
      ask: "DELETE /contacts/999999.json",
      status: 400,
      text: "cannot find group with id: 999999",
    },
    { what: "a POST with a trailing slash is not redirected", ask: `POST /contacts/?${contact}`, text: NUMBER },
    { what: "POST /contacts/{id} is no delete", ask: "POST /contacts/1", status: 405, text: "Method Not Allowed" },
    { what: "an unknown path", ask: "GET /nothing", status: 404, text: "Not Found" },
    {
      what: "an unknown path needs no key to be unknown",
      ask: "GET /nothing",
      key: null,
      status: 404,
      text: "Not Found",
    },
    {
      what: "the documentation's payload examples are not an operation",
      ask: "GET /webhook-payload-examples",
      status: 404,
      text: "Not Found",
    },
    { what: "stopping a campaign by GET", ask: "GET /ivr_campaigns/112/stop", status: 404, text: "Not Found" },
    { what: "a wrong method", ask: "DELETE /caller_ids", status: 405, text: "Method Not Allowed" },
  ];
}

function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--XX--\r\n`;
}
