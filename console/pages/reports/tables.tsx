// Tables of the reports: a line a number, campaign and extension, with how it was in the period before.

import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days, Narrowed } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { besideFormer, called, counts, FirstLines, lasting, Tables, useBefore, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type OfDays = { days: Days };
type OwnNumber = Reply<"reports.numbers">[number];
type Campaign = Reply<"reports.campaigns">[number];
type Extension = Reply<"reports.extensions">[number];

export function NumberReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.numbers", useStretch(days));
  const beside = besideFormer<OwnNumber>(useBefore(days).numbers, ({ number }) => number);
  const count = (title: string, of: (row: OwnNumber) => number, more: Narrowed) =>
    beside(
      counts<OwnNumber>(days, title, of, ({ number }) => ({ ownNumber: number, ...more })),
      of,
    );
  const talk = ({ talk }: OwnNumber) => talk;
  return (
    <Surface title={words.numbers} actions={<Tables what="numbers" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <FirstLines rows={rows}>
            {(shown) => (
              <Rows
                label={words.table(words.numbers)}
                rows={shown}
                keyOf={({ number }) => number}
                empty={{ icon: "phone", says: words.noNumbers }}
                columns={[
                  { title: words.number, show: ({ number }) => <strong>{number || "—"}</strong> },
                  count(words.inbound, ({ incoming }) => incoming, { direction: "inbound" }),
                  count(words.answered, ({ answered }) => answered, { direction: "inbound", result: "answered" }),
                  count(words.missed, ({ missed }) => missed, { direction: "inbound", result: "missed" }),
                  count(words.outbound, ({ outgoing }) => outgoing, { direction: "outbound" }),
                  beside(
                    lasting<OwnNumber>(days, words.talk, talk, ({ number }) => ({ ownNumber: number, talked: "yes" })),
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

export function CampaignReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.campaigns", useStretch(days));
  const beside = besideFormer<Campaign>(useBefore(days).campaigns, ({ campaign }) => campaign);
  const count = (name: "calls" | "answered", more: Narrowed) =>
    beside(
      counts<Campaign>(
        days,
        words[name],
        (row) => row[name],
        ({ campaign }) => ({ campaign, ...more }),
      ),
      (row) => row[name],
    );
  const talk = ({ talk }: Campaign) => talk;
  return (
    <Surface title={words.campaigns} actions={<Tables what="campaigns" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <FirstLines rows={rows}>
            {(shown) => (
              <Rows
                label={words.table(words.campaigns)}
                rows={shown}
                keyOf={({ campaign }) => campaign}
                empty={{ icon: "call", says: words.noCampaigns }}
                columns={[
                  { title: words.campaign, show: ({ name }) => <strong>{name}</strong> },
                  count("calls", {}),
                  count("answered", { result: "answered" }),
                  beside(
                    lasting<Campaign>(days, words.talk, talk, ({ campaign }) => ({ campaign, talked: "yes" })),
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

export function ExtensionReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.extensions", useStretch(days));
  const beside = besideFormer<Extension>(useBefore(days).extensions, ({ extension }) => extension);
  const count = (name: "made" | "taken" | "missed", behind: (extension: string) => Narrowed) =>
    beside(
      counts<Extension>(
        days,
        words[name],
        (row) => row[name],
        ({ extension }) => behind(extension),
      ),
      (row) => row[name],
    );
  const talked = (name: "talk" | "averageTalk", is: "seconds" | "average") =>
    beside(
      lasting<Extension>(
        days,
        words[name],
        (row) => row[name],
        ({ extension }) => ({ talkedBy: extension }),
      ),
      (row) => row[name],
      is,
    );
  return (
    <Surface title={words.extensions} actions={<Tables what="extensions" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.extensions)}
            rows={rows}
            keyOf={({ extension }) => extension}
            empty={{ icon: "phone" }}
            columns={[
              { title: words.extension, show: ({ extension, name }) => called(extension, name) },
              count("made", (madeBy) => ({ madeBy })),
              count("taken", (takenBy) => ({ takenBy })),
              count("missed", (unansweredBy) => ({ unansweredBy })),
              talked("talk", "seconds"),
              talked("averageTalk", "average"),
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
