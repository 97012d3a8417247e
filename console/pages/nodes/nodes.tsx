// The servers that share one database, for those who run them: how each is, which exchange lives where, drain and resume.

import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useStamps } from "../../app/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { states, texts } from "./texts.ts";

type Seen = Reply<"nodes.list">;
type Node = Seen["nodes"][number];
type Home = Seen["exchanges"][number];

const LOOK_AGAIN_MS = 3_000;
const colors = { up: "teal", draining: "yellow", dead: "red" } as const;

export function Nodes() {
  const words = useWords(texts);
  const query = useAsk("nodes.list", {}, { refetchMs: LOOK_AGAIN_MS });
  const [columns, homeColumns] = [useColumns(), useHomeColumns()];
  return (
    <PageFrame title={words.title} about={words.about}>
      <Asked query={query}>
        {({ nodes, exchanges }) => (
          <>
            <Surface>
              <Rows
                label={words.title}
                columns={columns}
                rows={nodes}
                keyOf={({ name }) => name}
                empty={{ icon: "group", says: words.none }}
              />
            </Surface>
            <Surface title={words.homes}>
              <Rows
                label={words.homes}
                columns={homeColumns}
                rows={exchanges}
                keyOf={({ id }) => id}
                empty={{ icon: "group", says: words.noExchanges }}
              />
            </Surface>
          </>
        )}
      </Asked>
    </PageFrame>
  );
}

function useColumns(): Column<Node>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime, time } = useStamps();
  return [
    {
      title: words.node,
      show: ({ name, url, isThis }) => (
        <Stack gap={2}>
          <strong>{name}</strong>
          <Text size="xs" c="dimmed">
            {[url, isThis ? words.thisOne : ""].filter((it) => it !== "").join(", ")}
          </Text>
        </Stack>
      ),
    },
    { title: words.state, show: ({ state }) => <Badge color={colors[state]}>{states[state][language]}</Badge> },
    { title: words.version, show: ({ version }) => version },
    { title: words.exchanges, show: ({ exchanges }) => exchanges, end: true },
    { title: words.calls, show: ({ calls }) => calls, end: true },
    { title: words.until, show: ({ until, state }) => (state === "dead" ? dateTime(until) : time(until)) },
    { title: words.late, show: ({ lateRenewals }) => lateRenewals ?? "—", end: true },
    { title: words.since, show: ({ sinceMs }) => (sinceMs === null ? "—" : dateTime(sinceMs)) },
    useRowButtons<Node>((node) => <Tell node={node} />),
  ];
}

/** Asked before it is told: calls move with their exchanges. */
function Tell({ node: { name, state } }: { node: Node }) {
  const words = useWords(texts);
  const { cancel } = useWords(general);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [drain, resume] = [useDo("nodes.drain", words.done), useDo("nodes.resume", words.done)];
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
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {cancel}
            </Button>
            <Button onClick={act}>{label}</Button>
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
