// What would become of a file: how much of it, its first rows, and the reasons of those that are left out.

import { Alert } from "@mantine/core";
import { rowFaultInWords } from "../../../src/words/import-words.ts";
import { showCount } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { Rows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function PreviewTables({ preview }: { preview: Reply<"imports.preview"> }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { good, bad, looked, isWhole, first, faults } = preview;
  const count = (value: number) => showCount(value, language);
  const said = [words.good(count(good)), words.bad(count(bad)), ...(isWhole ? [] : [words.onlyFirst(count(looked))])];
  return (
    <>
      <Alert color={good > 0 ? "teal" : "red"} role="status">
        {said.join(" · ")}
      </Alert>
      <Rows
        label={words.first}
        rows={first}
        keyOf={({ row }) => row}
        empty={{ icon: "upload" }}
        columns={[
          { title: words.row, end: true, show: ({ row }) => row },
          { title: words.becomes, show: ({ shown }) => shown.filter((it) => it !== "").join(" · ") },
        ]}
      />
      {faults.length > 0 && (
        <Rows
          label={words.leftOut}
          rows={faults}
          keyOf={({ row }) => row}
          empty={{ icon: "upload" }}
          columns={[
            { title: words.row, end: true, show: ({ row }) => row },
            { title: words.why, show: ({ why }) => rowFaultInWords(why, language) },
            { title: words.value, show: ({ value }) => value || "—" },
          ]}
        />
      )}
    </>
  );
}
