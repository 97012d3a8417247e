// What the report is about: days, direction, where the calls went, and the seconds that are promised.

import { NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useAsk } from "../../ask/use-ask.ts";
import { Surface } from "../../ui/page.tsx";
import type { ChangeFilter } from "../../ui/use-filters.ts";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { dayAfter, dayAgo, dayBegins } from "../../words/stamps.ts";
import { directions } from "../../words/texts.ts";
import { texts } from "./texts.ts";

/** As the server has it: no report is about more than a year. */
const LONGEST_DAYS = 365;
const MOST_PROMISED = 3_600;
const USUAL_PROMISE = 20;

export type Asked = {
  from: string;
  to: string;
  direction: "inbound" | "internal";
  queue?: string;
  extension?: string;
  ownNumber?: string;
  promisedSeconds: number;
};

/** Out of the address, where anybody may have written anything. */
export function askedOf(query: URLSearchParams, timeZone: string): Asked {
  const given = (name: "queue" | "extension" | "ownNumber") => {
    const value = query.get(name);
    return value ? { [name]: value } : {};
  };
  const from = dayIn(query.get("from")) ?? dayAgo(6, timeZone);
  const to = dayIn(query.get("to")) ?? dayAgo(0, timeZone);
  const last = dayAfter(from, LONGEST_DAYS);
  const promised = Number(query.get("promise") ?? USUAL_PROMISE);
  return {
    from,
    to: Date.parse(to) > Date.parse(last) ? last : to,
    direction: query.get("direction") === "internal" ? "internal" : "inbound",
    ...given("queue"),
    ...given("extension"),
    ...given("ownNumber"),
    promisedSeconds:
      Number.isInteger(promised) && promised >= 1 && promised <= MOST_PROMISED ? promised : USUAL_PROMISE,
  };
}

/** The same as operations take it. */
export function wantedOf({ from, to, ...rest }: Asked, timeZone: string) {
  return { ...rest, from: dayBegins(from, timeZone), before: dayBegins(to, timeZone, 1) };
}

function dayIn(text: string | null): string | undefined {
  return text && /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export function Filters({ asked, change }: { asked: Asked; change: ChangeFilter }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const day = (name: "from" | "to") => (
    <TextInput
      label={words[name]}
      type="date"
      value={asked[name]}
      onChange={(event) => event.currentTarget.value && change(name, event.currentTarget.value)}
    />
  );
  const choices = choicesIn(directions, language).filter(([value]) => value !== "outbound");
  return (
    <Surface>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4, xl: 7 }} spacing="sm" p="md">
        {day("from")}
        {day("to")}
        <Select
          label={words.direction}
          allowDeselect={false}
          data={choices.map(([value, label]) => ({ value, label }))}
          value={asked.direction}
          onChange={(value) => change("direction", value)}
        />
        <Places asked={asked} change={change} />
        <NumberInput
          label={words.promise}
          min={1}
          max={MOST_PROMISED}
          allowDecimal={false}
          value={asked.promisedSeconds}
          onChange={(value) => typeof value === "number" && change("promise", String(value))}
        />
      </SimpleGrid>
    </Surface>
  );
}

/** What was deleted since stays in the records, and in a filter that names it. */
function Places({ asked, change }: { asked: Asked; change: ChangeFilter }) {
  const words = useWords(texts);
  const names = useAsk("directory.list", {}).data;
  const { queues, groups, extensions, numbers } = names ?? { queues: [], groups: [], extensions: [], numbers: [] };
  const named = (rows: readonly { number: string; name: string }[]) =>
    rows.map(({ number, name }) => ({ value: number, label: `${number} ${name}`.trim() }));
  const choice = (name: "queue" | "extension" | "ownNumber", data: { value: string; label: string }[]) => {
    const chosen = asked[name];
    const gone = chosen !== undefined && !data.some(({ value }) => value === chosen);
    return (
      <Select
        label={words[name]}
        placeholder={words.any}
        clearable
        searchable
        data={gone ? [...data, { value: chosen, label: chosen }] : data}
        value={chosen ?? null}
        onChange={(value) => change(name, value)}
      />
    );
  };
  return (
    <>
      {choice("queue", named([...queues, ...groups]))}
      {choice("extension", named(extensions))}
      {choice(
        "ownNumber",
        numbers.map(({ number }) => ({ value: number, label: number })),
      )}
    </>
  );
}
