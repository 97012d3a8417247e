// What narrows a list: a text to look for, and the days it is about.

import { Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useSession } from "../ask/session.tsx";
import { useWords } from "../words/language.tsx";
import { dayBegins } from "../words/stamps.ts";
import { general } from "../words/texts.ts";
import { Icon } from "./icon.tsx";

const TYPING_MS = 250;

/** Looks when the typing pauses. */
export function SearchBox({ label, look, first = "" }: { label: string; look(about: string): void; first?: string }) {
  const [text, setText] = useState(first);
  const later = useDebouncedCallback(look, TYPING_MS);
  return (
    <TextInput
      flex={1}
      miw={180}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" />}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        later(value);
      }}
    />
  );
}

export type Days = { from: string; to: string };

export const ANY_DAY: Days = { from: "", to: "" };

/** Days of the exchange, the last one wholly inside; an empty one is open. */
export function DaysFilter({ days, change }: { days: Days; change(days: Days): void }) {
  const words = useWords(general);
  return (["from", "to"] as const).map((end) => (
    <TextInput
      key={end}
      type="date"
      aria-label={words[end]}
      leftSection={<Text size="sm">{words[end]}</Text>}
      leftSectionWidth={88}
      value={days[end]}
      onChange={(event) => change({ ...days, [end]: event.currentTarget.value })}
    />
  ));
}

/** As operations take it. */
export function useSpan({ from, to }: Days): { from?: string; before?: string } {
  const { timeZone } = useSession().exchange;
  return {
    ...(from === "" ? {} : { from: dayBegins(from, timeZone) }),
    ...(to === "" ? {} : { before: dayBegins(to, timeZone, 1) }),
  };
}
