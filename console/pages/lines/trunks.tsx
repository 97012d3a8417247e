// Lines to carriers with their health, and the rules by which calls leave.

import { Badge, Stack, Text } from "@mantine/core";
import { useSession } from "../../app/session.tsx";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/editor.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showTime } from "../../words/stamps.ts";
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
  const { saved, removed } = useWords(general);
  const create = useDo("trunks.create", saved);
  const update = useDo("trunks.update", saved);
  const remove = useDo("trunks.delete", removed);
  const make = ({ name, host, ...changes }: Draft) =>
    create({ name: String(name), host: String(host), changes: changes as Changes }); // the form has its fields
  return (
    <ListPage<Trunk>
      title={words.trunks}
      about={words.trunksAbout}
      icon="trunk"
      empty={words.noTrunks}
      query={useAsk("trunks.list", {}, { refetchMs: LOOK_AGAIN_MS })}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      fields={useFields()}
      columns={useColumns()}
      make={{ does: "trunks.create", title: words.addTrunk, blank, act: make, isBusy: create.isBusy }}
      change={{
        does: "trunks.update",
        act: ({ name }, changes) => update({ name, changes: changes as Changes }), // the form has its fields
        isBusy: update.isBusy,
        draftOf: ({ now: _now, has_password: _kept, name: _name, ...draft }) => draft,
      }}
      drop={{ does: "trunks.delete", act: ({ name }) => remove({ name }) }}
    >
      <Rules />
    </ListPage>
  );
}

function useColumns(): Column<Trunk>[] {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const until = (now: Trunk["now"]) =>
    now?.registeredUntilMs ? showTime(now.registeredUntilMs, language, exchange.timeZone) : "—";
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
      <Badge variant="light" color={color}>
        {text}
      </Badge>
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
