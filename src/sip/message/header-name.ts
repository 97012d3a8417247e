// Header names: any spelling, and the compact one-letter forms, to the one canonical name.

const CANONICAL = [
  ...["Accept", "Accept-Encoding", "Accept-Language", "Alert-Info", "Allow", "Authentication-Info", "Authorization"],
  ...["Call-ID", "Call-Info", "Contact", "Content-Disposition", "Content-Encoding", "Content-Language"],
  ...["Content-Length", "Content-Transfer-Encoding", "Content-Type", "CSeq", "Date", "Diversion", "Error-Info"],
  ...["Expires", "Flow-Timer", "From", "History-Info", "Identity", "In-Reply-To", "Join", "Max-Forwards"],
  ...["MIME-Version", "Min-Expires", "Organization", "P-Asserted-Identity", "P-Preferred-Identity", "Path", "Priority"],
  ...["Privacy", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Require", "Reason", "Record-Route"],
  ...["Remote-Party-ID", "Reply-To", "Require", "Retry-After", "Route", "Server", "Service-Route", "SIP-ETag"],
  ...["SIP-If-Match", "Subject", "Subscription-State", "Supported", "Timestamp", "To", "Unsupported", "User-Agent"],
  ...["Via", "Warning", "WWW-Authenticate", "RSeq", "RAck", "Allow-Events", "Event", "Min-SE", "Session-Expires"],
  ...["Refer-To", "Referred-By", "Replaces", "Accept-Contact", "Reject-Contact", "Request-Disposition"],
];

const COMPACT: Record<string, string> = {
  a: "Accept-Contact",
  b: "Referred-By",
  c: "Content-Type",
  d: "Request-Disposition",
  e: "Content-Encoding",
  f: "From",
  i: "Call-ID",
  j: "Reject-Contact",
  k: "Supported",
  l: "Content-Length",
  m: "Contact",
  n: "Identity-Info",
  o: "Event",
  r: "Refer-To",
  s: "Subject",
  t: "To",
  u: "Allow-Events",
  v: "Via",
  x: "Session-Expires",
  y: "Identity",
};

type Known = { lower: string; name: string };

// Found by length and first letter, then letter by letter, so that reading a name allocates nothing.
const LONGEST = 31;
const drawers: Known[][] = Array.from({ length: (LONGEST + 1) * 32 }, () => []);
for (const name of CANONICAL) file(name.toLowerCase(), name);
for (const [letter, name] of Object.entries(COMPACT)) file(letter, name);

function file(lower: string, name: string): void {
  drawers[drawerOf(lower.length, lower.charCodeAt(0))]!.push({ lower, name });
}

function drawerOf(length: number, firstLetter: number): number {
  return (length << 5) | (firstLetter & 31);
}

/** The canonical name of `text[start, end)`; a name nobody knows stays as it was written. */
export function canonicalName(text: string, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST) return text.slice(start, end);
  // The drawer exists for every length up to the longest and every letter.
  const drawer = drawers[drawerOf(length, text.charCodeAt(start))]!;
  for (const known of drawer) if (isSameName(text, start, known.lower)) return known.name;
  return text.slice(start, end);
}

function isSameName(text: string, start: number, lower: string): boolean {
  for (let at = 0; at < lower.length; at++) {
    const code = text.charCodeAt(start + at);
    if ((code >= 65 && code <= 90 ? code | 32 : code) !== lower.charCodeAt(at)) return false;
  }
  return true;
}
