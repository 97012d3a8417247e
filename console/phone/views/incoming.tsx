// Somebody calls: who, by which line, and the two buttons.

import type { JSX } from "preact";
import type { Line } from "../lines.ts";
import { whoOn } from "../who.ts";
import { initials } from "./contacts.tsx";
import { Icon } from "./icons.tsx";
import { useShown } from "./shown.ts";

export function IncomingView({ line }: { line: Line }): JSX.Element {
  const { phone, state, words } = useShown();
  // Colleagues dial the extension itself, which is no news.
  const dialled = line.dialled === state.session?.extension ? "" : line.dialled;
  return (
    <section class="view person ringing">
      <p class="what">{words.incoming}</p>
      <div class="avatar" aria-hidden="true">
        {initials(whoOn(line, words))}
      </div>
      <h1>{whoOn(line, words)}</h1>
      {whoOn(line, words) === line.name && <p class="sub">{line.number}</p>}
      {line.queue !== "" && (
        <p class="tag">
          {words.queue}: {line.queue}
        </p>
      )}
      {line.queue === "" && dialled !== "" && (
        <p class="tag">
          {words.line}: {dialled}
        </p>
      )}
      <div class="pair">
        <button type="button" class="end" onClick={() => phone.telephone()?.reject(line.id)}>
          <Icon name="hangUp" size={20} />
          {words.reject}
        </button>
        <button
          type="button"
          class="go"
          // Not while somebody types in the page around it: a space would answer.
          ref={(button) => {
            if (document.hasFocus()) button?.focus();
          }}
          onClick={() => void phone.telephone()?.answer(line.id)}
        >
          <Icon name="call" size={20} />
          {words.answer}
        </button>
      </div>
    </section>
  );
}
