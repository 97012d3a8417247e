// The page around the phone: hears what happens and gives orders, but only if its origin is one the exchange named, or ours.

import { endsSoon } from "./ends-soon.ts";
import { frontLine, type Line } from "./lines.ts";
import { PHONE, type PhoneCommand, type PhoneEvent, readCommand } from "./messages.ts";
import type { ShortcutAction } from "./shortcuts.ts";
import type { PhoneState } from "./state.ts";
import { type Steered, steer } from "./steering.ts";
import type { Store } from "./store.ts";
import { told } from "./told.ts";

type Told = PhoneEvent extends infer Event ? (Event extends { from: string } ? Omit<Event, "from"> : never) : never;

export type ParentPage = { ended(line: Line, cause: string): void };

export type ParentParts = {
  store: Store<PhoneState>;
  phone(): Steered | undefined;
  takeToken(token: string): Promise<void>;
  /** To the phone in another tab; false when it has no call. */
  order(action: ShortcutAction): boolean;
  takeOver(): void;
};

export function openParentPage({ store, phone, takeToken, order, takeOver }: ParentParts): ParentPage {
  // The console is of the same origin, and could do all this without asking.
  const origins = () => [location.origin, ...(store.get().session?.origins ?? [])];
  if (window.parent === window) return { ended: () => undefined };

  const tell = (event: Told) => {
    for (const origin of likelyOrigins(origins())) window.parent.postMessage({ from: PHONE, ...event }, origin);
  };

  window.addEventListener("message", ({ source, origin, data }) => {
    if (source !== window.parent || !origins().includes(origin)) return;
    const command = readCommand(data);
    if (!command) return;
    const because = obey(command);
    if (because !== undefined) tell({ event: "refused", command: command.command, because });
  });

  store.watch((state, before) => {
    if (!state.session) return;
    if (state.lines !== before.lines || state.link !== before.link || !before.session) tell(stateOf(state));
    if (state.elsewhere !== before.elsewhere) tell({ event: "elsewhere", calls: state.elsewhere });
    for (const line of state.lines) {
      const was = before.lines.find(({ id }) => id === line.id);
      if (line.at === "ringing" && !was) tell({ event: "ringing", call: told(line) });
      if (line.at === "talking" && was?.at !== "talking" && was?.at !== "returning")
        tell({ event: "answered", call: told(line) });
    }
    if (state.isExpired && !before.isExpired) tell({ event: "token-expired" });
    if (endsSoon(state.session, before.session, Date.now())) tell({ event: "token-ends" });
  });

  return { ended: (line, cause) => tell({ event: "ended", call: told(line), cause }) };

  /** Undefined when it was done; else why not. */
  function obey(command: PhoneCommand): string | undefined {
    const { lines } = store.get();
    const steered = phone();
    if (command.command === "state") return void tell(stateOf(store.get()));
    if (command.command === "token") return void takeToken(command.token).then(() => tell({ event: "token-taken" }));
    if (command.command === "take") return void takeOver();
    if (!steered) return command.command !== "dial" && order(actions[command.command]) ? undefined : "not-ready";
    return obeyWith(steered, command, lines);
  }
}

type Steering = Exclude<PhoneCommand, { command: "state" | "token" | "take" }>;

const actions = { answer: "answer", reject: "reject", mute: "mute", hold: "hold", hangup: "hangUp" } as const;

function obeyWith(phone: Steered, command: Steering, lines: readonly Line[]): string | undefined {
  switch (command.command) {
    case "dial":
      return lines.length > 0 ? "busy" : void phone.dial(command.number);
    case "answer":
    case "reject":
      return steer(phone, lines, command.command) ? undefined : "not-ringing";
    case "mute":
    case "hold":
      return steer(phone, lines, command.command) ? undefined : "no-call";
    case "hangup": {
      const line = command.id === undefined ? frontLine(lines) : lines.find(({ id }) => id === command.id);
      return line ? void phone.hangUp(line.id) : "no-call";
    }
  }
}

/** Where the browser says who holds us, nobody else is spoken to; what is said to another origin goes nowhere anyhow. */
function likelyOrigins(origins: readonly string[]): readonly string[] {
  const holder = window.location.ancestorOrigins?.[0];
  return holder === undefined ? origins : origins.filter((origin) => origin === holder);
}

function stateOf({ session, link, lines }: PhoneState): Told {
  const extension = session?.extension ?? "";
  return { event: "state", extension, registered: link === "registered", calls: lines.map(told) };
}
