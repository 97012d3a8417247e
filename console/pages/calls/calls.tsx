// Calls that were: filters that stand in the address, a table, and the same as a file for a spreadsheet.

import { Alert, Badge, Button, Group, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { BECAME } from "../../../src/nouns/became.ts";
import { type Outcome, outcomes, RESULTS } from "../../../src/nouns/outcome.ts";
import { MOST_SHEET_ROWS } from "../../../src/nouns/report-plan.ts";
import { causeInWords } from "../../../src/words/causes.ts";
import { showCount, showDuration } from "../../../src/words/stamps.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { type Paging, usePaged } from "../../ask/use-paged.ts";
import { Direction } from "../../ui/direction.tsx";
import { Download } from "../../ui/download.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useFilters } from "../../ui/use-filters.ts";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { dayAgo, dayBegins } from "../../words/stamps.ts";
import { directions } from "../../words/texts.ts";
import { InlinePlay } from "./inline-play.tsx";
import { texts } from "./texts.ts";

type Call = Reply<"calls.list">["rows"][number];
type Wanted = Omit<Parameters<"calls.list">, "page" | "limit">;

/** Beside the heading. */
const MOST_IN_EXCEL = MOST_SHEET_ROWS - 1;

const PEOPLE = [
  ...(["madeBy", "takenBy", "unansweredBy", "talkedBy", "offeredTo", "answeredBy", "letPassBy"] as const),
  "surveyOf",
] as const;
const COUNTS = [
  "waitedOver",
  "waitedUpTo",
  "queueWaitedOver",
  "queueWaitedUpTo",
  "hour",
  "weekday",
  "campaign",
] as const;
const NARROWING = [...COUNTS, "queued", "became", "talked", "extension", "ownNumber", ...PEOPLE] as const;

export function Calls() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [query, change] = useFilters();
  const { exchange } = useSession();
  const wanted = wantedOf(query, exchange.timeZone);
  const calls = usePaged("calls.list", wanted);
  const found = calls.query.data;
  const isCut = (found?.total ?? 0) > MOST_IN_EXCEL;
  const expected = found?.more ? undefined : found?.total;
  return (
    <PageFrame
      title={words.title}
      actions={
        <>
          <Download wanted={wanted} file="calls.csv" label={words.csv} expected={expected} />
          <Download wanted={wanted} file="calls.xlsx" label={words.excel} expected={expected} />
        </>
      }
    >
      <Filters query={query} change={change} />
      <Narrowed query={query} change={change} />
      {isCut && <Alert color="yellow">{words.cut(showCount(MOST_IN_EXCEL, language))}</Alert>}
      <Surface>
        <CallRows pages={calls} />
      </Surface>
    </PageFrame>
  );
}

