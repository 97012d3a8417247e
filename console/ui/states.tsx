// What a page shows while it waits, when there is nothing, and when something failed.

import { Alert, Button, Center, Loader, Stack, Text, ThemeIcon } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLanguage, useWords } from "../words/language.tsx";
import { faultInWords, kindOfFault } from "../words/refusals.ts";
import { general } from "../words/texts.ts";
import { Icon, type IconName } from "./icon.tsx";
import { AskWhom } from "./not-yours.tsx";

export function Loading() {
  const words = useWords(general);
  return (
    <Center mih={160} role="status" aria-label={words.loading}>
      <Loader type="dots" />
    </Center>
  );
}

export function Empty({ icon, says, children }: { icon: IconName; says?: string; children?: ReactNode }) {
  const words = useWords(general);
  return (
    <Center mih={180} p="lg">
      <Stack align="center" gap="sm">
        <ThemeIcon variant="light" size={52} radius="xl">
          <Icon name={icon} size={26} />
        </ThemeIcon>
        <Text c="dimmed" ta="center" maw={420}>
          {says ?? words.nothingYet}
        </Text>
        {children}
      </Stack>
    </Center>
  );
}

/** Only what failed is a failure; a "no" is told as one, and asking again does not help against all of them. */
export function Fault({ fault, again }: { fault: unknown; again?: () => void }) {
  const words = useWords(general);
  const { language } = useLanguage();
  const kind = kindOfFault(fault);
  const color = kind === "failed" ? "red" : "yellow";
  return (
    <Alert color={color} title={words[kind]} role="alert" maw={560} data-fault={kind}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{faultInWords(fault, language)}</Text>
        {kind === "missing" && <Text size="sm">{words.missingAbout}</Text>}
        {(kind === "forbidden" || kind === "missing") && <AskWhom />}
        {again && kind !== "forbidden" && (
          <Button size="xs" variant="light" color={color} onClick={again}>
            {words.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/**
 * Shows what was asked for, or why it is not there yet. What was asked before stands there, dimmed, until the answer comes:
 * by then the page around it may speak of something else.
 */
export function Asked<Reply>({ query, children }: { query: UseQueryResult<Reply>; children(reply: Reply): ReactNode }) {
  if (query.data !== undefined)
    return (
      <div className="asked" aria-busy={query.isPlaceholderData}>
        {children(query.data)}
      </div>
    );
  if (query.error) return <Fault fault={query.error} again={() => void query.refetch()} />;
  return <Loading />;
}
