// A quiet line for as long as nobody answers, or nobody for this exchange; what was asked is asked again by itself.

import { Affix, Group, Loader, Paper, Text } from "@mantine/core";
import { useIsFetching } from "@tanstack/react-query";
import { secondsUntilNext } from "../ask/ask.ts";
import { useIsLost } from "../ask/connection.ts";
import { awayTexts } from "../ask/texts.ts";
import { useWords } from "../words/language.tsx";

export function Away() {
  const words = useWords(awayTexts);
  const waiting = useIsFetching({
    predicate: ({ state }) => secondsUntilNext(state.fetchFailureReason) !== undefined,
  });
  const isLost = useIsLost();
  if (waiting === 0 && !isLost) return null;
  return (
    <Affix position={{ bottom: 16, left: 16 }}>
      <Paper withBorder shadow="sm" px="md" py="xs" role="status">
        <Group gap="xs" wrap="nowrap">
          <Loader size="xs" />
          <Text size="sm">{isLost ? words.lost : words.away}</Text>
        </Group>
      </Paper>
    </Affix>
  );
}
