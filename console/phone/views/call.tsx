// A call that is up or on its way: who, how long, and what can be done with it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formOf } from "../forms.ts";
import { can, type Line, MOST_LINES } from "../lines.ts";
import type { PhoneState } from "../state.ts";
import type { Words } from "../texts.ts";
import { whoOn } from "../who.ts";
import { initials } from "./contacts.tsx";
import { FormBox } from "./forms.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Keys } from "./keypad.tsx";
import { useShown } from "./shown.ts";
import { NewCallBox, TransferBox } from "./transfer.tsx";

type Open = "nothing" | "keys" | "transfer" | "second";

export function CallView({ line }: { line: Line }): JSX.Element {
  const { phone, state, words } = useShown();
  const [open, show] = useState<Open>("nothing");
  const other = state.lines.find(({ id }) => id !== line.id);
  const telephone = phone.telephone();
  const form = formOf(line, state.lines, state.forms);
  const isAsked = form !== undefined && !form.aside && open === "nothing";
  return (
    <section class={isAsked ? "view person with-form" : "view person"} data-at={line.at}>
      {other && <OtherLine line={other} />}
      {open === "nothing" && !isAsked && (
        <div class="avatar" aria-hidden="true">
          {initials(whoOn(line, words))}
        </div>
      )}
      <h1>{whoOn(line, words)}</h1>
      {whoOn(line, words) === line.name && <p class="sub">{line.number}</p>}
      <p class="timer">{line.sinceMs === undefined ? words[waitingFor(line, state)] : <Timer line={line} />}</p>
      {line.at === "talking" && <Quality bars={line.quality} />}
      <Tiles line={line} open={open} show={show} />
      {isAsked && <FormBox key={form.callUuid} form={form} />}
      {open === "keys" && can(line, "keys") && <KeysBox press={(key) => telephone?.press(line.id, key)} />}
      {open === "transfer" && can(line, "transfer") && <TransferBox line={line} close={() => show("nothing")} />}
      {open === "second" && <NewCallBox close={() => show("nothing")} />}
      {line.asksFor !== undefined && line.at === "talking" && (
        <button type="button" class="go" onClick={() => telephone?.complete(line.id)}>
          <Icon name="transfer" size={20} />
          {words.complete}
        </button>
      )}
      <button type="button" class="end bottom" onClick={() => telephone?.hangUp(line.id)}>
        <Icon name="hangUp" size={20} />
        {words.hangUp}
      </button>
    </section>
  );
}

function Tiles({ line, open, show }: { line: Line; open: Open; show(open: Open): void }): JSX.Element {
  const { phone, state, words } = useShown();
  const telephone = phone.telephone();
  const other = state.lines.find(({ id }) => id !== line.id);
  const toggle = (what: Open) => show(open === what ? "nothing" : what);
  return (
    <div class="tiles">
      <Tile
        icon={line.muted ? "mute" : "microphone"}
        text={line.muted ? words.unmute : words.mute}
        isOn={line.muted}
        isOff={!can(line, "mute")}
        press={() => telephone?.mute(line.id, !line.muted)}
      />
      <Tile
        icon={line.held ? "resume" : "hold"}
        text={line.held ? words.resume : words.hold}
        isOn={line.held}
        isOff={!can(line, "hold")}
        press={() => telephone?.hold(line.id, !line.held)}
      />
      <Tile
        icon="keypad"
        text={words.keys}
        isOn={open === "keys"}
        isOff={!can(line, "keys")}
        press={() => toggle("keys")}
      />
      <Tile
        icon="transfer"
        text={words.transfer}
        isOn={open === "transfer"}
        isOff={!can(line, "transfer")}
        press={() => toggle("transfer")}
      />
      {other ? (
        <Tile
          icon="swap"
          text={words.swap}
          isOff={other.at !== "talking"}
          press={() => telephone?.hold(other.id, false)}
        />
      ) : (
        <Tile
          icon="add"
          text={words.secondLine}
          isOn={open === "second"}
          isOff={line.at !== "talking" || state.lines.length >= MOST_LINES}
          press={() => toggle("second")}
        />
      )}
    </div>
  );
}

type TileProps = { icon: IconName; text: string; isOn?: boolean; isOff: boolean; press(): void };

function Tile({ icon, text, isOn = false, isOff, press }: TileProps): JSX.Element {
  return (
    <button type="button" aria-pressed={isOn} disabled={isOff} onClick={press}>
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}

/** Keys of the keyboard work too while this is open. */
function KeysBox({ press }: { press(key: string): void }): JSX.Element {
  const [pressed, note] = useState("");
  const both = (key: string) => {
    note((before) => (before + key).slice(-18));
    press(key);
  };
  useEffect(() => {
    const typing = ({ key, target }: KeyboardEvent) => {
      if (/^[\d*#]$/.test(key) && !(target instanceof HTMLInputElement)) both(key);
    };
    document.addEventListener("keydown", typing);
    return () => document.removeEventListener("keydown", typing);
  });
  return (
    <div class="box">
      <output class="pressed">{pressed || " "}</output>
      <Keys small press={both} />
    </div>
  );
}

function OtherLine({ line }: { line: Line }): JSX.Element {
  const { phone, words } = useShown();
  return (
    <button
      type="button"
      class="other"
      disabled={line.at !== "talking"}
      onClick={() => phone.telephone()?.hold(line.id, false)}
    >
      <Icon name="hold" size={16} />
      <span class="who">{whoOn(line, words)}</span>
      <small>{words[line.at === "talking" ? "onHold" : "calling"]}</small>
    </button>
  );
}

function Timer({ line }: { line: Line }): JSX.Element {
  const { words } = useShown();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((ticks) => ticks + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((Date.now() - (line.sinceMs ?? Date.now())) / 1_000));
  const two = (number: number) => String(number).padStart(2, "0");
  const hours = seconds >= 3_600 ? `${Math.floor(seconds / 3_600)}:` : "";
  return (
    <>
      <span class="time">{`${hours}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`}</span>
      {line.held && <span class="tag">{words.onHold}</span>}
    </>
  );
}

function Quality({ bars }: { bars: number }): JSX.Element {
  const { words } = useShown();
  return (
    <div class="bars" data-bars={bars} role="img" aria-label={`${words.quality}: ${bars} / 4`}>
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} class={bar <= bars ? "on" : ""} />
      ))}
    </div>
  );
}

function waitingFor({ at }: Line, { notice }: PhoneState): keyof Words {
  if (at === "returning") return "returning";
  return notice === "ringing" ? "ringing" : "calling";
}
