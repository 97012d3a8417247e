// Every extension as a tile with its colour: five hundred of them, of which only the changed ones are drawn again.
// The tiles are plain elements: a component of the library in each would cost more than all the rest of the page.

import { TextInput } from "@mantine/core";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { ExtensionNow } from "../../../src/exchange/panel.ts";
import { useWhyNot } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { extensionStates } from "../../words/live-words.ts";
import { texts } from "./texts.ts";

export function ExtensionsNow() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const extensions = useLivePart((live) => live.extensions);
  const [about, setAbout] = useState("");
  const shown = useMemo(() => {
    const wanted = about.toLocaleLowerCase("tr");
    const matches = ({ number, name }: ExtensionNow) => `${number} ${name}`.toLocaleLowerCase("tr").includes(wanted);
    const sorted = [...extensions.values()].sort((one, other) => Number(one.number) - Number(other.number));
    return wanted === "" ? sorted : sorted.filter(matches);
  }, [extensions, about]);
  const toggle = useToggle();
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
      <div className="tiles">
        {shown.map((extension) => (
          <Tile
            key={extension.number}
            extension={extension}
            state={extensionStates[extension.state][language]}
            dnd={extension.state === "do-not-disturb" ? words.dndOff : words.dndOn}
            whyNot={whyNot}
            toggle={toggle}
          />
        ))}
      </div>
    </Surface>
  );
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

type TileProps = { extension: ExtensionNow; state: string; dnd: string; whyNot: string | undefined; toggle: Toggle };

const Tile = memo(function Tile({ extension, state: words, dnd, whyNot, toggle }: TileProps) {
  const { number, name, state } = extension;
  return (
    <div className="tile" data-color={extensionStates[state].color} data-extension={number} data-state={state}>
      <div className="tile-head">
        <strong>{number}</strong>
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
