// The servers that share one database, for those who run them: how each is, which exchange lives where, drain and resume.

import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked, Empty } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { states, texts } from "./texts.ts";

type Seen = Reply<"nodes.list">;
type Node = Seen["nodes"][number];
type Home = Seen["exchanges"][number];

const LOOK_AGAIN_MS = 2_000;
const colors = { up: "teal", draining: "yellow", drained: "gray", dead: "red" } as const;

export function Nodes() {
  const words = useWords(texts);
  const { operates } = useSession();
  return (
    <PageFrame title={words.title} about={words.about}>
      {operates ? (
        <Everything />
      ) : (
        <Surface>
          <Empty icon="block" says={words.notYours} />
        </Surface>
      )}
    </PageFrame>
  );
}

function Everything() {
  const words = useWords(texts);
  const query = useAsk("nodes.list", {}, { refetchMs: LOOK_AGAIN_MS });
  const [columns, homeColumns] = [useColumns(query.data?.nodes ?? []), useHomeColumns()];
  return (
    <Asked query={query}>
      {({ nodes, exchanges }) => (
        <>
          <Surface>
            <Rows
              label={words.title}
              columns={columns}
              rows={nodes}
              keyOf={({ name }) => name}
              empty={{ icon: "server", says: words.none }}
            />
          </Surface>
          <Surface title={words.homes}>
            <Rows
              label={words.homes}
              columns={homeColumns}
              rows={exchanges}
              keyOf={({ id }) => id}
              empty={{ icon: "server", says: words.noExchanges }}
            />
          </Surface>
        </>
      )}
    </Asked>
  );
}

function useColumns(nodes: readonly Node[]): Column<Node>[] {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  return [
    {
      title: words.node,
      show: ({ name, url, isThis }) => (
        <Stack gap={2}>
          <strong>{name}</strong>
          {url !== "" && <Small>{url}</Small>}
          {isThis && <Small>{words.thisOne}</Small>}
        </Stack>
      ),
    },
    { title: words.state, show: (node) => <State node={node} /> },
    { title: words.version, show: ({ version }) => version },
    { title: words.exchanges, show: ({ exchanges }) => exchanges, end: true },
    { title: words.calls, show: ({ calls }) => calls, end: true },
    { title: words.late, show: ({ lateRenewals }) => lateRenewals ?? "—", end: true },
    { title: words.since, show: ({ sinceMs }) => (sinceMs === null ? "—" : dateTime(sinceMs)) },
    useRowButtons<Node>((node) => (
      <Tell node={node} isAlone={!nodes.some(({ name, state }) => name !== node.name && state === "up")} />
    )),
  ];
}

function Small({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** One that has nothing left can be stopped; of one that is gone, when it went. */
function State({ node: { state, exchanges, until, sinceMs, url } }: { node: Node }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const shown = state === "draining" && exchanges === 0 ? "drained" : state;
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={colors[shown]}>{states[shown][language]}</Badge>
      {state === "dead" && <Small>{words.gone(dateTime(until))}</Small>}
      {state !== "dead" && sinceMs === null && <Small>{url === "" ? words.starting : words.silent}</Small>}
    </Stack>
  );
}

/** Asked before it is told: calls move with their exchanges. `isAlone`: no other is there to take them. */
function Tell({ node: { name, state }, isAlone }: { node: Node; isAlone: boolean }) {
  const words = useWords(texts);
  const { cancel } = useWords(general);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [drain, resume] = [useDo("nodes.drain", words.drainTold(name)), useDo("nodes.resume", words.resumeTold(name))];
  if (state === "dead") return "—";
  const isUp = state === "up";
  const [does, label] = isUp ? (["nodes.drain", words.drain] as const) : (["nodes.resume", words.resume] as const);
  const act = () => void (isUp ? drain({ name }) : resume({ name })).then(close);
  return (
    <>
      <DoButton does={does} act={open} size="xs" variant="light" aria-haspopup="dialog">
        {`${label}: ${name}`}
      </DoButton>
      <Dialog opened={isOpen} close={close} title={`${label}: ${name}`}>
        <Stack>
          <Text>{isUp ? words.drainSure(name) : words.resumeSure(name)}</Text>
          {isUp && isAlone && <Alert color="yellow">{words.alone}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {cancel}
            </Button>
            <Button onClick={act} loading={drain.isBusy || resume.isBusy}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

function useHomeColumns(): Column<Home>[] {
  const words = useWords(texts);
  return [
    { title: words.exchange, show: ({ id, name }) => `${name} (${id})` },
    { title: words.node, show: ({ node }) => node ?? <Badge color="red">{words.nowhere}</Badge> },
    { title: words.calls, show: ({ calls }) => calls, end: true },
  ];
}
