// A source tried out while its form is open: what is found there, in words, with address books to choose from.

import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { contact } from "../../../src/nouns/contact.ts";
import { contactSource } from "../../../src/nouns/contact-source.ts";
import { sourceFailureInWords, sourceFaultInWords } from "../../../src/words/contact-sources.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Aside } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { setIn } from "../../ui/noun-form.ts";
import { Rows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import type { Source } from "./source.ts";
import { sourceTexts } from "./texts.ts";

type Tried = Reply<"contactSources.try">;
type Found = Extract<Tried, { found: unknown }>["found"];
type Form = globalThis.Parameters<Aside>[0];

export function TryButton({ form: { draft, fill }, source }: { form: Form; source: Source | undefined }) {
  const words = useWords(sourceTexts);
  const [tried, setTried] = useState<Tried>();
  const look = useDo("contactSources.try");
  const choose = (url: string) => {
    fill("address_book", url);
    setTried(undefined);
  };
  return (
    <>
      <DoButton
        does="contactSources.try"
        variant="light"
        loading={look.isBusy}
        disabled={!draft.url || !(source?.name ?? draft.name)}
        act={() => void look(wanted(draft, source)).then(setTried)}
      >
        {words.try}
      </DoButton>
      {tried && (
        <Dialog opened close={() => setTried(undefined)} title={words.tryTitle} size="lg">
          <Outcome tried={tried} choose={choose} />
        </Dialog>
      )}
    </>
  );
}

function wanted(draft: Draft, source: Source | undefined): Parameters<"contactSources.try"> {
  const { kind: _kind, url: _url, ...changes } = setIn(contactSource, draft);
  const kind = source?.kind ?? (draft.kind as Source["kind"]);
  return { name: source?.name ?? String(draft.name), kind, url: String(draft.url), changes };
}

function Outcome({ tried, choose }: { tried: Tried; choose(url: string): void }) {
  const { language } = useLanguage();
  if ("failure" in tried)
    return (
      <Alert color="red" role="alert">
        {sourceFailureInWords(tried.failure.kind, tried.failure.about, language)}
      </Alert>
    );
  return (
    <Stack>
      <Summary found={tried.found} />
      <Books found={tried.found} choose={choose} />
      <Columns found={tried.found} />
      <People found={tried.found} />
    </Stack>
  );
}

function Summary({ found: { entries } }: { found: Found }) {
  const words = useWords(sourceTexts);
  return (
    <Alert color={entries ? "teal" : "yellow"} role="status">
      {entries === null ? words.chooseBook : words.entries(entries)}
    </Alert>
  );
}

function Books({ found: { books }, choose }: { found: Found; choose(url: string): void }) {
  const words = useWords(sourceTexts);
  const { name } = useWords(general);
  if (books.length < 2) return null;
  return (
    <Rows
      label={words.books}
      rows={books}
      keyOf={({ url }) => url}
      empty={{ icon: "book" }}
      columns={[
        { title: name, show: (book) => <strong>{book.name}</strong> },
        { title: words.books, show: ({ url }) => url },
        {
          title: words.choose,
          show: (book) => (
            <Button size="compact-sm" variant="light" onClick={() => choose(book.url)}>
              {words.choose}
            </Button>
          ),
        },
      ]}
    />
  );
}

function Columns({ found: { columns } }: { found: Found }) {
  const words = useWords(sourceTexts);
  const { language } = useLanguage();
  if (columns.length === 0) return null;
  const fieldWords = (field: string) => {
    const known = Object.entries(contact.fields).find(([name]) => name === field);
    return known ? known[1].label[language] : field;
  };
  return (
    <Group gap="xs" aria-label={words.columns}>
      {columns.map(({ column, field }) => (
        <Badge key={column} color={field ? "teal" : "gray"} variant="light" tt="none">
          {column} → {field ? fieldWords(field) : words.unused}
        </Badge>
      ))}
    </Group>
  );
}

function People({ found: { first, faults } }: { found: Found }) {
  const words = useWords(sourceTexts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  return (
    <>
      <Rows
        label={words.first}
        rows={first.map((person, index) => ({ ...person, index }))}
        keyOf={({ index }) => index}
        empty={{ icon: "book" }}
        columns={[
          { title: name, show: ({ fields }) => `${fields.name ?? ""} ${fields.surname ?? ""}`.trim() },
          {
            title: words.phones,
            show: ({ fields }) => [fields.phone, fields.phone1, fields.phone2].filter(Boolean).join(", "),
          },
          { title: words.groups, show: ({ groups }) => groups.join(", ") || "—" },
        ]}
      />
      {faults.length > 0 && (
        <Text size="sm" c="dimmed">
          {words.leftOut}:{" "}
          {faults.map(({ why, value }) => `${sourceFaultInWords(why, language)} (${value || "—"})`).join(", ")}
        </Text>
      )}
    </>
  );
}
