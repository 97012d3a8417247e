// Sending a call on, with or without asking first; and calling somebody else meanwhile.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { dialable, type Line } from "../lines.ts";
import { People } from "./contacts.tsx";
import { useShown } from "./shown.ts";

type Chosen = { number: string; name: string };

export function TransferBox({ line, close }: { line: Line; close(): void }): JSX.Element {
  const { phone, state, words } = useShown();
  const isAlone = state.lines.length === 1;
  return (
    <PersonBox
      title={words.transferTo}
      acts={[
        {
          text: words.blind,
          act: ({ number }) => {
            phone.telephone()?.transfer(line.id, number);
            close();
          },
        },
        ...(isAlone
          ? [
              {
                text: words.attended,
                act: ({ number, name }: Chosen) => {
                  void phone.telephone()?.dial(number, { name, asksFor: line.id });
                  close();
                },
              },
            ]
          : []),
      ]}
    />
  );
}

export function NewCallBox({ close }: { close(): void }): JSX.Element {
  const { phone, words } = useShown();
  return (
    <PersonBox
      title={words.number}
      acts={[
        {
          text: words.call,
          act: ({ number, name }) => {
            void phone.telephone()?.dial(number, { name });
            close();
          },
        },
      ]}
    />
  );
}

function PersonBox({
  title,
  acts,
}: {
  title: string;
  acts: { text: string; act(chosen: Chosen): void }[];
}): JSX.Element {
  const [typed, type] = useState<Chosen>({ number: "", name: "" });
  const number = dialable(typed.number);
  return (
    <div class="box">
      <input
        class="search"
        value={typed.name || typed.number}
        placeholder={title}
        aria-label={title}
        ref={(field) => {
          if (field && document.activeElement === document.body) field.focus();
        }}
        onInput={({ currentTarget }) => type({ number: currentTarget.value, name: "" })}
        onKeyDown={({ key }) => key === "Enter" && number !== "" && acts[0]?.act({ ...typed, number })}
      />
      <div class="pair">
        {acts.map(({ text, act }) => (
          <button
            key={text}
            type="button"
            class="chip"
            disabled={number === ""}
            onClick={() => act({ ...typed, number })}
          >
            {text}
          </button>
        ))}
      </div>
      <People search={typed.name === "" ? typed.number : ""} choose={({ number, name }) => type({ number, name })} />
    </div>
  );
}
