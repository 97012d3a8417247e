// One way of the call flow in a form: where it leads, a new way out of a station, or the end of one.

import type { Action } from "../../ask/use-action.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DeleteButton } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Field } from "../../ui/field.ts";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { changesFor, type Exit, mayRemove, type Slot, type Station, type StationKind } from "./flow-graph.ts";
import { texts } from "./texts.ts";

/** Without a way a new one is made. */
export type Editing = { station: Station; way?: Exit };

export const changing = {
  number: "numbers.update",
  ivr: "menus.update",
  queue: "queues.update",
  group: "groups.update",
} as const satisfies Record<StationKind, string>;

export function ExitEditor({ editing: { station, way }, close }: { editing: Editing; close(): void }) {
  const words = useWords(texts);
  const { remove } = useWords(general);
  const slotWords = useSlotWords();
  const change = useChange(station);
  const title = [useStationName(station), way && slotWords(way.slot)].filter(Boolean).join(" · ");
  const choices = station.free.map((slot): [string, string] => [JSON.stringify(slot), slotWords(slot)]);
  const slot: Field = { is: "choice", label: words.slot, options: choices };
  const target: Field = { is: "target", label: words.leadsTo, place: station.kind === "ivr" ? "menu" : "inbound" };
  return (
    <Editor
      title={title}
      fields={way ? { target } : { slot, target }}
      value={{ slot: JSON.stringify(way?.slot ?? station.free[0]), target: way?.target ?? "" }}
      action={{
        ...change,
        act: ({ slot, target }) => change.act(JSON.parse(String(slot)) as Slot, String(target ?? "")),
      }}
      close={close}
      aside={
        way &&
        mayRemove(way.slot) && (
          <DeleteButton
            does={change.does}
            what={title}
            act={() => change.act(way.slot, null).then((done) => done !== undefined && close())}
            label={remove}
          />
        )
      }
    />
  );
}

function useChange(station: Station): Action<[slot: Slot, target: string | null]> {
  const { saved } = useWords(general);
  const number = useDo("numbers.update", saved);
  const ivr = useDo("menus.update", saved);
  const queue = useDo("queues.update", saved);
  const group = useDo("groups.update", saved);
  const doing = { number, ivr, queue, group }[station.kind];
  const act = (slot: Slot, target: string | null): Promise<unknown> =>
    // The kind chose both the operation and the changes that belong to it.
    (doing as (wanted: { number: string; changes: object }) => Promise<unknown>)({
      number: station.number,
      changes: changesFor(station, slot, target),
    });
  return { does: changing[station.kind], isBusy: doing.isBusy, act };
}

export function useSlotWords(): (slot: Slot) => string {
  const words = useWords(texts);
  return (slot) => ("key" in slot ? `${words.key} ${slot.key}` : words[slot.column]);
}

export function useStationName({ kind, number, name }: Station): string {
  const words = useWords(texts);
  return `${words[kind]} ${number} ${name}`.trim();
}
