// The call flow as a graph: numbers, menus, queues and groups are its stations, and each way out of one has a target.

import type { Parameters, Reply } from "../../ask/ask.ts";

export type Lists = {
  numbers: Reply<"numbers.list">;
  menus: Reply<"menus.list">;
  queues: Reply<"queues.list">;
  groups: Reply<"groups.list">;
};

export type StationKind = "number" | "ivr" | "queue" | "group";

/** A way out of a station: a key of a menu, or one of its named columns. */
export type Slot =
  | { key: string }
  | {
      column: "target" | "closed_target" | "timeout_target" | "invalid_target" | "overflow_target" | "no_answer_target";
    };
export type Exit = { slot: Slot; target: string };

export type Station = {
  kind: StationKind;
  number: string;
  name: string;
  ways: Exit[];
  /** Ways it could have besides. */
  free: Slot[];
};

const KEYS = [..."1234567890*#"];

/** How a station is written as a target. Numbers are none: calls only begin there. */
export const writtenAs = ({ kind, number }: Pick<Station, "kind" | "number">) => `${kind}/${number}`;

export function stationsOf({ numbers, menus, queues, groups }: Lists): Station[] {
  return [
    ...numbers.map((row) =>
      station({ kind: "number", number: row.number, name: row.description }, [
        [{ column: "target" }, row.target],
        [{ column: "closed_target" }, row.closed_target],
      ]),
    ),
    ...menus.map((row) =>
      station({ kind: "ivr", number: row.number, name: row.name }, [
        ...KEYS.map((key): [Slot, string | undefined] => [{ key }, row.key_targets[key]]),
        [{ column: "timeout_target" }, row.timeout_target],
        [{ column: "invalid_target" }, row.invalid_target],
      ]),
    ),
    ...queues.map((row) =>
      station({ kind: "queue", number: row.number, name: row.name }, [
        [{ column: "overflow_target" }, row.overflow_target],
      ]),
    ),
    ...groups.map((row) =>
      station({ kind: "group", number: row.number, name: row.name }, [
        [{ column: "no_answer_target" }, row.no_answer_target],
      ]),
    ),
  ];
}

function station(
  what: Pick<Station, "kind" | "number" | "name">,
  slots: [slot: Slot, target: string | null | undefined][],
): Station {
  const ways = slots.flatMap(([slot, target]) => (target ? [{ slot, target }] : []));
  return { ...what, ways, free: slots.flatMap(([slot, target]) => (target ? [] : [slot])) };
}

/** A station as it is drawn. One that stands in the picture already is only named: it may lead back to itself. */
export type Drawn = { station: Station; isAgain: boolean; isReached: boolean; ways: { way: Exit; next?: Drawn }[] };

/** First what the numbers lead to, then every menu that none of them leads to. */
export function drawFlow(stations: readonly Station[]): Drawn[] {
  const byTarget = new Map(stations.map((it) => [writtenAs(it), it]));
  const seen = new Set<Station>();
  const draw = (station: Station, isReached: boolean): Drawn => {
    if (seen.has(station)) return { station, isReached, isAgain: true, ways: [] };
    seen.add(station);
    const ways = station.ways.map((way) => {
      const next = byTarget.get(way.target);
      return next ? { way, next: draw(next, true) } : { way };
    });
    return { station, isReached, isAgain: false, ways };
  };
  const numbers = stations.filter(({ kind }) => kind === "number").map((station) => draw(station, true));
  const others = stations.flatMap((it) => (it.kind === "ivr" && !seen.has(it) ? [draw(it, false)] : []));
  return [...numbers, ...others];
}

/** A number must lead somewhere; every other way may be taken away. */
export function mayRemove(slot: Slot): boolean {
  return !("column" in slot && slot.column === "target");
}

type Changes = {
  number: Parameters<"numbers.update">["changes"];
  ivr: Parameters<"menus.update">["changes"];
  queue: Parameters<"queues.update">["changes"];
  group: Parameters<"groups.update">["changes"];
};

/** What the station's own operation has to be told. `null` takes the way out. */
export function changesFor<Kind extends StationKind>(
  station: Station & { kind: Kind },
  slot: Slot,
  target: string | null,
): Changes[Kind] {
  if ("column" in slot) return { [slot.column]: target } as Changes[Kind]; // a station has its own columns only
  const kept = station.ways.flatMap((way): [string, string][] =>
    "key" in way.slot && way.slot.key !== slot.key ? [[way.slot.key, way.target]] : [],
  );
  const keys = target === null ? kept : [...kept, [slot.key, target] as [string, string]];
  return { key_targets: Object.fromEntries(keys) } as Changes[Kind]; // only menus have keys
}
