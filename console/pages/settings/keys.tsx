// API keys: made, shown once, revoked.

import { Badge, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAction } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon, ShownOnce } from "../../ui/buttons.tsx";
import type { Draft } from "../../ui/field.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Key = Reply<"keys.list">[number];

export function Keys() {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const [secret, tell] = useState<string>();
  const keys = useAsk("keys.list", {});
  const create = useAction("keys.create", ({ label }: Draft) => ({ label: String(label) }), {
    hear: ({ key }) => tell(key),
  });
  const revoke = useDo("keys.revoke", words.revoked);
  const buttons = useRowButtons<Key>(({ id, hint, revokedAt }) =>
    revokedAt ? "—" : <DeleteIcon does="keys.revoke" what={hint} act={() => revoke({ id })} />,
  );
  return (
    <Stack>
      <Surface
        title={words.tabKeys}
        actions={
          <MakeButton
            make={{ ...create, title: words.addKey, blank: { label: "" } }}
            fields={{ label: { is: "text", label: words.label, longest: 100 } }}
          />
        }
      >
        <Text c="dimmed" size="sm" px="md" pb="xs">
          {words.keysAbout}
        </Text>
        <Asked query={keys}>
          {(rows) => (
            <Rows
              label={words.tabKeys}
              rows={rows}
              keyOf={({ id }) => id}
              empty={{ icon: "key", says: words.noKeys }}
              columns={[
                { title: words.hint, show: ({ hint }) => <code>{hint}</code> },
                { title: words.label, show: ({ label }) => label || "—" },
                { title: words.made, show: ({ createdAt }) => dateTime(createdAt) },
                {
                  title: words.state,
                  show: ({ revokedAt }) => (
                    <Badge color={revokedAt ? "gray" : "teal"}>{revokedAt ? words.revoked : words.valid}</Badge>
                  ),
                },
                buttons,
              ]}
            />
          )}
        </Asked>
      </Surface>
      {secret && <ShownOnce title={words.newKey} facts={[[words.hint, secret]]} close={() => tell(undefined)} />}
    </Stack>
  );
}
