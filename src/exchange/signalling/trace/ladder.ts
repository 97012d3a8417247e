// A call as a ladder in plain text: one column a party, one line a message, time running down.

import type { TracedMessage } from "../../../store/sip-traces.ts";

const WIDTH = 30;
const US = "santral";
const MOST_PARTIES = 12;

/** One message of it: who says what to whom. */
export type Rung = Omit<TracedMessage, "text"> & { label: string };

export function drawLadder(messages: readonly TracedMessage[], timeZone = "UTC"): string {
  const [first] = messages;
  if (!first) return "";
  const { heading, lines } = ladderOf(messages.map(({ text, ...rung }) => ({ ...rung, label: labelOf(text) })));
  // Sweden writes days and times as ISO 8601 does.
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, ...TO_THE_MILLISECOND });
  const timed = lines.map((line, at) => `${time.format(messages[at]?.atMs ?? 0).replace(",", ".")} ${line}`.trimEnd());
  return [`${day.format(first.atMs)} (${timeZone})`, `${" ".repeat(13)}${heading}`.trimEnd(), ...timed].join("\n");
}

/** The same without times, which a page shows in its own way. */
export function ladderOf(rungs: readonly Rung[]): { heading: string; lines: string[] } {
  const columns = columnsOf(rungs);
  return {
    heading: columns.map((name) => centred(name, WIDTH)).join(""),
    lines: rungs.map((message) => rung(message, columns)),
  };
}

/** We stand after the first party, so that a call reads from left to right. */
function columnsOf(messages: readonly Rung[]): string[] {
  const peers = [...new Set(messages.map(({ peer }) => peer))].slice(0, MOST_PARTIES);
  return [peers[0] ?? "", US, ...peers.slice(1)];
}

function rung({ direction, peer, label }: Rung, columns: readonly string[]): string {
  const us = columns.indexOf(US);
  const them = Math.max(0, columns.indexOf(peer));
  const [from, to] = direction === "in" ? [them, us] : [us, them];
  const cells = columns.map(() => "|");
  const left = Math.min(from, to);
  const right = Math.max(from, to);
  let line = " ".repeat(WIDTH / 2);
  for (let column = 0; column < columns.length; column++) {
    line += cells[column];
    if (column === left) line += arrow(label, (right - left) * WIDTH - 1, to > from);
    else if (column < left || column >= right) line += " ".repeat(WIDTH - 1);
    if (column === left) column = right - 1;
  }
  return line;
}

function arrow(label: string, width: number, rightwards: boolean): string {
  const room = width - 4;
  const shown = label.length > room ? label.slice(0, room) : label;
  const before = Math.floor((width - 1 - shown.length) / 2);
  const after = width - 1 - shown.length - before;
  const shaft = `${"-".repeat(before)}${shown}${"-".repeat(after)}`;
  return rightwards ? `${shaft}>` : `<${shaft}`;
}

/** `INVITE sdp`, `200 OK (INVITE)`. */
export function labelOf(text: string): string {
  const end = text.indexOf("\r\n");
  const line = (end < 0 ? text : text.slice(0, end)).slice(0, 200);
  const body = text.includes("\r\n\r\nv=0") ? " sdp" : "";
  if (!line.startsWith("SIP/2.0 ")) return `${line.split(" ")[0] ?? ""}${body}`;
  const method = /\r\nCSeq[ \t]*:[ \t]*\d+[ \t]+(\w{1,16})/i.exec(text.slice(0, 4_096))?.[1];
  return `${line.slice(8)}${method ? ` (${method})` : ""}${body}`;
}

function centred(text: string, width: number): string {
  const shown = text.slice(0, width - 2);
  const before = Math.floor((width - shown.length) / 2);
  return " ".repeat(before) + shown + " ".repeat(width - shown.length - before);
}

const TO_THE_MILLISECOND = {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
} as const;
