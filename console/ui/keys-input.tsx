// The keys of a telephone, each with where it leads; only those that lead somewhere are shown.

import { ActionIcon, Group, Input, Select, Stack } from "@mantine/core";
import type { Place } from "../../src/exchange/plan/target.ts";
import { inBoth, useWords } from "../words/language.tsx";
import { general } from "../words/nouns.ts";
import { Icon } from "./icon.tsx";
import { TargetPicker } from "./target-picker.tsx";

const KEYS = [..."1234567890*#"];

const texts = inBoth({
  key: { tr: (key: string) => `${key} tuşu`, en: (key: string) => `Key ${key}` },
  add: { tr: "Tuş ekle", en: "Add a key" },
});

export function KeysInput({
  label,
  about,
  error,
  place,
  value,
  change,
}: {
  label: string;
  about?: string;
  error?: string;
  place: Place;
  value: Record<string, string>;
  change(next: Record<string, string>): void;
}) {
  const words = useWords(texts);
  const { remove } = useWords(general);
  const used = KEYS.filter((key) => key in value);
  const free = KEYS.filter((key) => !(key in value));
  const without = (gone: string) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone));
  return (
    <Input.Wrapper label={label} description={about} error={error} labelElement="div">
      <Stack gap="xs" mt={4}>
        {used.map((key) => (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-end">
            <div style={{ flex: 1, minWidth: 0 }}>
              <TargetPicker
                {...{ label: words.key(key), place, orNothing: false, value: value[key] ?? "" }}
                change={(target) => change({ ...value, [key]: target ?? "" })}
              />
            </div>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={`${remove}: ${words.key(key)}`}
              onClick={() => change(without(key))}
            >
              <Icon name="trash" />
            </ActionIcon>
          </Group>
        ))}
        {free.length > 0 && (
          <Select
            aria-label={words.add}
            placeholder={words.add}
            leftSection={<Icon name="plus" />}
            data={free.map((key) => ({ value: key, label: words.key(key) }))}
            value={null}
            onChange={(key) => key !== null && change({ ...value, [key]: "" })}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
