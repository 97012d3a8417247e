// The calls of this extension, newest first; one click calls back.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { showMoment } from "../../words/stamps.ts";
import type { RecentShown } from "../exchange-client.ts";
import type { Words } from "../texts.ts";
import { whoOn } from "../who.ts";
import { Icon, type IconName } from "./icons.tsx";
import { useShown } from "./shown.ts";

/** A call that is just over has its record a moment later. */
const RECORD_COMES_MS = [0, 1_000, 3_000, 8_000];

/** Undefined while they are being fetched; fetched again when a call is over. */
export function useRecent(): RecentShown[] | undefined {
  const { phone, state } = useShown();
  const [recent, show] = useState<RecentShown[] | undefined>();
  // How a call ended is still shown: this view comes back from it.
  const isAfterCall = useRef(state.notice !== undefined);
  const isIdle = state.session !== undefined && state.lines.length === 0;
  useEffect(() => {
    let isWanted = isIdle;
    const look = () => void phone.desk.calls().then((calls) => isWanted && show(calls));
    const times = isAfterCall.current ? RECORD_COMES_MS : [0];
    const timers = isIdle ? times.map((ms) => setTimeout(look, ms)) : [];
    return () => {
      isWanted = false;
      for (const timer of timers) clearTimeout(timer);
    };
  }, [isIdle, phone]);
  return recent;
}

export function HistoryView(): JSX.Element {
  const { words } = useShown();
  return (
    <section class="view">
      <h1>{words.history}</h1>
      <RecentList calls={useRecent()} />
    </section>
  );
}

const kinds: Record<"in" | "out" | "missed", { icon: IconName; word: keyof Words }> = {
  in: { icon: "incoming", word: "incomingCall" },
  out: { icon: "outgoing", word: "outgoing" },
  missed: { icon: "missed", word: "missed" },
};

export function RecentList({ calls }: { calls: RecentShown[] | undefined }): JSX.Element {
  const { phone, state, words } = useShown();
  if (!calls) return <div class="list loading" aria-busy="true" />;
  if (calls.length === 0) return <p class="empty">{words.noRecent}</p>;
  return (
    <ul class="list">
      {calls.map((call) => {
        const kind = call.missed ? "missed" : call.direction;
        return (
          <li key={`${call.atMs} ${call.number}`}>
            <button
              type="button"
              disabled={call.number === ""}
              onClick={() => void phone.telephone()?.dial(call.number, { name: call.name })}
            >
              <span class={`kind ${kind}`} title={words[kinds[kind].word]}>
                <Icon name={kinds[kind].icon} size={16} />
              </span>
              <span class="who">
                {whoOn(call, words)}
                {call.name !== "" && <small>{call.number}</small>}
              </span>
              <time>{showMoment(call.atMs, state.choices.language, state.session?.timeZone)}</time>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
