// Every extension as a tile with its colour: five hundred of them, of which only the changed ones are drawn again.

import { Badge, Box, Group, Menu, SimpleGrid, Text, TextInput, UnstyledButton } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import type { ExtensionNow } from "../../../src/exchange/panel.ts";
import { useWhyNot } from "../../app/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { useLive } from "../../live/live.ts";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { extensionStates } from "../../words/live-words.ts";
import { texts } from "./texts.ts";

export function ExtensionsNow() {
  const words = useWords(texts);
  const { extensions } = useLive();
  const [about, setAbout] = useState("");
  const shown = useMemo(() => {
    const wanted = about.toLocaleLowerCase("tr");
    const matches = ({ number, name }: ExtensionNow) => `${number} ${name}`.toLocaleLowerCase("tr").includes(wanted);
    const sorted = [...extensions.values()].sort((one, other) => Number(one.number) - Number(other.number));
    return wanted === "" ? sorted : sorted.filter(matches);
  }, [extensions, about]);
  return (
    <Surface
      title={words.extensions}
      actions={
        <TextInput
          size="xs"
          aria-label={words.filter}
          placeholder={words.filter}
          value={about}
          leftSection={<Icon name="search" size={14} />}
          onChange={(event) => setAbout(event.currentTarget.value)}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, md: 3, lg: 5 }} spacing="xs" p="md">
        {shown.map((extension) => (
          <Tile key={extension.number} extension={extension} />
        ))}
      </SimpleGrid>
    </Surface>
  );
}

const Tile = memo(function Tile({ extension: { number, name, state } }: { extension: ExtensionNow }) {
  const { language } = useLanguage();
  const { color, ...words } = extensionStates[state];
  return (
    <Box
      className="tile"
      style={{ "--tile": `var(--mantine-color-${color}-6)` }}
      data-extension={number}
      data-state={state}
    >
      <Group justify="space-between" wrap="nowrap" gap={6}>
        <Text fw={650}>{number}</Text>
        <TileMenu number={number} isDnd={state === "do-not-disturb"} />
      </Group>
      <Text size="sm" truncate>
        {name || "—"}
      </Text>
      <Badge variant="light" color={color} size="sm" mt={4}>
        {words[language]}
      </Badge>
    </Box>
  );
});

function TileMenu({ number, isDnd }: { number: string; isDnd: boolean }) {
  const words = useWords(texts);
  const setDnd = useDo("extensions.setDnd");
  const whyNot = useWhyNot("extensions.setDnd");
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`${number}: …`} p={4}>
          <Icon name="more" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={whyNot !== undefined} title={whyNot} onClick={() => void setDnd({ number, dnd: !isDnd })}>
          {isDnd ? words.dndOff : words.dndOn}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
