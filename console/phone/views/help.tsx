// Which keys of the keyboard do what, for whoever asks.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ShortcutAction, shortcuts } from "../shortcuts.ts";
import { useShown } from "./shown.ts";

export function Help(): JSX.Element {
  const { words } = useShown();
  const [isOpen, open] = useState(false);
  return (
    <>
      <button
        type="button"
        class="chip help"
        aria-label={words.help}
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
        onKeyDown={({ key }) => key === "Escape" && open(false)}
      >
        ?
      </button>
      {isOpen && (
        <div class="menu keys-help" role="note">
          <b>{words.help}</b>
          <small>{words.helpWhen}</small>
          <dl>
            {(Object.keys(shortcuts) as ShortcutAction[]).map((action) => (
              <div key={action}>
                <dt>{words[action]}</dt>
                <dd>
                  <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>{shortcuts[action]}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}
