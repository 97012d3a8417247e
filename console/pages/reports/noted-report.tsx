// Calls by what agents wrote about them: a line a tag, or a disposition, with how it was in the period before.

import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days, Narrowed } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { besideFormer, counts, FirstLines, lasting, Tables, useBefore, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type Noted = Reply<"reports.tags">[number];

export function NotedReport({ days, of }: { days: Days; of: "tag" | "disposition" }) {
  const words = useWords(texts);
  const report = useAsk(`reports.${of}s`, useStretch(days));
  const beside = besideFormer<Noted>(useBefore(days)[`${of}s`], ({ which }) => which);
  const count = (name: "calls" | "answered", more: Narrowed) =>
    beside(
      counts<Noted>(
        days,
        words[name],
        (row) => row[name],
        ({ which }) => ({ [of]: which, ...more }),
      ),
      (row) => row[name],
    );
  const talk = ({ talk }: Noted) => talk;
  return (
    <Surface title={words[`${of}s`]} actions={<Tables what={`${of}s`} days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <FirstLines rows={rows}>
            {(shown) => (
              <Rows
                label={words.table(words[`${of}s`])}
                rows={shown}
                keyOf={({ which }) => which}
                empty={{ icon: "form", says: words.noNotes }}
                columns={[
                  { title: words[of], show: ({ which }) => <strong>{which}</strong> },
                  count("calls", {}),
                  count("answered", { result: "answered" }),
                  beside(
                    lasting<Noted>(days, words.talk, talk, ({ which }) => ({ [of]: which, talked: "yes" })),
                    talk,
                    "seconds",
                  ),
                ]}
              />
            )}
          </FirstLines>
        )}
      </Asked>
    </Surface>
  );
}
