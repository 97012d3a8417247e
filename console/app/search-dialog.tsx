// Search everywhere: one field, and under it what was found. The arrows choose, Enter goes there, and a screen reader is
// told what is chosen and how much there is.

import { Group, Kbd, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../ask/session.tsx";
import { useStamps } from "../ask/stamps.ts";
import { useAsk } from "../ask/use-ask.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { type Found, foundHere, foundThere, type Kind, leadsSomewhere } from "./search-found.ts";
import { noteRecent, recentOf } from "./search-recent.ts";
import { searchTexts } from "./texts.ts";

const TYPING_MS = 150;
const FEWEST = 2;

export function SearchDialog({ close }: { close(): void }) {
  const words = useWords(searchTexts);
  const { email } = useSession();
  const [, go] = useLocation();
  const [about, setAbout] = useState("");
  const { found, isBusy } = useFound(about);
  const [chosen, choose] = useState(0);
  const list = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is of what was asked
  useEffect(() => choose(0), [about]);
  const open = (it: Found | undefined) => {
    if (!it) return;
    noteRecent(email, it);
    close();
    go(it.href);
  };
  const at = Math.min(chosen, found.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) choose((at + step + found.length) % found.length);
    else if (event.key === "Enter") open(found[at]);
    else return;
    event.preventDefault();
  };
  const isEmpty = found.length === 0 && about.trim().length >= FEWEST && !isBusy;
  return (
    <Dialog opened close={close} title={words.title} size="lg">
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        aria-label={words.title}
        placeholder={words.hint}
        leftSection={<Icon name="search" />}
        value={about}
        maxLength={64}
        onChange={({ currentTarget: { value } }) => setAbout(value)}
        onKeyDown={onKeyDown}
      />
      <Text size="xs" c="dimmed" role="status" my={6}>
        {isEmpty ? words.nothing : about.trim() === "" && found.length > 0 ? words.recent : words.found(found.length)}
      </Text>
      <Choices list={list} found={found} at={at} open={open} />
      <Group gap="xs" mt="sm" visibleFrom="sm">
        <Text size="xs" c="dimmed">
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {words.choose} · <Kbd size="xs">Enter</Kbd> {words.go} ·{" "}
          <Kbd size="xs">Esc</Kbd> {words.leave}
        </Text>
      </Group>
    </Dialog>
  );
}

/** Nothing typed: what one went to last. */
function useFound(about: string): { found: Found[]; isBusy: boolean } {
  const { language } = useLanguage();
  const { email, operates, may } = useSession();
  const allowed = { may, operates };
  const { dateTime } = useStamps();
  const [asked] = useDebouncedValue(about.trim(), TYPING_MS);
  const isLong = asked.length >= FEWEST;
  const answer = useAsk("search.everywhere", isLong ? { about: asked, language } : undefined);
  if (about.trim() === "") return { found: recentOf(email).filter((it) => leadsSomewhere(it, allowed)), isBusy: false };
  const here = foundHere(about, language, allowed);
  const there = isLong && answer.data ? foundThere(answer.data, language, dateTime) : [];
  return { found: [...here, ...there], isBusy: answer.isFetching || asked !== about.trim() };
}

type ChoicesProps = { list: string; found: Found[]; at: number; open(it: Found): void };

function Choices({ list, found, at, open }: ChoicesProps) {
  const words = useWords(searchTexts);
  const kinds: Record<Kind, string> = {
    page: words.page,
    setting: words.setting,
    place: words.place,
    person: words.person,
    call: words.call,
  };
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [list, at]);
  return (
    <div id={list} role="listbox" aria-label={words.title} className="found">
      {found.map((it, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one
        <div
          key={it.key}
          id={`${list}-${place}`}
          role="option"
          aria-selected={place === at}
          className="found-one"
          onClick={() => open(it)}
        >
          <Icon name={it.icon} />
          <span className="found-title">
            {it.title}
            {it.detail && <small>{it.detail}</small>}
          </span>
          <small>{kinds[it.kind]}</small>
        </div>
      ))}
    </div>
  );
}
