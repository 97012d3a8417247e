// What address books are asked for, as the library writes it down.

import type { DAVRequest } from "tsdav";

const NAMESPACES = {
  "xmlns:d": "DAV:",
  "xmlns:cs": "http://calendarserver.org/ns/",
  "xmlns:card": "urn:ietf:params:xml:ns:carddav",
};

export function propfind(depth: "0" | "1", prop: Record<string, object>): DAVRequest {
  return {
    method: "PROPFIND",
    namespace: "d",
    headers: { depth },
    body: { propfind: { _attributes: NAMESPACES, prop } },
  };
}

/** What has changed since the token was given (RFC 6578). */
export function syncReport(token: string): DAVRequest {
  const report = { "sync-token": token, "sync-level": 1, "d:prop": { "d:getetag": {} } };
  return {
    method: "REPORT",
    namespace: "d",
    headers: { depth: "0" },
    body: { "sync-collection": { _attributes: NAMESPACES, ...report } },
  };
}

/** Cards by their paths (RFC 6352). */
export function multiGet(paths: readonly string[]): DAVRequest {
  const wanted = { "d:prop": { "d:getetag": {}, "card:address-data": {} }, "d:href": paths };
  return {
    method: "REPORT",
    namespace: "card",
    headers: { depth: "0" },
    body: { "addressbook-multiget": { _attributes: NAMESPACES, ...wanted } },
  };
}
