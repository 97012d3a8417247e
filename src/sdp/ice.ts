// What a description says of ICE (RFC 8839), as far as a side needs it that only answers checks.

import { type Attribute, attribute, type MediaLine, type SessionDescription } from "./session.ts";

/** Both names and passwords are made of these. */
const FRAGMENT = /^[A-Za-z0-9+/]{4,256}$/;
/** RFC 8445 section 5.1.2: as an address of the machine itself, the first component. */
const HOST_PREFERENCE = 126 * 2 ** 24;
const FIRST_COMPONENT = 1;

/** The line's own name, else the session's; undefined when it has none that can be. */
export function readUfrag(session: SessionDescription, line: MediaLine): string | undefined {
  const said = attribute(line, "ice-ufrag") ?? attribute(session, "ice-ufrag") ?? "";
  return FRAGMENT.test(said) ? said : undefined;
}

/** Where we can be reached, the likeliest first, and no more than that. */
export function candidateAttributes(places: readonly { address: string; port: number }[]): Attribute[] {
  const candidates = places.map(({ address, port }, place) => {
    const priority = HOST_PREFERENCE + (65_535 - place) * 256 + (256 - FIRST_COMPONENT);
    return {
      name: "candidate",
      value: `${place + 1} ${FIRST_COMPONENT} udp ${priority} ${address} ${port} typ host`,
    };
  });
  return [...candidates, { name: "end-of-candidates" }];
}
