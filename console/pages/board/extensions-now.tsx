// Every extension as a tile with its colour: five hundred of them, of which only the changed ones are drawn again.
// The tiles are plain elements: a component of the library in each would cost more than all the rest of the page.

import { TextInput } from "@mantine/core";
import { type MouseEvent, memo, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useRouter } from "wouter";
import type { ExtensionNow } from "../../../src/exchange/panel.ts";
import { useWhyNot } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { folded } from "../../words/collation.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { extensionStates } from "../../words/texts.ts";
import { deskTexts, texts } from "./texts.ts";
import { leadsTo, useCallOfEach } from "./where-to.ts";

export function ExtensionsNow() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const extensions = useLivePart((live) => live.extensions);
  const [about, setAbout] = useState("");
  const shown = useMemo(() => {
    const wanted = folded(about);
    const matches = ({ number, name }: ExtensionNow) => folded(`${number} ${name}`).includes(wanted);
    const sorted = [...extensions.values()].sort((one, other) => Number(one.number) - Number(other.number));
    return wanted === "" ? sorted : sorted.filter(matches);
  }, [extensions, about]);
  const toggle = useToggle();
  const desk = useWords(deskTexts);
  const callOf = useCallOfEach();
  const { base } = useRouter();
  const follow = useFollow();
  const whyNot = useWhyNot("extensions.setDnd");
  return (
    <Surface
      title={words.extensions}
      actions={
        <TextInput
          size="xs"
          aria-label={words.filter}
          placeholder={words.filter}
          value={about}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => setAbout(event.currentTarget.value)}
        />
      }
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link is a click on it */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is clicked */}
      <div className="tiles" onClick={follow}>
        {shown.map((extension) => (
          <Tile
            key={extension.number}
            extension={extension}
            state={extensionStates[extension.state][language]}
            dnd={extension.state === "do-not-disturb" ? words.dndOff : words.dndOn}
            whyNot={whyNot}
            toggle={toggle}
            href={base + leadsTo(extension.number, callOf.get(extension.number))}
            leads={callOf.has(extension.number) ? desk.story : desk.theirCalls}
          />
        ))}
      </div>
    </Surface>
  );
}

/** One for all of them: a link with a life of its own in each tile would cost more than the tile. */
function useFollow() {
  const [, go] = useLocation();
  const { base } = useRouter();
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a.covers") : null;
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go((link.getAttribute("href") ?? "").slice(base.length));
  };
}

type Toggle = (number: string, dnd: boolean) => void;

/** The same function for ever, so that no tile is drawn again because of it. */
function useToggle(): Toggle {
  const setDnd = useDo("extensions.setDnd");
  const latest = useRef(setDnd);
  useEffect(() => {
    latest.current = setDnd;
  });
  return useMemo(() => (number, dnd) => void latest.current({ number, dnd }), []);
}

type TileProps = {
  extension: ExtensionNow;
  state: string;
  dnd: string;
  whyNot: string | undefined;
  toggle: Toggle;
  href: string;
  leads: string;
};

const Tile = memo(function Tile({ extension, state: words, dnd, whyNot, toggle, href, leads }: TileProps) {
  const { number, name, state } = extension;
  return (
    <div className="tile covered" data-color={extensionStates[state].color} data-extension={number} data-state={state}>
      <div className="tile-head">
        <a className="covers" href={href} title={leads}>
          <strong>{number}</strong>
        </a>
        <button
          type="button"
          className="plain"
          title={whyNot ?? dnd}
          aria-label={`${dnd}: ${number}`}
          aria-disabled={whyNot !== undefined}
          onClick={whyNot ? undefined : () => toggle(number, state !== "do-not-disturb")}
        >
          <Icon name="block" size={15} />
        </button>
      </div>
      <div className="tile-name">{name || "—"}</div>
      <span className="pill">{words}</span>
    </div>
  );
});
