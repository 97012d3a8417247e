// A session description (RFC 8866) as a plain value, with the few look-ups everyone needs.

export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";

export type Attribute = { name: string; value?: string };

export type MediaLine = {
  /** audio, video, image, application … */
  kind: string;
  port: number;
  /** RTP/AVP, RTP/SAVP, UDP/TLS/RTP/SAVPF, udptl … */
  protocol: string;
  formats: string[];
  /** Address of this line's own c=, when it has one. */
  connection?: string;
  attributes: Attribute[];
};

export type SessionDescription = {
  origin: { username: string; id: string; version: string; address: string };
  name: string;
  connection?: string;
  attributes: Attribute[];
  media: MediaLine[];
};

export function attribute(of: { attributes: Attribute[] }, name: string): string | undefined {
  return of.attributes.find((one) => one.name === name)?.value;
}

export function hasAttribute(of: { attributes: Attribute[] }, name: string): boolean {
  return of.attributes.some((one) => one.name === name);
}

export function attributes(of: { attributes: Attribute[] }, name: string): string[] {
  return of.attributes.flatMap((one) => (one.name === name && one.value !== undefined ? [one.value] : []));
}

/** The line's own direction, else the session's, else sendrecv (RFC 8866 section 6.7). */
export function directionOf(session: SessionDescription, line: MediaLine): Direction {
  for (const place of [line, session]) for (const { name } of place.attributes) if (isDirection(name)) return name;
  return "sendrecv";
}

export function addressOf(session: SessionDescription, line: MediaLine): string {
  return line.connection ?? session.connection ?? "0.0.0.0";
}

/** What the other side sees when one side does this. */
export const seenFromOtherSide: Record<Direction, Direction> = {
  sendrecv: "sendrecv",
  sendonly: "recvonly",
  recvonly: "sendonly",
  inactive: "inactive",
};

/** What remains when one preference and one permission meet. */
export function narrower(wanted: Direction, permitted: Direction): Direction {
  return directionThat(sends(wanted) && sends(permitted), receives(wanted) && receives(permitted));
}

export function directionThat(sending: boolean, receiving: boolean): Direction {
  if (sending) return receiving ? "sendrecv" : "sendonly";
  return receiving ? "recvonly" : "inactive";
}

export const sends = (direction: Direction): boolean => direction === "sendrecv" || direction === "sendonly";
const receives = (direction: Direction): boolean => direction === "sendrecv" || direction === "recvonly";

function isDirection(name: string): name is Direction {
  return name === "sendrecv" || name === "sendonly" || name === "recvonly" || name === "inactive";
}
