// Lines to carriers with their health, and the rules by which calls leave.

import { Badge, Stack, Text } from "@mantine/core";
import { useStamps } from "../../app/stamps.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useRemoving, useSaving } from "../../ask/use-deed.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { Rules } from "./rules.tsx";
import { texts } from "./texts.ts";

type Trunk = Reply<"trunks.list">[number];
type Changes = Parameters<"trunks.update">["changes"];

const LOOK_AGAIN_MS = 5_000;
const blank = {
  name: "",
  host: "",
  port: 5_060,
  transport: "udp",
  registers: false,
  source_addresses: [],
  t38: true,
  active: true,
};

export function Trunks() {
  const words = useWords(texts);
  return (
    <ListPage<Trunk>
      title={words.trunks}
      about={words.trunksAbout}
      icon="trunk"
      empty={words.noTrunks}
      rows={useAsk("trunks.list", {}, { refetchMs: LOOK_AGAIN_MS })}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      fields={useFields()}
      columns={useColumns()}
      make={{ ...useSaving("trunks.create", newTrunk), title: words.addTrunk, blank }}
      change={{
        ...useSaving("trunks.update", ({ name }: Trunk, changes: Draft) => ({ name, changes: changes as Changes })),
        draftOf: ({ now: _now, has_password: _kept, name: _name, ...draft }) => draft,
      }}
      drop={useRemoving("trunks.delete", ({ name }) => ({ name }))}
    >
      <Rules />
    </ListPage>
  );
}

/** The form has its fields. */
function newTrunk({ name, host, ...changes }: Draft) {
  return { name: String(name), host: String(host), changes: changes as Changes };
}

function useColumns(): Column<Trunk>[] {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { time } = useStamps();
  const until = (now: Trunk["now"]) => (now?.registeredUntilMs ? time(now.registeredUntilMs) : "—");
  return [
    { title: name, show: (trunk) => <strong>{trunk.name}</strong> },
    { title: words.host, show: ({ host, port, transport }) => `${host}:${port} (${transport})` },
    { title: words.health, show: (trunk) => <Health trunk={trunk} /> },
    { title: words.registeredUntil, show: ({ now, registers }) => (registers ? until(now) : "—") },
    {
      title: words.inUse,
      show: ({ now, channel_limit }) => `${now?.channelsUsed ?? 0} / ${channel_limit ?? "∞"}`,
      end: true,
    },
    { title: words.priority, show: ({ priority }) => priority, end: true },
  ];
}

function Health({ trunk: { now, active } }: { trunk: Trunk }) {
  const words = useWords(texts);
  const [color, text] = !active
    ? ["gray", words.passive]
    : now === null
      ? ["gray", words.unknown]
      : now.up
        ? ["teal", words.up]
        : ["red", words.down];
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={color}>{text}</Badge>
      {now?.lastError && (
        <Text size="xs" c="dimmed">
          {now.lastError}
        </Text>
      )}
    </Stack>
  );
}

const TRANSPORTS: [string, string][] = ["udp", "tcp", "tls"].map((value) => [value, value.toUpperCase()]);
/** As a number then looks. */
const CALLER_ID_FORMS: [string, string][] = [
  ["e164", "90532…"],
  ["plus", "+90532…"],
  ["national", "0532…"],
];

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { name } = useWords(general);
  return {
    name: { is: "text", label: name, longest: 64, required: true, fixed: true },
    host: { is: "text", label: words.host, required: true },
    port: { is: "whole", label: words.port, least: 1, most: 65_535 },
    transport: { is: "choice", label: words.transport, options: TRANSPORTS },
    username: { is: "text", label: words.username },
    password: { is: "secret", label: words.password, about: words.passwordKept },
    registers: { is: "switch", label: words.registers },
    source_addresses: { is: "words", label: words.sources, about: words.sourcesAbout },
    caller_id_form: { is: "choice", label: words.callerIdForm, options: CALLER_ID_FORMS },
    codecs: { is: "several", label: words.codecs, among: ["PCMA", "PCMU", "G722", "opus"] },
    channel_limit: { is: "whole", label: words.channels, least: 1, most: 100_000, orNothing: true },
    priority: { is: "whole", label: words.priority, least: 0, most: 1_000 },
    health_check: { is: "switch", label: words.healthCheck },
    t38: { is: "switch", label: words.t38 },
    active: { is: "switch", label: words.active },
  };
}
