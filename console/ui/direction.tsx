// Which way a call goes: an arrow and its word.

import { Group } from "@mantine/core";
import { useLanguage } from "../words/language.tsx";
import { directions } from "../words/texts.ts";
import { Icon } from "./icon.tsx";

export function Direction({ direction }: { direction: string }) {
  const { language } = useLanguage();
  const known = directions[direction];
  return (
    <Group gap={6} wrap="nowrap">
      <Icon name={known?.icon ?? "inside"} />
      {known?.[language] ?? direction}
    </Group>
  );
}
