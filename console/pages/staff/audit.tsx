// The audit trail: every change and everything heard or carried away, newest first, by person, kind and day.

import { Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { changesInWords, restInWords } from "../../../src/words/audit/changes.ts";
import { AUDIT_KINDS, type AuditKind, auditKinds } from "../../../src/words/audit/kinds.ts";
import { auditInWords, doerInWords } from "../../../src/words/audit/words.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { type Days, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Line = Reply<"audit.list">["rows"][number];
type Wanted = { who: string | null; kind: AuditKind | null; days: Days };

const LIMIT = 50;

export function Audit() {
  const words = useWords(texts);
  const { search } = useWords(general);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [about, setAbout] = useState("");
  const [{ who, kind, days }, change] = useState<Wanted>({ who: null, kind: null, days: { from: "", to: "" } });
  const wanted = { about, ...(who && { who }), ...(kind && { kind }), ...useSpan(days) };
  const lines = usePaged("audit.list", wanted, { limit: LIMIT });
  const columns: Column<Line>[] = [
    { title: words.when, show: ({ at }) => dateTime(at) },
    { title: words.who, show: (line) => <strong>{doerInWords(line, language)}</strong> },
    { title: words.did, show: (line) => auditInWords(line, language) },
    { title: words.details, show: (line) => <Told line={line} /> },
  ];
  return (
    <PageFrame title={words.audit} about={words.auditAbout} actions={<SearchBox label={search} look={setAbout} />}>
      <Filters wanted={{ who, kind, days }} change={change} />
      <Surface>
        <PagedRows
          pages={lines}
          label={words.audit}
          keyOf={({ id }) => id}
          columns={columns}
          empty={{ icon: "audit", says: words.noLines }}
        />
      </Surface>
    </PageFrame>
  );
}

function Filters({ wanted, change }: { wanted: Wanted; change(wanted: Wanted): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const people = useAsk("staff.list", {}).data ?? [];
  return (
    <Group gap="sm" mb="md">
      <Select
        aria-label={words.who}
        placeholder={words.anybody}
        clearable
        searchable
        data={people.map(({ email, name }) => ({ value: email, label: `${name} (${email})` }))}
        value={wanted.who}
        onChange={(who) => change({ ...wanted, who })}
      />
      <Select
        aria-label={words.kind}
        placeholder={words.anyKind}
        clearable
        data={AUDIT_KINDS.map((kind) => ({ value: kind, label: auditKinds[kind].words[language] }))}
        value={wanted.kind}
        onChange={(kind) => change({ ...wanted, kind: kind as AuditKind | null })} // one of its own choices
      />
      <DaysFilter days={wanted.days} change={(days) => change({ ...wanted, days })} />
    </Group>
  );
}

/** Changes field by field, with what stood there before; whatever else was asked for below. */
function Told({ line }: { line: Line }) {
  const { language } = useLanguage();
  const changes = changesInWords(line, language);
  const rest = restInWords(line, language);
  if (changes.length === 0 && rest === "") return "—";
  return (
    <Stack gap={2} style={{ overflowWrap: "anywhere" }}>
      {changes.map(({ label, was, now }) => (
        <Text key={label} size="sm">
          {label}: {was === undefined ? now : `${was} → ${now}`}
        </Text>
      ))}
      {rest !== "" && (
        <Text size="sm" c="dimmed">
          {rest}
        </Text>
      )}
    </Stack>
  );
}