/** Days are the exchange's; the last one is wholly inside. */
function wantedOf(query: URLSearchParams, timeZone: string): Wanted {
  const given = (name: string) => query.get(name) || undefined;
  const from = given("from") ?? dayAgo(6, timeZone);
  const to = given("to") ?? dayAgo(0, timeZone);
  const result = given("result");
  const count = (name: string) => {
    const value = given(name);
    return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
  };
  const wanted: Record<string, unknown> = {
    from: dayBegins(from, timeZone),
    before: dayBegins(to, timeZone, 1),
    direction: given("direction"),
    recording: given("recording"),
    about: given("about"),
    caller: given("caller"),
    destination: given("destination"),
    queue: given("queue"),
    result: result === "taken" ? "answered" : RESULTS.find((it) => it === result), // its name until a while ago
    waitedOver: count("waitedOver"),
    waitedUpTo: count("waitedUpTo"),
    hour: count("hour"),
    weekday: count("weekday"),
    queueWaitedOver: count("queueWaitedOver"),
    queueWaitedUpTo: count("queueWaitedUpTo"),
    campaign: count("campaign"),
    queued: given("queued") ? true : undefined,
    became: BECAME.find((it) => it === given("became")),
    talked: given("talked") ? true : undefined,
    ...Object.fromEntries(PEOPLE.map((name) => [name, given(name)])),
    disposition: given("disposition"),
    tag: given("tag"),
    note: given("note"),
    extension: given("extension"),
    ownNumber: given("ownNumber"),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Wanted; // as built above
}

function Filters({ query, change }: { query: URLSearchParams; change(name: string, value: string | null): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const day = (name: "from" | "to", first: string) => (
    <TextInput
      label={words[name]}
      type="date"
      value={query.get(name) ?? first}
      onChange={(event) => change(name, event.currentTarget.value)}
    />
  );
  const text = (name: "about" | "caller" | "destination" | "queue" | "disposition" | "tag" | "note") => (
    <TextInput
      label={words[name]}
      defaultValue={query.get(name) ?? ""}
      onBlur={(event) => change(name, event.currentTarget.value.trim())}
      onKeyDown={(event) => event.key === "Enter" && change(name, event.currentTarget.value.trim())}
    />
  );
  const choice = (name: "direction" | "result" | "recording", options: [string, string][]) => (
    <Select
      label={words[name]}
      placeholder={words.any}
      clearable
      data={options.map(([value, label]) => ({ value, label }))}
      value={query.get(name)}
      onChange={(value) => change(name, value)}
    />
  );
  return (
    <Surface>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" p="md">
        {day("from", dayAgo(6, exchange.timeZone))}
        {day("to", dayAgo(0, exchange.timeZone))}
        {choice("direction", choicesIn(directions, language))}
        {choice("result", [
          ...choicesIn(outcomes, language),
          ["untaken", words.untaken],
          ["wanted-person", words.wantedPerson],
        ])}
        {choice("recording", [
          ["present", words.present],
          ["deleted", words.deleted],
          ["none", words.none],
        ])}
        {text("about")}
        {text("caller")}
        {text("destination")}
        {text("queue")}
        {text("disposition")}
        {text("tag")}
        {text("note")}
      </SimpleGrid>
    </Surface>
  );
}

/** What a report has narrowed the list by, each with a button that takes it away. */
function Narrowed({ query, change }: { query: URLSearchParams; change(name: string, value: string | null): void }) {
  const words = useWords(texts);
  const shown = NARROWING.flatMap((name) => {
    const value = query.get(name);
    return value ? [{ name, text: words[name](value) }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Group gap="xs">
      {shown.map(({ name, text }) => (
        <Button
          key={name}
          size="compact-sm"
          variant="light"
          rightSection={<span aria-hidden>×</span>}
          aria-label={words.without(text)}
          onClick={() => change(name, null)}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
}

function CallRows({ pages }: { pages: Paging<Call> }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const [, go] = useLocation();
  const [playing, play] = useState<string>();
  const columns: Column<Call>[] = [
    {
      title: words.began,
      show: ({ startStamp, callUuid }) => (
        <Link href={`/calls/${callUuid}`} aria-label={`${words.open} ${dateTime(startStamp)}`}>
          {dateTime(startStamp)}
        </Link>
      ),
    },
    { title: words.direction, show: ({ direction }) => <Direction direction={direction} /> },
    { title: words.caller, show: ({ callerIdNumber, callerIdName }) => `${callerIdNumber} ${callerIdName}`.trim() },
    {
      title: words.destination,
      show: ({ destinationNumber, destinationName }) => `${destinationNumber} ${destinationName}`.trim(),
    },
    {
      title: words.result,
      show: (call) => (
        <>
          <Result call={call} />
          <Written notes={call.notes} />
        </>
      ),
    },
    { title: words.queue, show: ({ queue }) => queue ?? "—" },
    { title: words.talk, show: ({ talkSeconds }) => showDuration(talkSeconds), end: true },
    {
      title: words.recording,
      show: (call) =>
        call.recording === "present" ? <InlinePlay call={call} playing={playing} play={play} /> : words[call.recording],
      end: true,
      stays: true,
    },
  ];
  return (
    <PagedRows
      pages={pages}
      label={words.title}
      columns={columns}
      keyOf={({ callUuid }) => callUuid}
      open={({ callUuid }) => go(`/calls/${callUuid}`)}
      empty={{ icon: "call", says: words.noCalls }}
    />
  );
}

/** What agents gave it as and tagged it with; the notes themselves are on the page of the call. */
function Written({ notes }: { notes: Call["notes"] }) {
  const shown = [
    ...notes.flatMap(({ disposition }) => disposition ?? []),
    ...notes.flatMap(({ tags }) => tags.map(hashed)),
  ];
  return shown.length === 0 ? null : (
    <Text size="xs" c="dimmed">
      {[...new Set(shown)].join(" · ")}
    </Text>
  );
}

const hashed = (tag: string) => `#${tag}`;

const colors: Record<Outcome, string> = {
  answered: "teal",
  system: "blue",
  missed: "red",
  unanswered: "gray",
  refused: "gray",
};

export function Result({ call: { outcome, hangupCause } }: { call: Pick<Call, "outcome" | "hangupCause"> }) {
  const { language } = useLanguage();
  return (
    <Badge color={colors[outcome]} title={causeInWords(hangupCause, language)}>
      {outcomes[outcome][language]}
    </Badge>
  );
}
