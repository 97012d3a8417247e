// What became of messages: by campaign, and by recipient.

import { Badge, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import type { Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon, DoIcon } from "../../ui/buttons.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Campaign = Reply<"sms.campaigns">[number];

const LOOK_AGAIN_MS = 5_000;

export function Tracking() {
  const words = useWords(texts);
  const { actions, close } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [shown, show] = useState<number>();
  const campaigns = useAsk("sms.campaigns", {}, { refetchMs: LOOK_AGAIN_MS });
  const cancel = useDo("sms.cancel", words.cancelled);
  const columns: Column<Campaign>[] = [
    { title: words.campaign, show: ({ id }) => <strong>{id}</strong> },
    { title: words.when, show: ({ sendAt }) => showDateTime(sendAt, language, exchange.timeZone) },
    { title: words.sender, show: ({ title }) => title },
    { title: words.counts, show: ({ counts }) => <Counts counts={counts} /> },
    {
      title: actions,
      end: true,
      show: ({ id, sendAt }) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <DoIcon does="sms.campaign" icon="audit" label={`${words.details}: ${id}`} act={() => show(id)} />
          {Date.parse(sendAt) > Date.now() && (
            <DeleteIcon does="sms.cancel" what={`${words.campaign} ${id}`} act={() => cancel({ id })} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <Surface title={words.tabTracking}>
      <Asked query={campaigns}>
        {(rows) => (
          <Rows
            label={words.tabTracking}
            rows={rows}
            keyOf={({ id }) => id}
            columns={columns}
            empty={{ icon: "message", says: words.noCampaigns }}
          />
        )}
      </Asked>
      <Modal
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        title={`${words.campaign} ${shown ?? ""}`}
        size="xl"
        closeButtonProps={{ "aria-label": close }}
      >
        {shown !== undefined && <CampaignMessages id={shown} />}
      </Modal>
    </Surface>
  );
}

function Counts({ counts }: { counts: Record<string, number> }) {
  return (
    <Group gap={4}>
      {Object.entries(counts).map(([status, count]) => (
        <Badge key={status} variant="light" color={colorOf(status)}>
          {status} {count}
        </Badge>
      ))}
    </Group>
  );
}

const colorOf = (status: string) =>
  status === "DELIVERED" ? "teal" : /SENDING|WAITING|SENT/.test(status) ? "blue" : "red";

function CampaignMessages({ id }: { id: number }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const messages = useAsk("sms.campaign", { id, after: 0, limit: 500 }, { refetchMs: LOOK_AGAIN_MS });
  return (
    <Asked query={messages}>
      {(rows) => (
        <Rows
          label={words.details}
          rows={rows}
          keyOf={({ messageId }) => messageId}
          empty={{ icon: "message" }}
          columns={[
            { title: words.phone, show: ({ dest }) => dest },
            {
              title: words.state,
              show: ({ status }) => (
                <Badge variant="light" color={colorOf(status)}>
                  {status}
                </Badge>
              ),
            },
            { title: words.size, show: ({ size }) => size, end: true },
            {
              title: words.done,
              show: ({ doneAt }) => (doneAt ? showDateTime(doneAt, language, exchange.timeZone) : "—"),
            },
          ]}
        />
      )}
    </Asked>
  );
}
