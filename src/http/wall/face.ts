// What a board on the wall shows, and nothing else: this is all that goes to a screen that nobody has signed in at. No caller
// is in it, and no agent by name unless the board has the tile that names them.

import type { AlarmNow } from "../../exchange/features/alarms/alarm-now.ts";
import type { AgentNow, QueueNow } from "../../exchange/features/queues/floor-now.ts";
import type { WallTile } from "../../nouns/wall-board.ts";
import { abandoned, serviceLevel } from "../../store/figures.ts";
import type { QueueFigures } from "../../store/reports.ts";
import type { WallBoard } from "../../store/wall-boards.ts";

export type Tone = "calm" | "attention" | "alarm";

type Lists = {
  alarms: {
    rows: Pick<AlarmNow, "id" | "queue" | "queueName" | "about" | "value" | "threshold">[];
    tone: Tone;
  };
  queues: { rows: { number: string; name: string; waiting: number; seconds: number; tone: Tone }[] };
  agents: { rows: { name: string; status: AgentNow["status"]; free: boolean; break: string }[] };
};

export type Figure = { unit: "count" | "seconds" | "percent"; value: number | null; tone: Tone };

type Shown<Is extends WallTile> = Is extends keyof Lists ? Lists[Is] : Figure;

export type FaceTile = { [Is in WallTile]: { is: Is } & Shown<Is> }[WallTile];

export type Face = Pick<WallBoard, "name" | "language" | "look" | "size"> & { timeZone: string; tiles: FaceTile[] };

/** What goes over the line: the whole of it, whenever it is another. */
export type WallMessage = { is: "face"; face: Face } | { is: "alive" };

/** How the exchange is now. */
export type WallState = {
  nowMs: number;
  timeZone: string;
  queues: readonly QueueNow[];
  agents: readonly AgentNow[];
  alarms: readonly AlarmNow[];
  /** Since midnight. */
  today: readonly QueueFigures[];
};

export function faceOf(board: WallBoard, state: WallState): Face {
  const { name, language, look, size } = board;
  const shown = sightOf(board, state);
  return {
    name,
    language,
    look,
    size,
    timeZone: state.timeZone,
    tiles: board.tiles.map((tile) => tileOf(tile, shown)),
  };
}

type Line = { number: string; name: string; waiting: number; seconds: number };
type Sight = WallState & { board: WallBoard; lines: Line[]; sum: Sum };
type Sum = Pick<QueueFigures, "calls" | "answered" | "passedOn" | "inTime">;

/** Of everything only what the board is about. */
function sightOf(board: WallBoard, state: WallState): Sight {
  const wanted = (number: string) => state.queues.filter((queue) => queue.number === number);
  const queues = board.queues.length === 0 ? state.queues : board.queues.flatMap(wanted);
  const numbers = new Set(queues.map(({ number }) => number));
  const members = new Set(queues.flatMap((queue) => queue.members));
  const today = state.today.filter(({ queue }) => numbers.has(queue));
  const add = (of: (queue: QueueFigures) => number) => today.reduce((sum, queue) => sum + of(queue), 0);
  return {
    ...state,
    board,
    queues,
    today,
    alarms: state.alarms.filter(({ queue }) => numbers.has(queue)),
    agents: state.agents.filter(({ number }) => members.has(number)),
    lines: queues.map((queue) => lineOf(queue, state.nowMs)),
    sum: {
      calls: add(({ calls }) => calls),
      answered: add(({ answered }) => answered),
      passedOn: add(({ passedOn }) => passedOn),
      inTime: add((it) => it.inTime),
    },
  };
}

/** Whoever will be called back has hung up, and waits for nothing. */
function lineOf({ number, name, waiting }: QueueNow, nowMs: number): Line {
  const onTheLine = waiting.filter(({ callback }) => !callback);
  const longestMs = onTheLine.reduce((longest, { joinedMs }) => Math.max(longest, nowMs - joinedMs), 0);
  return { number, name, waiting: onTheLine.length, seconds: Math.floor(longestMs / 1_000) };
}

const BUSY: readonly AgentNow["status"][] = ["ringing", "talking", "wrapping-up"];

const count = (value: number, tone: Tone = "calm"): Figure => ({ unit: "count", value, tone });

const tiles: { [Is in WallTile]: (sight: Sight) => Shown<Is> } = {
  waiting: (sight) => {
    const waiting = sight.lines.reduce((all, line) => all + line.waiting, 0);
    return count(waiting, toneOf("waiting", waiting, sight));
  },
  "longest-wait": (sight) => {
    const value = sight.lines.reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
    return { unit: "seconds", value, tone: toneOf("longest-wait", value, sight) };
  },
  "agents-free": ({ agents }) => {
    const free = agents.filter((agent) => agent.free).length;
    return count(free, free === 0 && agents.length > 0 ? "attention" : "calm");
  },
  "agents-busy": ({ agents }) => count(agents.filter(({ status }) => BUSY.includes(status)).length),
  "agents-break": ({ agents }) => count(agents.filter(({ status }) => status === "on-break").length),
  "calls-today": ({ sum }) => count(sum.calls),
  "answered-today": ({ sum }) => count(sum.answered),
  "abandoned-today": ({ sum }) => count(abandoned(sum), abandoned(sum) > 0 ? "attention" : "calm"),
  "service-level": (sight) => {
    const level = serviceLevel(sight.sum);
    const value = level === null ? null : Math.floor(level * 100);
    return { unit: "percent", value, tone: value === null ? "calm" : toneOf("service-level", value, sight) };
  },
  alarms: ({ alarms }) => ({
    tone: alarms.length > 0 ? "alarm" : "calm",
    rows: alarms.map(({ id, queue, queueName, about, value, threshold }) => {
      return { id, queue, queueName, about, value, threshold };
    }),
  }),
  queues: ({ lines, alarms }) => ({
    rows: lines.map((line) => {
      const isAlarmed = alarms.some(({ queue }) => queue === line.number);
      return { ...line, tone: isAlarmed ? "alarm" : line.waiting > 0 ? "attention" : "calm" };
    }),
  }),
  agents: ({ agents }) => ({
    rows: agents.map(({ number, name, status, free, break: why }) => {
      return { name: name || number, status, free, break: why };
    }),
  }),
};

function tileOf(tile: WallTile, sight: Sight): FaceTile {
  return { is: tile, ...tiles[tile](sight) } as FaceTile; // the tile chose both
}

/** By the board's own threshold where it has one, else with the alarms of its queues. */
function toneOf(about: AlarmNow["about"], value: number, { board, alarms }: Sight): Tone {
  const limit = {
    "longest-wait": board.warn_wait_seconds,
    waiting: board.warn_waiting,
    "service-level": board.warn_level_percent,
  }[about];
  const isAlarm =
    limit === 0
      ? alarms.some((alarm) => alarm.about === about)
      : about === "service-level"
        ? value < limit
        : value >= limit;
  if (isAlarm) return "alarm";
  return about !== "service-level" && value > 0 ? "attention" : "calm";
}
