// The columns of a file, each with its first values and what it is taken for.

import { Select, Text } from "@mantine/core";
import { importFieldInWords } from "../../../src/words/import-words.ts";
import type { Reply } from "../../ask/ask.ts";
import { Rows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Uploaded = Reply<"imports.upload">;

export function Mapping({
  uploaded: { heading, rows, known },
  columns,
  change,
}: {
  uploaded: Uploaded;
  columns: (string | null)[];
  change(columns: (string | null)[]): void;
}) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const places = heading.map((name, place) => ({ name, place }));
  const options = known.map((field) => ({ value: field, label: importFieldInWords(field, language) }));
  // A field stands for one column; groups may be several.
  const choose = (place: number, field: string | null) =>
    change(columns.map((it, at) => (at === place ? field : it === field && field !== "group" ? null : it)));
  return (
    <Rows
      label={words.columns}
      rows={places}
      keyOf={({ place }) => place}
      empty={{ icon: "upload" }}
      columns={[
        { title: words.column, show: ({ name }) => <strong>{name}</strong> },
        {
          title: words.examples,
          show: ({ place }) => (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {rows
                .map((cells) => cells[place])
                .filter(Boolean)
                .slice(0, 3)
                .join(" · ") || "—"}
            </Text>
          ),
        },
        {
          title: words.means,
          show: ({ name, place }) => (
            <Select
              aria-label={`${words.means}: ${name}`}
              placeholder={words.unused}
              data={options}
              value={columns[place] ?? null}
              onChange={(field) => choose(place, field)}
              clearable
              searchable
            />
          ),
        },
      ]}
    />
  );
}
