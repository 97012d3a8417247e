// Which pages are open to somebody, and what the others say.

import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { OperationName } from "../ask/ask.ts";
import { useSession } from "../ask/session.tsx";
import { NotYours } from "../ui/not-yours.tsx";
import { useWords } from "../words/language.tsx";
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
  const first = firstPageFor(useSession().may);
  return (
    <NotYours needs={page.needs}>
      {first && (
        <Button component={Link} href={first.path} variant="light">
          {words.home}
        </Button>
      )}
    </NotYours>
  );
}
