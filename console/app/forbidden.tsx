// Which pages are open to somebody, and what the others say: that they are not, and whom to ask.

import { Button, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { rights } from "../../src/nouns/role.ts";
import type { OperationName } from "../ask/ask.ts";
import { namesOf, useSession } from "../ask/session.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { type Page, pageGroups } from "./pages.ts";
import { shellTexts } from "./texts.ts";

/** The page of the servers tells by itself who runs them. */
export function isOpenTo({ needs, operator }: Page, may: readonly string[]): boolean {
  return operator === true || may.includes(needs satisfies OperationName);
}

/** Where somebody begins; everybody may open something. */
export function firstPageFor(may: readonly string[]): Page | undefined {
  return pageGroups.flatMap(({ pages }) => pages).find((page) => !page.operator && isOpenTo(page, may));
}

export function Forbidden({ page }: { page: Page }) {
  const words = useWords(shellTexts);
  const { language } = useLanguage();
  const { needs, may, administrators } = useSession();
  const right = needs[page.needs];
  const first = firstPageFor(may);
  return (
    <Stack align="flex-start" gap="sm" maw={560} py="xl">
      <Icon name="block" size={40} />
      <Title order={1} size="h2">
        {words.forbidden}
      </Title>
      <Text>{words.forbiddenFor(right ? rights[right][language] : "")}</Text>
      {administrators.length > 0 && <Text>{words.askWhom(namesOf(administrators, language))}</Text>}
      {first && (
        <Button component={Link} href={first.path} variant="light">
          {words.home}
        </Button>
      )}
    </Stack>
  );
}
