// Hours by weekday: a row a day, any number of stretches in it.

import { ActionIcon, Box, Button, Group, Input, Stack, Switch, Text } from "@mantine/core";
import { daysOf, type Stretch, weekdays, weekOf } from "../../src/words/week.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { Icon } from "./icon.tsx";
import { weekTexts } from "./texts.ts";
import { TimeInput } from "./time-input.tsx";

const USUAL: Stretch = { opens: "08:00", closes: "18:00" };
const AFTERNOON: Stretch = { opens: "13:00", closes: "18:00" };
const WORKING_DAYS = 5;

type WeekProps = {
  label: string;
  about?: string | undefined;
  error?: string | undefined;
  /** Null: the hours of the exchange. */
  value: readonly string[] | null;
  orNothing: boolean;
  change(next: string[] | null): void;
};

export function WeekInput({ label, about, error, value, orNothing, change }: WeekProps) {
  const words = useWords(weekTexts);
  const { language } = useLanguage();
  const days = daysOf(value ?? []);
  const set = (index: number, stretches: Stretch[]) =>
    change(weekOf(days.map((before, day) => (day === index ? stretches : before))));
  const first = days[0] ?? [];
  return (
    <Input.Wrapper label={label} description={about} error={error} labelElement="div">
      <Stack gap={6} mt={6} role="group" aria-label={label}>
        {orNothing && (
          <Switch
            label={words.own}
            checked={value !== null}
            onChange={(event) =>
              change(
                event.currentTarget.checked ? weekOf(days.map((_, day) => (day < WORKING_DAYS ? [USUAL] : []))) : null,
              )
            }
          />
        )}
        {value !== null &&
          days.map((stretches, index) => (
            <Day
              key={weekdays[language][index]}
              name={weekdays[language][index] ?? ""}
              stretches={stretches}
              change={(next) => set(index, next)}
            />
          ))}
        {value !== null && first.length > 0 && (
          <Button
            variant="subtle"
            size="xs"
            style={{ alignSelf: "flex-start" }}
            onClick={() => change(weekOf(days.map((before, day) => (day < WORKING_DAYS ? first : before))))}
          >
            {words.sameAsFirst}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

type DayProps = { name: string; stretches: Stretch[]; change(next: Stretch[]): void };

function Day({ name, stretches, change }: DayProps) {
  const words = useWords(weekTexts);
  const { remove } = useWords(general);
  const put = (index: number, part: Partial<Stretch>) =>
    change(stretches.map((before, at) => (at === index ? { ...before, ...part } : before)));
  const next = stretches.length === 0 ? USUAL : AFTERNOON;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size="sm" w={34} pt={6} fw={600}>
        {name}
      </Text>
      <Stack gap={4} flex={1} miw={0}>
        {stretches.length === 0 && (
          <Text size="sm" c="dimmed" pt={6}>
            {words.closed}
          </Text>
        )}
        {stretches.map(({ opens, closes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stretch is known by its place, and has nothing else that stays
          <Group key={index} gap={4} wrap="nowrap">
            <Time
              label={`${name}: ${words.opens} ${index + 1}`}
              value={opens}
              change={(it) => put(index, { opens: it })}
            />
            <Text size="sm">–</Text>
            <Time
              label={`${name}: ${words.closes} ${index + 1}`}
              value={closes}
              change={(it) => put(index, { closes: it })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${remove}: ${name} ${opens}–${closes}`}
              onClick={() => change(stretches.filter((_, at) => at !== index))}
            >
              <Icon name="trash" />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <Box pt={4}>
        <ActionIcon variant="subtle" aria-label={`${words.add}: ${name}`} onClick={() => change([...stretches, next])}>
          <Icon name="plus" />
        </ActionIcon>
      </Box>
    </Group>
  );
}

function Time({ label, value, change }: { label: string; value: string; change(next: string): void }) {
  return <TimeInput aria-label={label} value={value} flex={1} miw={0} change={(next) => next && change(next)} />;
}
