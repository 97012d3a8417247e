// Alarms that are on, above everything else of a board: in red, in words, and told to who cannot see them.

import { Alert, Box, Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useCallback } from "react";
import type { AlarmNow } from "../../../src/exchange/features/alarms/alarm-now.ts";
import { alarmWords } from "../../../src/words/alarms.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useLivePart } from "../../live/live.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { useAlarmSound, useMayBeNoted } from "./calling.ts";
import { texts } from "./texts.ts";

export function useAlarmInWords(): (alarm: AlarmNow) => string {
  const words = useWords(texts);
  const { language } = useLanguage();
  return useCallback(
    ({ queue, queueName, about, value, threshold }) => {
      const { abouts, figures } = alarmWords[language];
      return words.says(`${queue} ${queueName}`, abouts[about], figures[about](value), figures[about](threshold));
    },
    [words, language],
  );
}

export function AlarmsNow() {
  const words = useWords(texts);
  const { time } = useStamps();
  const alarms = useLivePart((live) => live.alarms);
  const say = useAlarmInWords();
  const { isOn, turn } = useAlarmSound();
  const { ask } = useMayBeNoted();
  return (
    <Stack gap="xs">
      <Group gap="md">
        <Switch
          size="sm"
          label={words.sound}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => turn(checked)}
        />
        {ask && (
          <Button size="compact-sm" variant="light" leftSection={<Icon name="bell" size={16} />} onClick={ask}>
            {words.notes}
          </Button>
        )}
      </Group>
      {/* Always there: what is added to a live region is read aloud, what comes with one may not be. */}
      <Box component="section" role="region" aria-label={words.now} aria-live="assertive">
        <Stack gap="xs">
          {[...alarms.values()].map((alarm) => (
            <Alert key={alarm.id} color="red.9" variant="filled" icon={<Icon name="bell" />} title={words.alarm}>
              <Text fw={600}>
                {say(alarm)} · {words.since(time(alarm.beganMs))}
              </Text>
            </Alert>
          ))}
        </Stack>
      </Box>
    </Stack>
  );
}
