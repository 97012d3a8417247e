// The idle phone: a number is typed, pasted or pressed, and called; below stand the last calls.

import type { JSX } from "preact";
import { dialable, isName } from "../lines.ts";
import { RecentList, useRecent } from "./history.tsx";
import { Icon } from "./icons.tsx";
import { NumberField } from "./number-field.tsx";
import { useShown } from "./shown.ts";

const keys = ["1", "2 ABC", "3 DEF", "4 GHI", "5 JKL", "6 MNO", "7 PQRS", "8 TUV", "9 WXYZ", "*", "0 +", "#"];

export function Keys({ press, small = false }: { press(key: string): void; small?: boolean }): JSX.Element {
  return (
    <div class={small ? "keys small" : "keys"}>
      {keys.map((text) => {
        const [key = "", letters = ""] = text.split(" ");
        return (
          <button key={key} type="button" onClick={() => press(key)}>
            {key}
            {!small && <small aria-hidden="true">{letters}</small>}
          </button>
        );
      })}
    </div>
  );
}

export function KeypadView(): JSX.Element {
  const { phone, state, words } = useShown();
  const recent = useRecent();
  const type = (typed: string) => phone.store.change({ typed });
  const last = recent?.find(({ direction }) => direction === "out")?.number;
  const isEmpty = state.typed.trim() === "";
  const number = isName(state.typed) ? "" : dialable(state.typed);
  const canCall = state.link === "registered" && (number !== "" || (isEmpty && last !== undefined));
  const call = () => {
    if (!canCall) return;
    // The last number is offered to look at, and never takes the place of what somebody has typed.
    if (isEmpty) return type(last ?? "");
    void phone.telephone()?.dial(state.typed);
    return type("");
  };
  return (
    <section class="view keypad">
      <h1 class="unseen">{words.keypad}</h1>
      <CallerIdPicker />
      <NumberField call={call} />
      <Keys press={(key) => type(state.typed + key)} />
      <button type="button" class="go" disabled={!canCall} onClick={call}>
        <Icon name="call" size={20} />
        {isEmpty && last !== undefined ? words.redial : words.call}
      </button>
      <h2>{words.recent}</h2>
      <RecentList calls={recent?.slice(0, 8)} />
    </section>
  );
}

function CallerIdPicker(): JSX.Element | null {
  const { phone, state, words } = useShown();
  const numbers = state.session?.callerIds ?? [];
  if (numbers.length === 0) return null;
  return (
    <label class="caller-id">
      <span>{words.callerId}</span>
      <select value={state.callerId} onChange={({ currentTarget }) => void phone.setCallerId(currentTarget.value)}>
        {state.callerId === "" && <option value="">{words.byDefault}</option>}
        {numbers.map((number) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
}
