// The parts every page is made of: heading, surfaces, figures.

import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { HelpLink } from "./help.tsx";

/** `actions` stand beside the heading; `about` is a sentence below it. */
export function PageFrame({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Stack gap="md" maw={1440} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box miw={0}>
          <Group gap={4} wrap="nowrap">
            <Title order={1} size="h2">
              {title}
            </Title>
            <HelpLink />
          </Group>
          {about && (
            <Text c="dimmed" size="sm" mt={2}>
              {about}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

export function Surface({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper className="surface" component="section" aria-label={title}>
      {(title || actions) && (
        <Group justify="space-between" px="md" pt="sm" pb={4} gap="xs">
          {title ? (
            <Title order={2} size="h4">
              {title}
            </Title>
          ) : (
            <span />
          )}
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  );
}

export function Figure({ label, value, color }: { label: string; value: ReactNode; color?: string }) {
  return (
    <Paper className="surface" p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="figure" component="p" c={color} my={4}>
        {value}
      </Text>
    </Paper>
  );
}
