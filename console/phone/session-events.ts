// One call of the library, followed from its first sign of life to its end, in the phone's own words.

import type { EndEvent, RTCSession } from "jssip/lib/RTCSession";

export type SessionHears = {
  /** The other side rings, and does not let us hear anything of its own. */
  rings(): void;
  up(): void;
  held(on: boolean): void;
  voice(track: MediaStreamTrack): void;
  /** Nothing gets through any more, and did not come back by itself. */
  broken(): void;
  over(cause: string): void;
};

/** A server that cannot be reached would keep the library gathering addresses for ever. */
const GATHERED_MS = 250;
const RECOVERS_BY_ITSELF_MS = 2_000;

export function followSession(session: RTCSession, hears: SessionHears): void {
  stayWhenBroken(session);
  let gathered: ReturnType<typeof setTimeout>;
  session.on("icecandidate", ({ ready }) => {
    clearTimeout(gathered);
    gathered = setTimeout(ready, GATHERED_MS);
  });
  session.on("progress", (event: { response?: { body?: string } }) => {
    if (event.response && !event.response.body) hears.rings();
  });
  session.on("confirmed", () => hears.up());
  session.on("hold", () => hears.held(session.isOnHold().local));
  session.on("unhold", () => hears.held(session.isOnHold().local));
  const over = ({ cause }: EndEvent) => hears.over(cause);
  session.on("ended", over);
  session.on("failed", over);
  if (session.connection) followConnection(session.connection, hears);
  else session.on("peerconnection", ({ peerconnection }) => followConnection(peerconnection, hears));
}

/** The library hangs up when nothing gets through any more, and would end the call that we want to get back to. */
function stayWhenBroken(session: RTCSession): void {
  const terminate = session.terminate.bind(session);
  session.terminate = (options) => {
    if (options?.cause !== "RTP Timeout") terminate(options);
  };
}

function followConnection(connection: RTCPeerConnection, hears: SessionHears): void {
  const isBroken = () => ["disconnected", "failed"].includes(connection.iceConnectionState);
  connection.addEventListener("track", ({ track }) => hears.voice(track));
  connection.addEventListener("iceconnectionstatechange", () => {
    if (!isBroken()) return;
    const afterMs = connection.iceConnectionState === "failed" ? 0 : RECOVERS_BY_ITSELF_MS;
    setTimeout(() => isBroken() && hears.broken(), afterMs);
  });
}
