// What is not open to somebody says so: what it would take, and whom to ask.

import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { rights } from "../../src/nouns/role.ts";
import type { OperationName } from "../ask/ask.ts";
import { useSession, useWhom } from "../ask/session.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { Icon } from "./icon.tsx";
import { notYoursTexts } from "./texts.ts";

type Props = { needs: OperationName; level?: 1 | 2; children?: ReactNode };

/** `needs`: the first thing it would ask for. `level`: of its heading, inside a page that has one. */
export function NotYours({ needs: asked, level = 1, children }: Props) {
  const words = useWords(notYoursTexts);
  const { language } = useLanguage();
  const right = useSession().needs[asked];
  return (
    <Stack align="flex-start" gap="sm" maw={560} py="xl" data-testid="not-yours">
      <Icon name="block" size={40} />
      <Title order={level} size="h2">
        {words.title}
      </Title>
      <Text>{words.needs(right ? rights[right][language] : "")}</Text>
      <AskWhom />
      {children}
    </Stack>
  );
}

/** Nothing where nobody is signed in. */
export function AskWhom() {
  const words = useWords(notYoursTexts);
  const whom = useWhom();
  return whom && <Text size="sm">{words.askWhom(whom)}</Text>;
}
