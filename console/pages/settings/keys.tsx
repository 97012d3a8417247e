// API keys: made, shown once, revoked.

import { Badge, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon, ShownOnce } from "../../ui/buttons.tsx";
import { MakeButton } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

export function Keys() {
  const words = useWords(texts);
  const { actions } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [secret, tell] = useState<string>();
  const keys = useAsk("keys.list", {});
  const create = useDo("keys.create");
  const revoke = useDo("keys.revoke", words.revoked);
  const make = async ({ label }: Record<string, unknown>) => {
    const made = await create({ label: String(label) });
    tell(made?.key);
    return made;
  };
  return (
    <Stack>
      <Surface
        title={words.tabKeys}
        actions={
          <MakeButton
            make={{ does: "keys.create", title: words.addKey, blank: { label: "" }, act: make, isBusy: create.isBusy }}
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
                { title: words.made, show: ({ createdAt }) => showDateTime(createdAt, language, exchange.timeZone) },
                {
                  title: words.state,
                  show: ({ revokedAt }) => (
                    <Badge variant="light" color={revokedAt ? "gray" : "teal"}>
                      {revokedAt ? words.revoked : words.valid}
                    </Badge>
                  ),
                },
                {
                  title: actions,
                  end: true,
                  show: ({ id, hint, revokedAt }) =>
                    revokedAt ? "—" : <DeleteIcon does="keys.revoke" what={hint} act={() => revoke({ id })} />,
                },
              ]}
            />
          )}
        </Asked>
      </Surface>
      {secret && <ShownOnce title={words.newKey} facts={[[words.hint, secret]]} close={() => tell(undefined)} />}
    </Stack>
  );
}
