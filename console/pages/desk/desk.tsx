// The agent's desk: the call in front of him with everything about its caller, what he writes about it, and his day.

import { Alert, Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CallNow } from "../../../src/exchange/panel.ts";
import { dialByPhone } from "../../app/phone-calls.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Asked, Empty, Loading } from "../../ui/states.tsx";
import { useFilters } from "../../ui/use-filters.ts";
import { useWords } from "../../words/language.tsx";
import { CallerCard } from "./card.tsx";
import { MissedCallers, OwnCalls, OwnFigures } from "./day.tsx";
import { NoteForm } from "./note-form.tsx";
import { HeldBack, PopFrame, popOf, usePop } from "./screen-pop.tsx";
import { OwnStatus } from "./status.tsx";
import { dayTexts, texts } from "./texts.ts";

const LOOK_AGAIN_MS = 20_000;
/** The record of a call is written a moment after it is over. */
const RECORDED_MS = 1_500;

export function Desk() {
  const words = useWords(texts);
  const desk = useAsk("desk.show", {}, { refetchMs: LOOK_AGAIN_MS });
  const { extension } = useSession();
  if (extension === null)
    return (
      <PageFrame title={words.title}>
        <Surface>
          <Empty icon="phone" says={words.noExtension} />
        </Surface>
      </PageFrame>
    );
  return <Asked query={desk}>{(shown) => <OwnDesk desk={shown} extension={extension} />}</Asked>;
}

function OwnDesk({ desk, extension }: { desk: Reply<"desk.show">; extension: string }) {
  const words = useWords(texts);
  const agents = useLivePart((live) => live.agents);
  const isOpen = useLivePart((live) => live.state === "open");
  const agent = agents.get(extension);
  const [uuid, show] = useCallInFront(extension, desk);
  const [owed] = desk.owed;
  return (
    <div className="desk">
      <PageFrame title={words.title} actions={agent && <OwnStatus agent={agent} breaks={desk.breaks} />}>
        <Stack gap="md">
          {isOpen && !agent && <Alert color="blue">{words.noAgent(extension)}</Alert>}
          {owed && owed.callUuid !== uuid && (
            <Alert color="orange" role="alert">
              <Group justify="space-between">
                {words.owed(desk.owed.length)}
                <Button size="compact-sm" color="orange.9" onClick={() => show(owed.callUuid)}>
                  {words.goToOwed}
                </Button>
              </Group>
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="md">
            <Stack gap="md">
              {uuid === undefined ? (
                <Surface>
                  <Empty icon="person" says={words.nobody} />
                </Surface>
              ) : (
                <InFront
                  key={uuid}
                  uuid={uuid}
                  desk={desk}
                  extension={extension}
                  isWrappingUp={agent?.status === "wrapping-up"}
                />
              )}
            </Stack>
            <Day desk={desk} extension={extension} show={show} />
          </SimpleGrid>
        </Stack>
      </PageFrame>
    </div>
  );
}

function Day({ desk, extension, show }: { desk: Reply<"desk.show">; extension: string; show(callUuid: string): void }) {
  const { calling } = useWords(dayTexts);
  const begin = useDo("calls.begin", calling);
  // The phone on this page dials by itself; any other rings first, and dials when it is picked up.
  const dial = async (number: string) => {
    const dialled = dialByPhone(number);
    return dialled === undefined
      ? (await begin({ extension, destination: number })) !== undefined
      : dialled === "dials";
  };
  return (
    <Stack gap="md">
      <OwnFigures extension={extension} />
      <MissedCallers extension={extension} dial={dial} />
      <OwnCalls calls={desk.calls} show={show} />
    </Stack>
  );
}

function InFront({
  uuid,
  desk,
  extension,
  isWrappingUp,
}: {
  uuid: string;
  desk: Reply<"desk.show">;
  extension: string;
  isWrappingUp: boolean;
}) {
  const live = useLivePart((now) => now.calls.get(uuid));
  const card = useAsk("desk.card", { uuid });
  // What was in front before is not shown as if it were this one.
  const shown = card.data?.call.callUuid === uuid.toLowerCase() ? card.data : undefined;
  const isTalking = live?.extensions.includes(extension) ?? false;
  const link = shown && popOf(desk.pop, shown);
  const isFrame = desk.popIn === "frame";
  const isHeldBack = usePop(isFrame ? undefined : link, uuid, isTalking);
  if (!shown) return card.error ? <Asked query={card}>{() => null}</Asked> : <Loading />;
  return (
    <>
      {isHeldBack && link !== undefined && <HeldBack link={link} />}
      <CallerCard card={shown} isRinging={live !== undefined && !isTalking} link={link} />
      {(shown.call.isTheirs || isTalking || shown.notes.some((note) => note.extension === extension)) && (
        <NoteForm card={shown} extension={extension} tags={desk.tags} isWrappingUp={isWrappingUp} />
      )}
      {isFrame && link !== undefined && <PopFrame link={link} />}
    </>
  );
}

/** Whoever talks or rings here; else the one that was chosen or here last, which the address remembers; else what is owed. */
function useCallInFront(
  extension: string,
  desk: Reply<"desk.show">,
): [uuid: string | undefined, show: (uuid: string) => void] {
  const calls = useLivePart((live) => live.calls);
  const [query, change] = useFilters();
  const queries = useQueryClient();
  const mine = [...calls.values()].filter((call) => isMine(call, extension));
  const up = mine.find((call) => call.extensions.includes(extension)) ?? mine[0];
  const upUuid = up?.uuid;
  // Who leaves a line without being taken is somebody to call back.
  const waiting = useLivePart((live) => [...live.queues.values()].map((queue) => queue.waiting.length).join(" "));
  const situation = `${upUuid} ${up?.extensions.includes(extension)} ${up?.queue} ${waiting}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address changes with the call, and not the other way round
  useEffect(() => {
    if (upUuid !== undefined) change("call", upUuid);
  }, [upUuid]);
  const isOpen = useLivePart((live) => live.state === "open");
  const known = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes about it, the desk is looked at again
  useEffect(() => {
    // What the board says first was there when the desk was asked for.
    const isNews = isOpen && known.current !== undefined && known.current !== situation;
    if (isOpen) known.current = situation;
    if (!isNews) return;
    const lookAgain = () =>
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("desk.") });
    lookAgain();
    const timer = window.setTimeout(lookAgain, RECORDED_MS);
    return () => window.clearTimeout(timer);
  }, [situation, isOpen]);
  const chosen = query.get("call") ?? "";
  const uuid = UUID.test(chosen) ? chosen : (upUuid ?? desk.owed[0]?.callUuid);
  return [uuid, (next) => change("call", next)];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isMine({ extensions, ringing }: CallNow, extension: string): boolean {
  return extensions.includes(extension) || ringing.includes(extension);
}
