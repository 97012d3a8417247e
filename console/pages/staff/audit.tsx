// The audit trail: every change, newest first.

import { Code } from "@mantine/core";
import { useState } from "react";
import { auditInWords, doerInWords } from "../../../src/words/audit/words.ts";
import { useStamps } from "../../app/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { SearchBox } from "../../ui/filters.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Line = Reply<"audit.list">["rows"][number];

const LIMIT = 50;

export function Audit() {
  const words = useWords(texts);
  const { search } = useWords(general);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [about, setAbout] = useState("");
  const lines = usePaged("audit.list", { about }, { limit: LIMIT });
  const columns: Column<Line>[] = [
    { title: words.when, show: ({ at }) => dateTime(at) },
    { title: words.who, show: (line) => <strong>{doerInWords(line, language)}</strong> },
    { title: words.did, show: (line) => auditInWords(line, language) },
    {
      title: words.details,
      show: ({ details }) =>
        Object.keys(details).length === 0 ? (
          "—"
        ) : (
          <Code style={{ overflowWrap: "anywhere" }}>{JSON.stringify(details)}</Code>
        ),
    },
  ];
  return (
    <PageFrame title={words.audit} about={words.auditAbout} actions={<SearchBox label={search} look={setAbout} />}>
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
