// What became of call events: the receiver's last answer, and a way to send one again.

import { Badge, Code, Group, Modal, Switch } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../app/session.tsx";
import type { Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Delivery = Reply<"deliveries.list">["rows"][number];

export function Deliveries() {
  const words = useWords(texts);
  const { close } = useWords(general);
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
      <Modal
        opened={body !== undefined}
        onClose={() => show(undefined)}
        title={words.body}
        size="lg"
        closeButtonProps={{ "aria-label": close }}
      >
        <Code block>{decodeURIComponent((body ?? "").replaceAll("&", "\n").replaceAll("+", " "))}</Code>
      </Modal>
    </Surface>
  );
}

function useColumns(show: (body: string) => void): Column<Delivery>[] {
  const words = useWords(texts);
  const { actions } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const again = useDo("deliveries.again", words.willGo);
  return [
    { title: words.when, show: ({ lastAt }) => showDateTime(lastAt, language, exchange.timeZone) },
    { title: words.event, show: ({ event }) => <code>{event}</code> },
    { title: words.call, show: ({ callUuid }) => <Link href={`/calls/${callUuid}`}>{callUuid.slice(0, 8)}</Link> },
    {
      title: words.state,
      show: ({ delivered }) => (
        <Badge variant="light" color={delivered ? "teal" : "red"}>
          {delivered ? words.delivered : words.undelivered}
        </Badge>
      ),
    },
    { title: words.answer, show: ({ answer }) => answer },
    { title: words.attempts, show: ({ attempts }) => attempts, end: true },
    {
      title: actions,
      end: true,
      show: ({ delivery, body, event }) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <DoIcon does="deliveries.list" icon="audit" label={`${words.body}: ${event}`} act={() => show(body)} />
          <DoIcon
            does="deliveries.again"
            icon="refresh"
            label={`${words.again}: ${event}`}
            act={() => void again({ delivery })}
          />
        </Group>
      ),
    },
  ];
}
