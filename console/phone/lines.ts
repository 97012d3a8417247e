// The phone's lines as plain data: what each is doing, what can happen to it, and which buttons that leaves.

export type LineAt = "calling" | "ringing" | "talking" | "returning" | "over";

export type LineEvent =
  /** The other side has answered, or we have. */
  | "up"
  /** The network or the page went away in the middle of the call, and we try to get back to it. */
  | "lost"
  | "end";

/** Row: where the line is. Column: what happened. What is missing cannot happen there. */
export const lineMoves: Record<LineAt, Partial<Record<LineEvent, LineAt>>> = {
  calling: { up: "talking", end: "over" },
  ringing: { up: "talking", end: "over" },
  talking: { lost: "returning", end: "over" },
  returning: { up: "talking", end: "over" },
  over: {},
};

export type LineAction = "answer" | "reject" | "mute" | "hold" | "keys" | "transfer" | "hangUp";

/** Read by the buttons, and by whoever steers the phone from outside. */
export const lineActions: Record<LineAt, readonly LineAction[]> = {
  calling: ["hangUp"],
  ringing: ["answer", "reject"],
  talking: ["mute", "hold", "keys", "transfer", "hangUp"],
  returning: ["hangUp"],
  over: [],
};

export type Line = {
  id: string;
  at: LineAt;
  direction: "in" | "out";
  number: string;
  name: string;
  /** The queue it came by, and the number of ours that was dialled. */
  queue: string;
  dialled: string;
  /** The exchange's own name for the call, where it told us. */
  callUuid: string;
  /** Milliseconds of the Unix clock; undefined before anybody has answered. */
  sinceMs?: number;
  held: boolean;
  muted: boolean;
  /** One to four; zero while nothing is known. */
  quality: number;
  /** Put aside to ask somebody first: the line that is to be transferred. */
  asksFor?: string;
};

export type NewLine = Pick<Line, "id" | "at" | "direction" | "number"> & Partial<Line>;

export function newLine(known: NewLine): Line {
  return { name: "", queue: "", dialled: "", callUuid: "", held: false, muted: false, quality: 0, ...known };
}

export const MOST_LINES = 2;

export function moveLine(lines: readonly Line[], id: string, event: LineEvent, nowMs: number): Line[] {
  return lines.flatMap((line) => {
    const next = line.id === id ? lineMoves[line.at][event] : line.at;
    if (next === undefined || next === line.at) return [line];
    if (next === "over") return [];
    return [{ ...line, at: next, ...(next === "talking" && line.sinceMs === undefined ? { sinceMs: nowMs } : {}) }];
  });
}

export function changeLine(lines: readonly Line[], id: string, change: Partial<Line>): Line[] {
  return lines.map((line) => (line.id === id ? { ...line, ...change } : line));
}

export function can(line: Line | undefined, action: LineAction): boolean {
  return line !== undefined && lineActions[line.at].includes(action);
}

/** The line that is in front: one that rings is answered first, then the one that is not on hold. */
export function frontLine(lines: readonly Line[]): Line | undefined {
  return lines.find((line) => line.at === "ringing") ?? lines.find((line) => !line.held) ?? lines[0];
}

/** What has letters is a name, unless it is an address that was pasted. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text.trim().replace(/^(tel|sip):/i, ""));
}

/** What somebody typed or pasted, as it can be dialled; empty when nothing in it can. */
export function dialable(text: string): string {
  const trimmed = text.trim().replace(/^(tel|sip):/i, "");
  return trimmed
    .replace(/(?!^)\+/g, "")
    .replace(/[^\d*#+]/g, "")
    .slice(0, 64);
}
