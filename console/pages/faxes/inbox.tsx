// Faxes that came: who reads one marks it, and gives it to a colleague or sends its pages on.

import { Anchor, Badge, Button, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { faxResultInWords } from "../../../src/words/fax-failures.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useDo, useNamed } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ANY_DAY, DaysFilter, SearchBox, useSpan } from "../../ui/filters.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { SendAgain } from "./send-again.tsx";
import { Sheets } from "./sheets.tsx";
import { texts } from "./texts.ts";

type Fax = RowOf<"faxes.list">;

const LOOK_AGAIN_MS = 15_000;
/** No e-mail address looks like this. */
const NOBODY = "-";

export function Inbox() {
  const words = useWords(texts);
  const [about, look] = useState("");
  const [days, setDays] = useState(ANY_DAY);
  const [which, setWhich] = useState("all");
  const [whose, setWhose] = useState<string | null>(null);
  const [opened, setOpened] = useState<Fax>();
  const { may } = useSession();
  const mark = useDo("faxes.mark");
  const wanted = {
    about,
    ...useSpan(days),
    ...(which === "all" ? {} : { read: which === "read" }),
    ...(whose === null ? {} : { assignedTo: whose === NOBODY ? "" : whose }),
  };
  const faxes = usePaged("faxes.list", wanted, { refetchMs: LOOK_AGAIN_MS });
  const open = (fax: Fax) => {
    setOpened(fax);
    if (fax.readAt === null && may.includes("faxes.mark")) void mark({ uuid: fax.callUuid, read: true });
  };
  return (
    <Surface>
      <Group px="md" py="xs" gap="sm">
        <SearchBox label={words.search} look={look} />
        <DaysFilter days={days} change={setDays} />
        {may.includes("faxes.outbox") && <Whose value={whose} change={setWhose} />}
        <Reading value={which} change={setWhich} />
      </Group>
      <PagedRows
        pages={faxes}
        label={words.inbox}
        keyOf={({ callUuid }) => callUuid}
        columns={useColumns(open)}
        open={open}
        empty={{ icon: "audit", says: words.noneCame }}
      />
      {opened && (
        <OneFax
          fax={faxes.query.data?.rows.find(({ callUuid }) => callUuid === opened.callUuid) ?? opened}
          close={() => setOpened(undefined)}
        />
      )}
    </Surface>
  );
}

function Reading({ value, change }: { value: string; change(value: string): void }) {
  const words = useWords(texts);
  const { all } = useWords(general);
  return (
    <SegmentedControl
      aria-label={words.show}
      value={value}
      onChange={change}
      data={[
        { value: "all", label: all },
        { value: "unread", label: words.unread },
        { value: "read", label: words.read },
      ]}
    />
  );
}

/** Oneself first, then nobody, then the colleagues. */
function useColleagues() {
  const words = useWords(texts);
  const session = useSession();
  const { data = [] } = useNamed("faxes.colleagues", {});
  const own = data.filter(({ email }) => email === session.email);
  const others = data.filter(({ email }) => email !== session.email);
  return [
    ...own.map(({ email }) => ({ value: email, label: words.me })),
    { value: NOBODY, label: words.nobody },
    ...others.map(({ email, name }) => ({ value: email, label: name })),
  ];
}

function Whose({ value, change }: { value: string | null; change(value: string | null): void }) {
  const words = useWords(texts);
  return (
    <Select
      aria-label={words.assignee}
      placeholder={words.anybody}
      clearable
      searchable
      data={useColleagues()}
      value={value}
      onChange={change}
    />
  );
}

function useColumns(open: (fax: Fax) => void): Column<Fax>[] {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  return [
    { title: words.when, show: ({ startStamp }) => dateTime(startStamp) },
    { title: words.from, show: (fax) => <span style={{ fontWeight: fax.readAt ? 400 : 700 }}>{senderOf(fax)}</span> },
    { title: words.to, show: ({ originalDestination }) => originalDestination },
    { title: words.pages, show: ({ pages }) => pages, end: true },
    { title: words.assignee, show: ({ assignedName }) => assignedName ?? "—" },
    { title: words.state, show: (fax) => <State fax={fax} /> },
    useRowButtons<Fax>((fax) => (
      <DoIcon does="faxes.list" icon="audit" label={`${words.look}: ${senderOf(fax)}`} act={() => open(fax)} />
    )),
  ];
}

/** A machine says who it is even where the network does not. */
function senderOf({ callerIdNumber, callerIdName, remoteStationId }: Fax): string {
  return `${callerIdNumber || remoteStationId} ${callerIdName}`.trim() || "—";
}

function State({ fax: { readAt, success, resultCode, resultText } }: { fax: Fax }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  return (
    <Group gap={6}>
      <Badge color={readAt ? "gray" : "orange"}>{readAt ? words.read : words.unread}</Badge>
      {!success && (
        <Badge color="red" title={faxResultInWords({ resultCode, resultText }, language)}>
          {words.incomplete}
        </Badge>
      )}
    </Group>
  );
}

function OneFax({ fax, close }: { fax: Fax; close(): void }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const { may } = useSession();
  const { language } = useLanguage();
  const mark = useDo("faxes.mark");
  const { callUuid, success, hasPages } = fax;
  return (
    <Dialog opened close={close} title={words.fax(senderOf(fax))} size="xl">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {dateTime(fax.startStamp)}, {fax.originalDestination}
          {success ? "" : `, ${faxResultInWords(fax, language)}`}
        </Text>
        <Group gap="sm">
          <Assign fax={fax} />
          {fax.readAt !== null && may.includes("faxes.mark") && (
            <Button variant="default" onClick={() => void mark({ uuid: callUuid, read: false }).then(close)}>
              {words.markUnread}
            </Button>
          )}
          {hasPages && may.includes("faxes.sendAgain") && <SendAgain fax={{ uuid: callUuid }} />}
          {may.includes("calls.message") && (
            <Anchor component={Link} href={`/calls/${callUuid}`}>
              {words.call}
            </Anchor>
          )}
        </Group>
        {hasPages ? (
          <Sheets place={`fax/received/${callUuid}`} pages={fax.pages} />
        ) : (
          <Text c="dimmed">{words.pagesGone}</Text>
        )}
      </Stack>
    </Dialog>
  );
}

function Assign({ fax: { callUuid, assignedTo } }: { fax: Fax }) {
  const words = useWords(texts);
  const { may } = useSession();
  const assign = useDo("faxes.assign", words.assigned);
  const data = useColleagues();
  if (!may.includes("faxes.assign")) return null;
  return (
    <Select
      aria-label={words.assignTo}
      searchable
      allowDeselect={false}
      data={data}
      value={assignedTo ?? NOBODY}
      onChange={(to) => void assign({ uuid: callUuid, to: to === NOBODY ? null : to })}
    />
  );
}
