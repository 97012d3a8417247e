// What became of messages: by campaign, and by recipient.

import { Badge, Group, Select } from "@mantine/core";
import { useState } from "react";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ANY_DAY, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { smsStatus } from "../../words/sms-statuses.ts";
import { smsStatuses } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Campaign = RowOf<"sms.campaigns">;

const LOOK_AGAIN_MS = 5_000;

export function Tracking() {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const [shown, show] = useState<number>();
  const [title, setTitle] = useState<string | null>(null);
  const [days, setDays] = useState(ANY_DAY);
  const wanted = { title: title ?? "", ...useSpan(days) };
  const campaigns = usePaged("sms.campaigns", wanted, { refetchMs: LOOK_AGAIN_MS });
  const cancel = useDo("sms.cancel", words.cancelled);
  const columns: Column<Campaign>[] = [
    { title: words.campaign, show: ({ id }) => <strong>{id}</strong> },
    { title: words.when, show: ({ sendAt }) => dateTime(sendAt) },
    { title: words.sender, show: ({ title }) => title },
    { title: words.counts, show: (campaign) => <Counts {...campaign} /> },
    useRowButtons<Campaign>(({ id, sendAt }) => (
      <>
        <DoIcon does="sms.campaign" icon="audit" label={`${words.details}: ${id}`} act={() => show(id)} />
        {Date.parse(sendAt) > Date.now() && (
          <DeleteIcon does="sms.cancel" what={`${words.campaign} ${id}`} act={() => cancel({ id })} />
        )}
      </>
    )),
  ];
  return (
    <Surface title={words.tabTracking}>
      <Group px="md" py="xs" gap="sm">
        <TitleFilter title={title} change={setTitle} />
        <DaysFilter days={days} change={setDays} />
      </Group>
      <PagedRows
        pages={campaigns}
        label={words.tabTracking}
        keyOf={({ id }) => id}
        columns={columns}
        empty={{ icon: "message", says: words.noCampaigns }}
      />
      <Dialog
        opened={shown !== undefined}
        close={() => show(undefined)}
        title={`${words.campaign} ${shown ?? ""}`}
        size="xl"
      >
        {shown !== undefined && <CampaignMessages id={shown} />}
      </Dialog>
    </Surface>
  );
}

function TitleFilter({ title, change }: { title: string | null; change(title: string | null): void }) {
  const words = useWords(texts);
  const overview = useAsk("sms.overview", {});
  return (
    <Select
      aria-label={words.sender}
      placeholder={words.anyTitle}
      clearable
      data={overview.data?.titles.map(({ name }) => name) ?? []}
      value={title}
      onChange={change}
    />
  );
}

function Counts({ counts, lacksOptOut }: Pick<Campaign, "counts" | "lacksOptOut">) {
  const words = useWords(texts);
  const { language } = useLanguage();
  return (
    <Group gap={4}>
      {Object.entries(counts).map(([status, count]) => (
        <Badge key={status} color={colorOf(status)}>
          {smsStatus(status, language)} {count}
        </Badge>
      ))}
      {lacksOptOut > 0 && (
        <Badge color="orange" variant="outline">
          {words.lacksOptOut} {lacksOptOut}
        </Badge>
      )}
    </Group>
  );
}

const colorOf = (status: string) =>
  status === "DELIVERED" ? "teal" : /SENDING|WAITING|SENT/.test(status) ? "blue" : "red";

function CampaignMessages({ id }: { id: number }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [dest, look] = useState("");
  const [status, setStatus] = useState<string | null>(null);
  const wanted = { id, dest, status: status ?? "" };
  const messages = usePaged("sms.campaign", wanted, { refetchMs: LOOK_AGAIN_MS });
  return (
    <>
      <Group pb="xs" gap="sm">
        <SearchBox label={words.searchNumber} look={look} />
        <Select
          aria-label={words.state}
          placeholder={words.anyState}
          clearable
          data={Object.entries(smsStatuses).map(([value, both]) => ({ value, label: both[language] }))}
          value={status}
          onChange={setStatus}
        />
      </Group>
      <PagedRows
        pages={messages}
        label={words.details}
        keyOf={({ id }) => id}
        empty={{ icon: "message" }}
        columns={[
          { title: words.phone, show: ({ dest }) => dest },
          {
            title: words.state,
            show: ({ status, lacksOptOut }) => (
              <Group gap={4}>
                <Badge color={colorOf(status)}>{smsStatus(status, language)}</Badge>
                {lacksOptOut && (
                  <Badge color="orange" variant="outline">
                    {words.lacksOptOut}
                  </Badge>
                )}
              </Group>
            ),
          },
          { title: words.size, show: ({ size }) => size, end: true },
          {
            title: words.done,
            show: ({ doneAt }) => (doneAt ? dateTime(doneAt) : "—"),
          },
        ]}
      />
    </>
  );
}
