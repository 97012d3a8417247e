// All that the reference describes: both APIs, in the order in which people look for things.

import type { Endpoint } from "../door/endpoint.ts";
import type { SmsEndpoint } from "../sms/door.ts";
import { smsApi } from "../sms/routes.ts";
import type { Documented } from "./openapi.ts";

export function documented(exchangeApi: readonly Endpoint[]): Documented[] {
  return [...exchangeApi, ...smsApi.map(ofSms)];
}

function ofSms({ method, path, refusals = [], ...rest }: SmsEndpoint): Documented {
  return {
    ...rest,
    methods: [method],
    paths: [spelt(method, path)],
    reply: typeof rest.example === "object" ? "json" : "text",
    // Who asks is known by his user name, not by a key.
    keyless: true,
    refusals: [...refusals, { refused: "bad-login" }],
  };
}

/** Paths as clients know them: the server takes a `.json` suffix off, and has a wildcard where a list of numbers stands. */
function spelt(method: string, path: string): string {
  if (path.endsWith("/*")) return path.replace("*", ":phones");
  return method === "POST" && (path === "/v2/send" || path === "/v2/iys_consents") ? `${path}.json` : path;
}
