// The alarms there were, the newest first: of which queue, about what, how bad, from when to when.

import { Badge } from "@mantine/core";
import { alarmWords } from "../../../src/words/alarms.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";
import { Thresholds } from "./thresholds.tsx";

type Alarm = Reply<"alarms.list">["rows"][number];

export function Alarms() {
  const words = useWords(texts);
  const { may } = useSession();
  return (
    <PageFrame title={words.title} about={words.about}>
      <Surface>
        <PagedRows
          label={words.title}
          pages={usePaged("alarms.list", {})}
          columns={useColumns()}
          keyOf={({ id }) => id}
          empty={{ icon: "bell", says: words.none }}
        />
      </Surface>
      {may.includes("queues.setAlarms") && <Thresholds />}
    </PageFrame>
  );
}

function useColumns(): Column<Alarm>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const { abouts, figures } = alarmWords[language];
  return [
    { title: words.began, show: ({ beganAt }) => dateTime(beganAt) },
    {
      title: words.ended,
      show: ({ endedAt }) => (endedAt ? dateTime(endedAt) : <Badge color="red">{words.on}</Badge>),
    },
    {
      title: words.lasted,
      show: ({ beganAt, endedAt }) =>
        endedAt ? showDuration((Date.parse(endedAt) - Date.parse(beganAt)) / 1_000) : "",
      end: true,
    },
    { title: words.queue, show: ({ queue, queueName }) => `${queue} ${queueName}` },
    { title: words.what, show: ({ about }) => abouts[about] },
    { title: words.threshold, show: ({ about, threshold }) => figures[about](threshold), end: true },
    { title: words.value, show: ({ about, value }) => figures[about](value), end: true },
    { title: words.worst, show: ({ about, worst, endedAt }) => (endedAt ? figures[about](worst) : ""), end: true },
  ];
}
