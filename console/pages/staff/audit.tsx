// The audit trail: every change, newest first.

import { Code, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Icon } from "../../ui/icon.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { deedInWords } from "../../words/deeds.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Line = Reply<"audit.list">["rows"][number];

const LIMIT = 50;

export function Audit() {
  const words = useWords(texts);
  const { search } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [page, turn] = useState(1);
  const [about, setAbout] = useState("");
  const lines = useAsk("audit.list", { page, limit: LIMIT, about });
  const columns: Column<Line>[] = [
    { title: words.when, show: ({ at }) => showDateTime(at, language, exchange.timeZone) },
    { title: words.who, show: ({ who }) => <strong>{who}</strong> },
    { title: words.did, show: ({ did }) => deedInWords(did, language) },
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
    <PageFrame
      title={words.audit}
      about={words.auditAbout}
      actions={
        <TextInput
          aria-label={search}
          placeholder={search}
          leftSection={<Icon name="search" />}
          value={about}
          onChange={(event) => {
            setAbout(event.currentTarget.value);
            turn(1);
          }}
        />
      }
    >
      <Surface>
        <PagedRows
          query={lines}
          page={page}
          limit={LIMIT}
          turn={turn}
          label={words.audit}
          keyOf={({ id }) => id}
          columns={columns}
          empty={{ icon: "audit", says: words.noLines }}
        />
      </Surface>
    </PageFrame>
  );
}
