// The report about forms: what was filled in or is owed, how often each choice was taken, and the same as a file.

import { Group, SegmentedControl, Select, SimpleGrid, TextInput } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { answerShown } from "../../../src/forms/answers.ts";
import { yesNo } from "../../../src/words/form-words.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useExtensionChoices } from "../../ask/choices.ts";
import { useHas, useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useNamed } from "../../ask/use-ask.ts";
import { type Paging, usePaged } from "../../ask/use-paged.ts";
import { Download } from "../../ui/download.tsx";
import { SearchBox } from "../../ui/filters.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { type ChangeFilter, useFilters } from "../../ui/use-filters.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayAgo, dayBegins } from "../../words/stamps.ts";
import { ChoiceCounts } from "./choice-counts.tsx";
import { reportTexts } from "./texts.ts";

type Filled = Reply<"reports.forms">["rows"][number];
type Wanted = Omit<Parameters<"reports.forms">, "page" | "limit">;

export function FormReport() {
  const words = useWords(reportTexts);
  const { exchange } = useSession();
  const { language } = useLanguage();
  const [query, change] = useFilters();
  const wanted = wantedOf(query, exchange.timeZone);
  const pages = usePaged("reports.forms", wanted);
  return (
    <PageFrame
      title={words.title}
      about={words.about}
      actions={
        <>
          <Download wanted={{ ...wanted, lang: language }} file="forms.csv" label={words.csv} />
          <Download wanted={{ ...wanted, lang: language }} file="forms.xlsx" label={words.excel} />
        </>
      }
    >
      <Filters query={query} change={change} />
      <Surface>
        <FilledRows pages={pages} wanted={wanted} />
      </Surface>
      {wanted.form !== undefined && !wanted.owed && <ChoiceCounts wanted={{ ...wanted, form: wanted.form }} />}
    </PageFrame>
  );
}

/** Days are the exchange's; the last one is wholly inside. */
function wantedOf(query: URLSearchParams, timeZone: string): Wanted {
  const given = (name: string) => query.get(name) || undefined;
  const form = Number(given("form"));
  const wanted: Record<string, unknown> = {
    from: dayBegins(given("from") ?? dayAgo(6, timeZone), timeZone),
    before: dayBegins(given("to") ?? dayAgo(0, timeZone), timeZone, 1),
    owed: given("which") === "owed" || undefined,
    form: Number.isSafeInteger(form) && form > 0 ? form : undefined,
    extension: given("agent"),
    queue: given("queue"),
    about: given("about"),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Wanted; // as built above
}

function Filters({ query, change }: { query: URLSearchParams; change: ChangeFilter }) {
  const words = useWords(reportTexts);
  const { exchange } = useSession();
  const forms = useForms();
  const agents = useExtensionChoices();
  const day = (name: "from" | "to", first: string) => (
    <TextInput
      label={words[name]}
      type="date"
      value={query.get(name) ?? first}
      onChange={(event) => change(name, event.currentTarget.value)}
    />
  );
  return (
    <Surface>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" p="md" pb={0}>
        <Select
          label={words.form}
          placeholder={words.anyForm}
          clearable
          data={forms.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={query.get("form")}
          onChange={(form) => change("form", form)}
        />
        {day("from", dayAgo(6, exchange.timeZone))}
        {day("to", dayAgo(0, exchange.timeZone))}
        <Select
          label={words.agent}
          placeholder={words.anyone}
          clearable
          searchable
          data={agents}
          value={query.get("agent")}
          onChange={(agent) => change("agent", agent)}
        />
        <TextInput
          label={words.queue}
          defaultValue={query.get("queue") ?? ""}
          onBlur={(event) => change("queue", event.currentTarget.value.trim())}
          onKeyDown={(event) => event.key === "Enter" && change("queue", event.currentTarget.value.trim())}
        />
      </SimpleGrid>
      <Group p="md" gap="sm">
        <SegmentedControl
          aria-label={words.which}
          data={[
            { value: "filled", label: words.filled },
            { value: "owed", label: words.owed },
          ]}
          value={query.get("which") === "owed" ? "owed" : "filled"}
          onChange={(which) => change("which", which === "owed" ? which : null)}
        />
        <SearchBox label={words.search} look={(about) => change("about", about.trim())} />
      </Group>
    </Surface>
  );
}

function FilledRows({ pages, wanted }: { pages: Paging<Filled>; wanted: Wanted }) {
  const words = useWords(reportTexts);
  const { dateTime } = useStamps();
  const [, go] = useLocation();
  const answers = useAnswerColumns(wanted);
  const seesCalls = useHas("see-calls");
  const columns: Column<Filled>[] = [
    {
      title: words.time,
      show: ({ at, callUuid }) =>
        seesCalls ? (
          <Link href={`/calls/${callUuid}`} aria-label={`${words.open} ${dateTime(at)}`}>
            {dateTime(at)}
          </Link>
        ) : (
          dateTime(at)
        ),
    },
    { title: words.agent, show: ({ extension, agent }) => `${extension} ${agent}`.trim() },
    { title: words.number, show: ({ number, name }) => `${number} ${name}`.trim() || "—" },
    { title: words.queue, show: ({ queue }) => queue ?? "—" },
    ...answers,
  ];
  return (
    <PagedRows
      pages={pages}
      label={words.title}
      columns={columns}
      keyOf={({ callUuid, extension }) => `${callUuid} ${extension}`}
      {...(seesCalls && { open: ({ callUuid }: Filled) => go(`/calls/${callUuid}`) })}
      empty={{ icon: "form", says: wanted.owed ? words.nothingOwed : words.nothing }}
    />
  );
}

/** Who reads reports alone sees what was filled in, and not what is asked. */
function useForms() {
  return useNamed("forms.list", useHas("see-forms") ? {} : undefined);
}

/** Of one form a column for each field of its newest version; of several the form, and what it holds. */
function useAnswerColumns({ form: id, owed }: Wanted): Column<Filled>[] {
  const words = useWords(reportTexts);
  const { language } = useLanguage();
  const form = useForms().data?.find((it) => it.id === id);
  const shown = (row: Filled, field: string) => answerShown(row.answers?.[field], yesNo[language]);
  const which: Column<Filled> = { title: words.form, show: ({ form, version }) => `${form} (${version})` };
  if (owed) return [which];
  if (form) return form.fields.map(({ id, label }) => ({ title: label, show: (row) => shown(row, id) || "—" }));
  const told = (row: Filled) =>
    row.fields.flatMap(({ id, label }) => (shown(row, id) === "" ? [] : `${label}: ${shown(row, id)}`)).join(" · ");
  return [which, { title: words.answers, show: (row) => told(row) || "—" }];
}
