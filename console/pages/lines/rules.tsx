// Outbound rules, in the order in which they are tried: made, changed, moved; one that never gets a call says why.

import { Badge, Text } from "@mantine/core";
import { outboundRule } from "../../../src/nouns/outbound-rule.ts";
import type { Reply } from "../../ask/ask.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import type { Draft } from "../../ui/field.ts";
import { ListSurface } from "../../ui/list-page.tsx";
import { blankOf } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Rule = Reply<"rules.list">[number];

const STEP = 10;

export function Rules() {
  const words = useWords(texts);
  const rules = useAsk("rules.list", {});
  const fields = useNoun(outboundRule);
  const last = rules.data?.at(-1)?.priority ?? 0;
  return (
    <ListSurface<Rule>
      title={words.rules}
      icon="out"
      empty={words.noRules}
      rows={rules}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={fields}
      columns={[
        { title: words.order, show: ({ priority }) => priority, end: true },
        { title: fields.name.label, show: (rule) => <NameOf rule={rule} /> },
        { title: fields.prefix.label, show: ({ prefix }) => prefix || words.anyNumber },
        { title: fields.trunk.label, show: ({ trunk }) => trunk ?? words.anyTrunk },
        { title: fields.callerId.label, show: ({ callerId }) => callerId ?? "—" },
      ]}
      make={{
        ...useSaving("rules.create", ruleOf),
        title: words.addRule,
        blank: { ...blankOf(outboundRule), priority: last + STEP },
      }}
      change={useSaving("rules.update", ({ id }, _, draft) => ({ id, ...ruleOf(draft) }))}
      drop={useRemoving("rules.delete", ({ name }) => ({ name }))}
      more={(rule) => <MoveButtons rule={rule} rules={rules.data ?? []} />}
    />
  );
}

function NameOf({ rule: { name, shadowedBy } }: { rule: Rule }) {
  const words = useWords(texts);
  return (
    <div>
      <strong>{name}</strong>
      {shadowedBy && (
        <>
          <div>
            <Badge color="yellow">{words.neverUsed}</Badge>
          </div>
          <Text size="xs" c="dimmed">
            {words.shadowed(shadowedBy)}
          </Text>
        </>
      )}
    </div>
  );
}

function MoveButtons({ rule: { id, name }, rules }: { rule: Rule; rules: Rule[] }) {
  const words = useWords(texts);
  const move = useDo("rules.move");
  const isFirst = rules[0]?.id === id;
  const isLast = rules.at(-1)?.id === id;
  return (
    <>
      {!isFirst && (
        <DoIcon
          does="rules.move"
          icon="up"
          label={`${words.earlier}: ${name}`}
          act={() => void move({ id, up: true })}
        />
      )}
      {!isLast && (
        <DoIcon
          does="rules.move"
          icon="down"
          label={`${words.later}: ${name}`}
          act={() => void move({ id, up: false })}
        />
      )}
    </>
  );
}

function ruleOf({ name, prefix, priority, trunk, callerId }: Draft) {
  return {
    name: String(name),
    prefix: String(prefix ?? ""),
    priority: Number(priority),
    trunk: trunk ? String(trunk) : null,
    callerId: callerId ? String(callerId) : null,
  };
}
