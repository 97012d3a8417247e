// Faxes that go out: which wait, when each was tried, why it did not go, and when it is tried again.

import { Badge, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { faxResultInWords } from "../../../src/words/fax-failures.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import { DoButton, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ANY_DAY, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { SendAgain } from "./send-again.tsx";
import { Sheets } from "./sheets.tsx";
import { orderStates, texts } from "./texts.ts";

type Fax = RowOf<"faxes.outbox">;
type Try = Reply<"faxes.order">["tries"][number];

const LOOK_AGAIN_MS = 4_000;

const colors: Record<Fax["state"], string> = {
  waiting: "yellow",
  sending: "blue",
  sent: "teal",
  failed: "red",
  cancelled: "gray",
};

export function Outbox() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [about, look] = useState("");
  const [days, setDays] = useState(ANY_DAY);
  const [state, setState] = useState<string | null>(null);
  const [opened, open] = useState<number>();
  const states = state === null ? {} : { states: [state as Fax["state"]] }; // one of those it chooses among
  const faxes = usePaged("faxes.outbox", { about, ...useSpan(days), ...states }, { refetchMs: LOOK_AGAIN_MS });
  return (
    <Surface>
      <Group px="md" py="xs" gap="sm">
        <SearchBox label={words.search} look={look} />
        <DaysFilter days={days} change={setDays} />
        <Select
          aria-label={words.state}
          placeholder={words.state}
          clearable
          data={choicesIn(orderStates, language).map(([value, label]) => ({ value, label }))}
          value={state}
          onChange={setState}
        />
      </Group>
      <PagedRows
        pages={faxes}
        label={words.outbox}
        keyOf={({ id }) => id}
        columns={useColumns(open)}
        open={({ id }) => open(id)}
        empty={{ icon: "out", says: words.noneOut }}
      />
      {opened !== undefined && <OneOrder id={opened} close={() => open(undefined)} />}
    </Surface>
  );
}

function useColumns(open: (id: number) => void): Column<Fax>[] {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  return [
    { title: words.when, show: ({ createdAt }) => dateTime(createdAt) },
    { title: words.to, show: ({ to }) => <strong>{to}</strong> },
    { title: words.from, show: ({ from }) => from },
    { title: words.pages, show: ({ pages, confirmedPages }) => `${confirmedPages} / ${pages}`, end: true },
    { title: words.state, show: (fax) => <State fax={fax} /> },
    { title: words.lastTry, show: ({ lastTry }) => (lastTry ? <Tried it={lastTry} /> : "—") },
    { title: words.nextTry, show: (fax) => <NextTry fax={fax} /> },
    useRowButtons<Fax>((fax) => (
      <>
        {fax.state === "waiting" && <SendNow fax={fax} />}
        <DoIcon does="faxes.order" icon="audit" label={`${words.details}: ${fax.to}`} act={() => open(fax.id)} />
      </>
    )),
  ];
}

function State({ fax: { state } }: { fax: Fax }) {
  const { language } = useLanguage();
  return <Badge color={colors[state]}>{orderStates[state][language]}</Badge>;
}

function NextTry({ fax: { state, nextTryAt } }: { fax: Fax }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  if (state !== "waiting") return "—";
  return nextTryAt ? dateTime(nextTryAt) : words.atOnce;
}

/** When it was, and what came of it. */
function Tried({ it }: { it: Try }) {
  const { dateTime } = useStamps();
  return (
    <Stack gap={2}>
      <Text size="sm">{dateTime(it.startStamp)}</Text>
      <Text size="xs" c="dimmed">
        <Outcome it={it} />
      </Text>
    </Stack>
  );
}

function Outcome({ it }: { it: Try }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  return it.endStamp === null ? words.goesNow : faxResultInWords(it, language);
}

function SendNow({ fax }: { fax: Fax }) {
  const words = useWords(texts);
  const sendNow = useDo("faxes.sendNow", words.ordered);
  const act = () => void sendNow({ id: fax.id });
  return <DoIcon does="faxes.sendNow" icon="play" label={`${words.sendNow}: ${fax.to}`} act={act} />;
}

function OneOrder({ id, close }: { id: number; close(): void }) {
  const words = useWords(texts);
  const asked = useAsk("faxes.order", { id }, { refetchMs: LOOK_AGAIN_MS });
  const to = asked.data?.order.to ?? "";
  return (
    <Dialog opened close={close} title={words.fax(to)} size="xl">
      <Asked query={asked}>
        {({ order, tries }) => (
          <Stack gap="sm">
            <Group gap="sm">
              <State fax={order} />
              {order.state === "waiting" && (
                <Text size="sm">
                  {words.nextTry}: <NextTry fax={order} />
                </Text>
              )}
            </Group>
            <Doings order={order} />
            <Tries tries={tries} />
            {order.hasPages ? (
              <Sheets place={`fax/sent/${id}`} pages={order.pages} />
            ) : (
              <Text c="dimmed">{words.pagesGone}</Text>
            )}
          </Stack>
        )}
      </Asked>
    </Dialog>
  );
}

function Doings({ order }: { order: Fax }) {
  const words = useWords(texts);
  const sendNow = useDo("faxes.sendNow", words.ordered);
  const cancel = useDo("faxes.cancel", words.cancelled);
  const { id, state, to, hasPages } = order;
  return (
    <Group gap="sm">
      {state === "waiting" && (
        <DoButton
          does="faxes.sendNow"
          act={() => void sendNow({ id })}
          loading={sendNow.isBusy}
          leftSection={<Icon name="play" />}
        >
          {words.sendNow}
        </DoButton>
      )}
      {(state === "waiting" || state === "sending") && (
        <DoButton
          does="faxes.cancel"
          act={() => void cancel({ id })}
          loading={cancel.isBusy}
          color="red.8"
          variant="subtle"
          leftSection={<Icon name="stop" />}
        >
          {words.cancel}
        </DoButton>
      )}
      {hasPages && <SendAgain fax={{ id }} first={to} />}
    </Group>
  );
}

function Tries({ tries }: { tries: Try[] }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  return (
    <Rows
      label={words.tries}
      rows={tries}
      keyOf={({ callUuid }) => callUuid}
      empty={{ icon: "clock", says: words.noTries }}
      columns={[
        {
          title: words.tries,
          show: ({ callUuid, startStamp }) => <Link href={`/calls/${callUuid}`}>{dateTime(startStamp)}</Link>,
        },
        { title: words.state, show: (it) => <Outcome it={it} /> },
        { title: words.pages, show: ({ pages }) => words.brought(pages), end: true },
      ]}
    />
  );
}
