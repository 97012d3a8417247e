// The importer: a new file above, what became of earlier ones below.

import { Badge, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { importFailureInWords, rowFaultInWords } from "../../../src/words/import-words.ts";
import { showCount } from "../../../src/words/stamps.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Download } from "../../ui/download.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { PagedRows, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { NewImport } from "./new-import.tsx";
import { texts } from "./texts.ts";

type Row = RowOf<"imports.list">;

const colors = { new: "gray", waiting: "blue", done: "teal", stopped: "gray", failed: "red" } as const;

export function Imports() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title} about={words.about}>
      <NewImport />
      <ImportList />
    </PageFrame>
  );
}

function ImportList() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [shown, show] = useState<Row>();
  const stop = useDo("imports.stop");
  const resume = useDo("imports.resume");
  const pages = usePaged("imports.list", {}, { limit: 10, refetchMs: 2_000 });
  const buttons = useRowButtons<Row>((row) => (
    <>
      {row.bad > 0 && (
        <DoIcon does="imports.faults" icon="audit" label={`${words.faults}: ${row.fileName}`} act={() => show(row)} />
      )}
      {row.state === "waiting" && (
        <DoIcon
          does="imports.stop"
          icon="stop"
          label={`${words.stop}: ${row.fileName}`}
          act={() => void stop({ id: row.id })}
        />
      )}
      {row.canResume && (
        <DoIcon
          does="imports.resume"
          icon="play"
          label={`${words.resume}: ${row.fileName}`}
          act={() => void resume({ id: row.id })}
        />
      )}
    </>
  ));
  return (
    <Surface title={words.list}>
      <PagedRows
        pages={pages}
        label={words.list}
        keyOf={({ id }) => id}
        empty={{ icon: "upload", says: words.none }}
        columns={[
          { title: words.file, show: ({ fileName }) => <strong>{fileName}</strong> },
          { title: words.kind, show: ({ kind }) => words[kind] },
          { title: words.state, show: (row) => <State row={row} /> },
          { title: words.taken, end: true, show: ({ good }) => showCount(good, language) },
          { title: words.left, end: true, show: ({ bad }) => showCount(bad, language) },
          { title: words.when, show: ({ createdAt }) => dateTime(createdAt) },
          { title: words.who, show: ({ begunBy }) => begunBy },
          buttons,
        ]}
      />
      <Dialog opened={shown !== undefined} close={() => show(undefined)} title={words.faults} size="xl">
        {shown && <Faults id={shown.id} isLong={shown.bad > 100} />}
      </Dialog>
    </Surface>
  );
}

function State({ row: { state, failure, about } }: { row: Row }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={colors[state]} variant="light">
        {words[state]}
      </Badge>
      {failure !== null && <Text size="sm">{importFailureInWords(failure, about, language)}</Text>}
    </Stack>
  );
}

function Faults({ id, isLong }: { id: number; isLong: boolean }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const wanted = { id, lang: language };
  return (
    <Stack>
      <Group>
        <Download file="import-faults.csv" wanted={wanted} label={words.download("CSV")} />
        <Download file="import-faults.xlsx" wanted={wanted} label={words.download("Excel")} />
      </Group>
      {isLong && (
        <Text size="sm" c="dimmed">
          {words.firstFaults}
        </Text>
      )}
      <Asked query={useAsk("imports.faults", { id, after: 0 })}>
        {({ rows }) => (
          <Rows
            label={words.faults}
            rows={rows}
            keyOf={({ row }) => row}
            empty={{ icon: "audit" }}
            columns={[
              { title: words.row, end: true, show: ({ row }) => row },
              { title: words.why, show: ({ why }) => rowFaultInWords(why, language) },
              { title: words.value, show: ({ value, cells }) => value || cells.join(" · ").slice(0, 80) || "—" },
            ]}
          />
        )}
      </Asked>
    </Stack>
  );
}
