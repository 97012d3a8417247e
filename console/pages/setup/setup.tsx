// The first steps, found again whenever somebody wants: what counts as done is what somebody did.

import { Anchor, Badge, Button, Group, Paper, Progress, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { helpAt } from "../../ui/help.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { PageFrame } from "../../ui/page.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { type StepName, stepTexts, texts } from "./texts.ts";

type Facts = Reply<"setup.show">;

const SKIPPED = "santral.setup.skipped";
const LOOK_AGAIN_MS = 5_000;

/** Answers at once and lets one hear oneself. */
const ECHO = "905000000001";

type Step = { name: StepName; icon: IconName; href: string; document: string; isDone(facts: Facts): boolean };

/** In the order in which a new exchange needs them. */
const steps: Step[] = [
  { name: "name", icon: "settings", href: "/settings", document: "settings", isDone: ({ isNamed }) => isNamed },
  {
    name: "phones",
    icon: "phone",
    href: "/extensions",
    document: "webphone#opening-it",
    isDone: ({ hasPhone }) => hasPhone,
  },
  { name: "call", icon: "call", href: "/calls", document: "readme#a-first-call", isDone: ({ hasCalls }) => hasCalls },
  {
    name: "hours",
    icon: "clock",
    href: "/settings",
    document: "exchange#calls-that-come-in",
    isDone: ({ hasOwnHours }) => hasOwnHours,
  },
  { name: "menu", icon: "menu", href: "/menus", document: "exchange#targets", isDone: ({ hasOwnMenu }) => hasOwnMenu },
  {
    name: "number",
    icon: "number",
    href: "/numbers",
    document: "exchange#calls-that-come-in",
    isDone: ({ hasOwnNumber }) => hasOwnNumber,
  },
  {
    name: "trunk",
    icon: "trunk",
    href: "/trunks",
    document: "exchange#calls-that-go-out",
    isDone: ({ hasTrunk }) => hasTrunk,
  },
];

export function Setup() {
  const words = useWords(texts);
  const facts = useAsk("setup.show", {}, { refetchMs: LOOK_AGAIN_MS });
  return (
    <PageFrame
      title={words.title}
      about={words.about}
      actions={
        <Button component={Link} href="/" variant="default">
          {words.later}
        </Button>
      }
    >
      <Asked query={facts}>{(known) => <Steps facts={known} />}</Asked>
    </PageFrame>
  );
}

function Steps({ facts }: { facts: Facts }) {
  const words = useWords(texts);
  const [skipped, skip] = useLocalStorage<StepName[]>({ key: SKIPPED, defaultValue: [] });
  const done = steps.filter(({ isDone }) => isDone(facts)).length;
  return (
    <Stack gap="sm" maw={820}>
      <Text role="status">{words.progress(done, steps.length)}</Text>
      <Progress.Root size="md">
        <Progress.Section value={(done / steps.length) * 100} aria-label={words.progress(done, steps.length)} />
      </Progress.Root>
      {steps.map((step, index) => {
        const isSkipped = skipped.includes(step.name);
        const turn = () =>
          skip((before) => (isSkipped ? before.filter((name) => name !== step.name) : [...before, step.name]));
        return <OneStep key={step.name} {...{ step, index, facts, isSkipped, turn }} />;
      })}
    </Stack>
  );
}

type StepProps = { step: Step; index: number; facts: Facts; isSkipped: boolean; turn(): void };

function OneStep({ step: { name, icon, href, document, isDone }, index, facts, isSkipped, turn }: StepProps) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { title, about } = stepTexts[name];
  const done = isDone(facts);
  const badge = done ? (
    <Badge color="teal">{words.done}</Badge>
  ) : (
    isSkipped && <Badge color="gray">{words.skipped}</Badge>
  );
  return (
    <Paper className="surface" p="md" component="section" aria-label={title[language]}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" color={done ? "teal" : "gray"} size="lg" radius="xl">
          <Icon name={done ? "check" : icon} />
        </ThemeIcon>
        <Stack gap={4} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h4">
              {index + 1}. {title[language]}
            </Title>
            {badge}
          </Group>
          {(!isSkipped || done) && (
            <Text size="sm" c="dimmed">
              {about[language]}
            </Text>
          )}
          <Group gap="xs" mt={4}>
            {(!isSkipped || done) && (
              <Button component={Link} href={href} size="xs" variant={done ? "default" : "filled"}>
                {done ? words.look : words.go}
              </Button>
            )}
            {name === "call" && !isSkipped && <FirstCall />}
            {(!isSkipped || done) && (
              <Anchor href={helpAt(document)} target="_blank" size="sm">
                {words.read}
              </Anchor>
            )}
            {!done && (
              <Button size="xs" variant="subtle" onClick={turn}>
                {isSkipped ? words.again : words.skip}
              </Button>
            )}
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
}

/** With the first phone that is there: it rings, and whoever answers hears himself. */
function FirstCall(): ReactNode {
  const words = useWords(texts);
  const ready = useLivePart(({ extensions }) => {
    const [found] = [...extensions].find(([, { state }]) => state === "available") ?? [];
    return found;
  });
  const call = useDo("calls.begin", words.ringing);
  if (ready === undefined) return <Text size="sm">{words.noPhone}</Text>;
  return (
    <DoButton
      does="calls.begin"
      size="xs"
      variant="light"
      loading={call.isBusy}
      act={() => void call({ extension: ready, destination: ECHO })}
    >
      {words.callEcho(ready)}
    </DoButton>
  );
}
