// A screen's line to the server: lit by the token behind the # of the address, coming back by itself when it breaks.

import { useEffect, useState } from "react";
import type { Face, WallMessage } from "../../src/http/wall/face.ts";
import { PROTOCOL, WALL_LIVE } from "../../src/http/wall/token.ts";

/** `gone`: the link opens nothing. `lost`: what is shown is old. */
export type Shown = { face: Face | undefined; state: "opening" | "lit" | "lost" | "gone" };

const GONE = 4410;
const TOO_MANY = 4429;
const LONGEST_WAIT_MS = 10_000;
/** Rarely: the answer may have been that of a server which knew no better. */
const GONE_WAIT_MS = 60_000;
/** The server gives a sign of life more often than that. */
const SILENT_MS = 40_000;

export function useBoard(): Shown {
  const [shown, show] = useState<Shown>({ face: undefined, state: "opening" });
  useEffect(() => keepLine(show), []);
  return shown;
}

function keepLine(show: (change: (before: Shown) => Shown) => void): () => void {
  let failures = 0;
  let timer: number | undefined;
  let silence: number | undefined;
  let socket: WebSocket | undefined;
  const listen = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => socket?.close(), SILENT_MS);
  };
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const mine = new WebSocket(`${scheme}://${location.host}${WALL_LIVE}`, [PROTOCOL, tokenHere()]);
    socket = mine;
    listen();
    mine.onmessage = ({ data }) => {
      failures = 0;
      listen();
      const message = JSON.parse(String(data)) as WallMessage;
      show(({ face }) => ({ face: message.is === "face" ? message.face : face, state: "lit" }));
    };
    mine.onclose = ({ code }) => {
      if (socket !== mine) return;
      window.clearTimeout(silence);
      const isGone = code === GONE;
      // Nothing of what was there stays where it could be read.
      show(({ face }) => (isGone ? { face: undefined, state: "gone" } : { face, state: face ? "lost" : "opening" }));
      const waitMs = isGone || code === TOO_MANY ? GONE_WAIT_MS : Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures++);
      timer = window.setTimeout(open, waitMs);
    };
  };
  const another = () => location.reload();
  window.addEventListener("hashchange", another);
  open();
  return () => {
    window.removeEventListener("hashchange", another);
    window.clearTimeout(timer);
    window.clearTimeout(silence);
    const mine = socket;
    socket = undefined;
    mine?.close();
  };
}

/** What no token can be is sent as none: a socket takes no other letters. */
function tokenHere(): string {
  const token = location.hash.slice(1);
  return /^[\w-]{1,100}$/.test(token) ? token : "none";
}
