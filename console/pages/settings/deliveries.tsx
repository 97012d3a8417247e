// What became of call events: the receiver's last answer, and a way to send one again.

import { Badge, Switch } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { FormLines } from "./form-lines.tsx";
import { texts } from "./texts.ts";

type Delivery = Reply<"deliveries.list">["rows"][number];

export function Deliveries() {
  const words = useWords(texts);
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [body, show] = useState<string>();
  const deliveries = usePaged("deliveries.list", onlyFailed ? { delivered: false } : {});
  const columns = useColumns(show);
  return (
    <Surface
      title={words.tabDeliveries}
      actions={
        <Switch
          label={words.onlyFailed}
          checked={onlyFailed}
          onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
        />
      }
    >
      <PagedRows
        pages={deliveries}
        label={words.tabDeliveries}
        keyOf={({ delivery }) => delivery}
        columns={columns}
        empty={{ icon: "out", says: words.noDeliveries }}
      />
      <Dialog opened={body !== undefined} close={() => show(undefined)} title={words.body} size="lg">
        <FormLines body={body ?? ""} />
      </Dialog>
    </Surface>
  );
}

function useColumns(show: (body: string) => void): Column<Delivery>[] {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const again = useDo("deliveries.again", words.willGo);
  return [
    { title: words.when, show: ({ lastAt }) => dateTime(lastAt) },
    { title: words.event, show: ({ event }) => <code>{event}</code> },
    { title: words.call, show: ({ callUuid }) => <Link href={`/calls/${callUuid}`}>{callUuid.slice(0, 8)}</Link> },
    {
      title: words.state,
      show: ({ delivered }) => (
        <Badge color={delivered ? "teal" : "red"}>{delivered ? words.delivered : words.undelivered}</Badge>
      ),
    },
    { title: words.answer, show: ({ answer }) => answer },
    { title: words.attempts, show: ({ attempts }) => attempts, end: true },
    useRowButtons<Delivery>(({ delivery, body, event }) => (
      <>
        <DoIcon does="deliveries.list" icon="audit" label={`${words.body}: ${event}`} act={() => show(body)} />
        <DoIcon
          does="deliveries.again"
          icon="refresh"
          label={`${words.again}: ${event}`}
          act={() => void again({ delivery })}
        />
      </>
    )),
  ];
}
