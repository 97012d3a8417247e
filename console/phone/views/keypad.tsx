// The idle phone: a number is typed, pasted or pressed, and called; below stand the last calls.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialable } from "../lines.ts";
import { RecentList, useRecent } from "./history.tsx";
import { Icon } from "./icons.tsx";
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
  const field = useRef<HTMLInputElement>(null);
  const recent = useRecent();
  const type = (typed: string) => phone.store.change({ typed });
  const last = recent?.find(({ direction }) => direction === "out")?.number;
  const canCall = state.link === "registered" && (dialable(state.typed) !== "" || last !== undefined);
  const call = () => {
    if (dialable(state.typed) === "") return type(last ?? "");
    void phone.telephone()?.dial(state.typed);
    return type("");
  };
  // Whoever types without having clicked anything means the number.
  useEffect(() => {
    const typing = ({ target, key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (target === document.body && !ctrlKey && !metaKey && /^[\d*#+]$|^Enter$/.test(key)) field.current?.focus();
    };
    document.addEventListener("keydown", typing);
    return () => document.removeEventListener("keydown", typing);
  }, []);
  return (
    <section class="view keypad">
      <h1 class="unseen">{words.keypad}</h1>
      <CallerIdPicker />
      <div class="number">
        <input
          ref={field}
          type="tel"
          autocomplete="off"
          maxLength={64}
          value={state.typed}
          placeholder={words.number}
          aria-label={words.number}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={({ key }) => key === "Enter" && canCall && call()}
        />
        {state.typed !== "" && (
          <button type="button" class="plain" aria-label={words.erase} onClick={() => type(state.typed.slice(0, -1))}>
            <Icon name="erase" />
          </button>
        )}
      </div>
      <Keys press={(key) => type(state.typed + key)} />
      <button type="button" class="go" disabled={!canCall} onClick={call}>
        <Icon name="call" size={20} />
        {dialable(state.typed) === "" && last !== undefined ? words.redial : words.call}
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
