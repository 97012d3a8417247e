// A board on the wall: tiles in figures that can be read across a room, on any screen.

import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { Face, FaceTile, Figure, Tone } from "../../src/http/wall/face.ts";
import { firstLanguage, type Language, languageIn } from "../../src/languages.ts";
import { wallTiles } from "../../src/nouns/wall-board.ts";
import { alarmWords } from "../../src/words/alarms.ts";
import { showCount, showDuration, showTime } from "../../src/words/stamps.ts";
import { agentStatuses } from "../../src/words/terms.ts";
import { ring } from "../live/ring.ts";
import { useNow } from "../live/ticking.ts";
import { type Shown, useBoard } from "./line.ts";
import { texts } from "./texts.ts";

export function Screen() {
  const shown = useBoard();
  const { face, state } = shown;
  const language = face?.language ?? languageIn(navigator.language) ?? firstLanguage.console;
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dataset.look = face?.look ?? "auto";
    document.title = face?.name ?? "Santral";
  }, [language, face]);
  if (face) return <Board face={face} isLost={state === "lost"} />;
  return <Dark state={state} language={language} />;
}

function Dark({ state, language }: { state: Shown["state"]; language: Language }) {
  const isGone = state === "gone";
  return (
    <main className="dark">
      <div role="status">
        <h1>{isGone ? texts.gone[language] : texts.opening[language]}</h1>
        {isGone && <p>{texts.goneAbout[language]}</p>}
      </div>
    </main>
  );
}

const sizes: Record<Face["size"], number> = { normal: 1, large: 1.35, huge: 1.8 };

function Board({ face, isLost }: { face: Face; isLost: boolean }) {
  const { name, language, tiles, size } = face;
  return (
    <main className={isLost ? "board lost" : "board"} style={{ "--size": sizes[size] } as CSSProperties}>
      <header>
        <h1>{name}</h1>
        <Bell face={face} />
        <Clock language={language} timeZone={face.timeZone} />
      </header>
      <div className="tiles">
        {tiles.map((tile) => (
          <Tile key={tile.is} tile={tile} language={language} />
        ))}
      </div>
      <p className="lost-line" role="status">
        {isLost && texts.lost[language]}
      </p>
    </main>
  );
}

function Clock({ language, timeZone }: { language: Language; timeZone: string }) {
  return <time>{showTime(useNow(), language, timeZone)}</time>;
}

/** Off whenever a screen is lit: a browser lets no page be heard before somebody has touched it. */
function Bell({ face }: { face: Face }) {
  const [isOn, turn] = useState(false);
  const alarms = face.tiles.find((tile) => tile.is === "alarms");
  const known = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const now = new Set(alarms?.rows.map(({ id }) => id));
    if (isOn && [...now].some((id) => !known.current.has(id))) ring();
    known.current = now;
  }, [alarms, isOn]);
  if (!alarms) return null;
  const press = () => {
    turn(!isOn);
    if (!isOn) ring();
  };
  return (
    <button type="button" aria-pressed={isOn} onClick={press}>
      {texts.sound[face.language]}
    </button>
  );
}

function Tile({ tile, language }: { tile: FaceTile; language: Language }) {
  const label = wallTiles[tile.is][language];
  if (tile.is === "alarms") return <Alarms tile={tile} label={label} language={language} />;
  if (tile.is === "queues") return <Queues tile={tile} label={label} language={language} />;
  if (tile.is === "agents") return <Agents tile={tile} label={label} language={language} />;
  return (
    <section className={`tile ${tile.tone}`} aria-label={label}>
      <h2>{label}</h2>
      <p className="figure">{figureOf(tile, language)}</p>
      <Word tone={tile.tone} language={language} />
    </section>
  );
}

/** Beside the colour, for who does not see it. */
function Word({ tone, language }: { tone: Tone; language: Language }) {
  return tone === "alarm" ? <strong className="word">{texts.alarm[language]}</strong> : null;
}

function figureOf({ unit, value }: Figure, language: Language): string {
  if (value === null) return texts.nothing[language];
  if (unit === "seconds") return showDuration(value);
  return unit === "percent" ? alarmWords[language].figures["service-level"](value) : showCount(value, language);
}

type Listed<Is extends FaceTile["is"]> = { tile: Extract<FaceTile, { is: Is }>; label: string; language: Language };

function Alarms({ tile: { rows, tone }, label, language }: Listed<"alarms">) {
  const { abouts, figures } = alarmWords[language];
  return (
    <section className={`tile wide ${tone}`} aria-label={label} aria-live="assertive">
      <h2>{label}</h2>
      {rows.length === 0 && <p className="line">{texts.noAlarms[language]}</p>}
      {rows.map(({ id, queue, queueName, about, value, threshold }) => (
        <p className="line" key={id}>
          <strong>
            {queue} {queueName}
          </strong>{" "}
          {abouts[about]} {figures[about](value)} ({texts.threshold[language](figures[about](threshold))})
        </p>
      ))}
    </section>
  );
}

function Queues({ tile: { rows }, label, language }: Listed<"queues">) {
  return (
    <section className="tile wide" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.queue[language]}</th>
            <th scope="col">{texts.waiting[language]}</th>
            <th scope="col">{texts.longest[language]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, name, waiting, seconds, tone }) => (
            <tr key={number} className={tone}>
              <th scope="row">
                {number} {name} <Word tone={tone} language={language} />
              </th>
              <td>{showCount(waiting, language)}</td>
              <td>{showDuration(seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Two of one name are two. */
function keysOf(names: readonly string[]): string[] {
  return names.map((name, at) => `${name} ${names.slice(0, at).filter((other) => other === name).length}`);
}

function Agents({ tile: { rows }, label, language }: Listed<"agents">) {
  const keys = keysOf(rows.map(({ name }) => name));
  return (
    <section className="tile wide" aria-label={label}>
      <h2>{label}</h2>
      <ul>
        {rows.map(({ name, status, free, break: why }, at) => (
          <li key={keys[at]} className={free ? "free" : status}>
            <strong>{name}</strong>
            <span>
              {status === "available" && !free ? texts.out[language] : agentStatuses[status][language]} {why}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
