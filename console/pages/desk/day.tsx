// The agent's day: his figures, callers to call back, and his last calls.

import { Badge, Button, Group, SimpleGrid } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { showCount, showDuration } from "../../../src/words/stamps.ts";
import { isPhoneBusy } from "../../app/phone-calls.ts";
import { phoneTexts } from "../../app/texts.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton, DoIcon } from "../../ui/buttons.tsx";
import { CallsBehind, type Narrowed, useToday } from "../../ui/calls-behind.tsx";
import { Direction } from "../../ui/direction.tsx";
import { Figure, Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayTexts } from "./texts.ts";

const LOOK_AGAIN_MS = 20_000;

export function OwnFigures({ extension }: { extension: string }) {
  const words = useWords(dayTexts);
  const { language } = useLanguage();
  const figures = useAsk("desk.figures", {}, { refetchMs: LOOK_AGAIN_MS }).data;
  const count = (value: number | undefined) => (value === undefined ? "…" : showCount(value, language));
  const time = (seconds: number | undefined) => (seconds === undefined ? "…" : showDuration(seconds));
  const days = useToday();
  const figure = (label: string, value: number | undefined, shown: string, behind: Narrowed) => (
    <Figure
      label={label}
      value={<CallsBehind label={label} shown={shown} days={days} behind={behind} isNone={!value} />}
    />
  );
  const counted = (label: string, value: number | undefined, behind: Narrowed) =>
    figure(label, value, count(value), behind);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
      {counted(words.answered, figures?.answered, { answeredBy: extension })}
      {counted(words.missed, figures?.missed, { letPassBy: extension })}
      {counted(words.made, figures?.made, { madeBy: extension })}
      {figure(words.talk, figures?.talkSeconds, time(figures?.talkSeconds), { talkedBy: extension })}
      <Figure label={words.wrapUp} value={time(figures?.wrapUpSeconds)} />
      <Figure label={words.breaks} value={time(figures?.breakSeconds)} />
    </SimpleGrid>
  );
}

type Missed = Reply<"desk.missed">[number];

/** From the phone that is at hand; false when no call came of it. */
type Dial = (number: string) => Promise<boolean>;

export function MissedCallers({ extension, dial }: { extension: string; dial: Dial }) {
  const words = useWords(dayTexts);
  const { dateTime } = useStamps();
  const missed = useAsk("desk.missed", {}, { refetchMs: LOOK_AGAIN_MS });
  const whoOf = ({ number, name }: Missed) => `${number} ${name}`.trim();
  const columns: Column<Missed>[] = [
    { title: words.who, show: (row) => <strong>{whoOf(row)}</strong> },
    { title: words.queue, show: ({ queue }) => queue },
    { title: words.at, show: ({ at }) => dateTime(at) },
    { title: words.times, show: ({ calls, tries }) => words.calls(calls, tries) },
    useRowButtons((row) => <MissedButtons row={row} who={whoOf(row)} extension={extension} dial={dial} />),
  ];
  return (
    <Surface title={words.missedCallers}>
      <Asked query={missed}>
        {(rows) => (
          <Rows
            label={words.missedCallers}
            columns={columns}
            rows={rows}
            keyOf={({ peer }) => peer}
            empty={{ icon: "check", says: words.nobodyMissed }}
          />
        )}
      </Asked>
    </Surface>
  );
}

function MissedButtons({
  row: { peer, takenBy },
  who,
  extension,
  dial,
}: {
  row: Missed;
  who: string;
  extension: string;
  dial: Dial;
}) {
  const words = useWords(dayTexts);
  const leave = useDo("desk.leaveMissed", words.left);
  const callBack = useCallBack({ peer, dial, isMine: takenBy === extension });
  const settle = useDo("desk.settleMissed", words.settled);
  if (takenBy !== null && takenBy !== extension)
    return (
      <Badge color="gray">
        {words.state}: {takenBy}
      </Badge>
    );
  return (
    <>
      {takenBy === extension && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={words.leaveWho(who)}
          onClick={() => void leave({ peer })}
        >
          {words.leave}
        </Button>
      )}
      <DoButton
        does="desk.takeMissed"
        size="compact-sm"
        variant="light"
        loading={callBack.isBusy}
        act={() => void callBack.act()}
      >
        {words.callBack}
      </DoButton>
      <DoIcon does="desk.settleMissed" icon="check" label={words.settle(who)} act={() => void settle({ peer })} />
    </>
  );
}

/** Nobody is kept from his colleagues by a call that does not come about. */
function useCallBack({ peer, dial, isMine }: { peer: string; dial: Dial; isMine: boolean }) {
  const { busy } = useWords(phoneTexts);
  const take = useDo("desk.takeMissed");
  const giveBack = useDo("desk.leaveMissed");
  const act = async () => {
    if (isPhoneBusy()) return void notifications.show({ message: busy, color: "red" });
    const taken = await take({ peer });
    if (taken && !(await dial(taken.number)) && !isMine) await giveBack({ peer });
  };
  return { act, isBusy: take.isBusy };
}

type Own = Reply<"desk.show">["calls"][number];

export function OwnCalls({ calls, show }: { calls: Own[]; show(callUuid: string): void }) {
  const words = useWords(dayTexts);
  const { time } = useStamps();
  const columns: Column<Own>[] = [
    { title: words.at, show: ({ at }) => time(at) },
    {
      title: words.who,
      show: ({ number, name, direction }) => (
        <Group gap={6} wrap="nowrap">
          <Direction direction={direction} />
          <span>{`${number} ${name}`.trim()}</span>
        </Group>
      ),
    },
    { title: words.talked, show: ({ talkSeconds }) => showDuration(talkSeconds), end: true },
    {
      title: words.disposition,
      show: ({ note }) =>
        note?.owesDisposition ? <Badge color="orange">{words.missing}</Badge> : (note?.disposition ?? "—"),
    },
    useRowButtons(({ callUuid, number, at }) => (
      <DoIcon does="desk.card" icon="edit" label={words.show(`${number} ${time(at)}`)} act={() => show(callUuid)} />
    )),
  ];
  return (
    <Surface title={words.ownCalls}>
      <Rows
        label={words.ownCalls}
        columns={columns}
        rows={calls}
        keyOf={({ callUuid }) => callUuid}
        open={({ callUuid }) => show(callUuid)}
        empty={{ icon: "call", says: words.noCalls }}
      />
    </Surface>
  );
}
