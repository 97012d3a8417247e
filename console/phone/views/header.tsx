// Who the phone is, whether it is connected, and what its owner wants to be: available, undisturbed, on a break.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Link, PhoneState } from "../state.ts";
import type { Words } from "../texts.ts";
import { Help } from "./help.tsx";
import { Icon } from "./icons.tsx";
import { useShown } from "./shown.ts";

const linkWords: Record<Link, keyof Words> = {
  connecting: "connecting",
  registered: "registered",
  lost: "lost",
  refused: "away",
  elsewhere: "away",
};

export function Header(): JSX.Element {
  const { state, words } = useShown();
  const [isOpen, open] = useState(false);
  const { session, link } = state;
  return (
    <header class="header">
      <span class="dot" data-link={link} />
      <div class="me">
        <b>{session ? `${session.extension}${session.name ? ` · ${session.name}` : ""}` : words.title}</b>
        <small>{link === "lost" ? words.connecting : words[linkWords[link]]}</small>
      </div>
      {session && (
        <button
          type="button"
          class="chip"
          data-status={statusOf(state)}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-label={`${words.status}: ${words[statusOf(state)]}`}
          onClick={() => open(!isOpen)}
        >
          {words[statusOf(state)]}
        </button>
      )}
      {session && <Help />}
      {isOpen && <StatusMenu close={() => open(false)} />}
    </header>
  );
}

function StatusMenu({ close }: { close(): void }): JSX.Element {
  const { phone, state, words } = useShown();
  const { dnd, agent, session } = state;
  const named = (name: string, isOn: boolean, act: () => Promise<void>) => (
    <button
      key={name}
      type="button"
      role="menuitemradio"
      aria-checked={isOn}
      onClick={() => {
        close();
        void act();
      }}
    >
      <span>{name}</span>
      {isOn && <Icon name="check" size={16} />}
    </button>
  );
  const entry = (word: keyof Words, isOn: boolean, act: () => Promise<void>) => named(words[word], isOn, act);
  const breaks = [...(session?.breaks ?? []), words.otherBreak];
  return (
    <div
      class="menu"
      role="menu"
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && close()}
      ref={(menu) => menu?.querySelector("button")?.focus()}
    >
      {entry("available", statusOf(state) === "available", () => phone.beAvailable())}
      {entry("dnd", dnd, () => phone.setDnd(true))}
      {agent && <hr />}
      {agent?.status === "LOGGED_OUT" && entry("logIn", false, () => phone.moveAgent("logIn"))}
      {agent?.status === "AVAILABLE" && (
        <fieldset>
          <legend>{words.takeBreak}</legend>
          {breaks.map((name) => named(name, false, () => phone.moveAgent("pause", name)))}
        </fieldset>
      )}
      {agent?.status === "ON_BREAK" && entry("endBreak", false, () => phone.moveAgent("resume"))}
      {agent && agent.status !== "LOGGED_OUT" && entry("logOut", false, () => phone.moveAgent("logOut"))}
    </div>
  );
}

function statusOf({ dnd, agent }: PhoneState): "dnd" | "onBreak" | "available" {
  if (dnd) return "dnd";
  return agent?.status === "ON_BREAK" ? "onBreak" : "available";
}
