// The picture of the call flow: numbers at the left, and to the right of each where its calls go, menu by menu.

import { Badge, Box, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { useAsk } from "../../ask/use-ask.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { Asked, Empty } from "../../ui/states.tsx";
import { splitTarget, useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import type { Menu } from "./menus.tsx";
import { texts } from "./texts.ts";

type FlowProps = { menus: Menu[]; open(menu: Menu): void };

const icons: Partial<Record<string, IconName>> = {
  ...{ user: "phone", queue: "queue", group: "group", ivr: "menu", voicemail: "voicemail" },
  ...{ external: "out", announcement: "sound", tts: "sound", hangup: "hangup", restart: "refresh" },
};

export function Flow({ menus, open }: FlowProps) {
  const words = useWords(texts);
  const numbers = useAsk("numbers.list", {});
  return (
    <Surface title={words.flow}>
      <Asked query={numbers}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="number" says={words.noNumbers} />
          ) : (
            <Box p="md" style={{ overflowX: "auto" }} tabIndex={0} role="region" aria-label={words.flow}>
              <Stack gap="lg" miw={520}>
                {rows.map(({ number, description, target, closed_target }) => (
                  <Group key={number} align="flex-start" wrap="nowrap" gap="md">
                    <Node icon="number" title={number} about={description} />
                    <Stack gap="xs">
                      <Branch label={words.open} target={target} menus={menus} open={open} above={[]} />
                      {closed_target && (
                        <Branch label={words.closed} target={closed_target} menus={menus} open={open} above={[]} />
                      )}
                    </Stack>
                  </Group>
                ))}
              </Stack>
            </Box>
          )
        }
      </Asked>
    </Surface>
  );
}

/** `above`: the menus on the way here. One that leads back to itself is not drawn for ever. */
function Branch({ label, target, menus, open, above }: FlowProps & { label: string; target: string; above: string[] }) {
  const words = useWords(texts);
  const targetWords = useTargetWords();
  const { kind, rest } = splitTarget(target);
  const menu = kind === "ivr" ? menus.find(({ number }) => number === rest) : undefined;
  const isAgain = menu !== undefined && above.includes(menu.number);
  const title = targetWords(target);
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm">
      <Badge variant="light" mt={8} style={{ flexShrink: 0 }}>
        {label}
      </Badge>
      {menu ? (
        <UnstyledButton onClick={() => open(menu)} title={words.edit}>
          <Node icon="menu" title={title} about={isAgain ? words.again : menu.name} />
        </UnstyledButton>
      ) : (
        <Node icon={icons[kind ?? ""] ?? "more"} title={title} />
      )}
      {menu && !isAgain && <MenuBranches menu={menu} menus={menus} open={open} above={[...above, menu.number]} />}
    </Group>
  );
}

function MenuBranches({ menu, ...rest }: FlowProps & { menu: Menu; above: string[] }) {
  const words = useWords(texts);
  return (
    <Stack gap={6}>
      {Object.entries(menu.key_targets).map(([key, target]) => (
        <Branch key={key} label={key} target={target} {...rest} />
      ))}
      {menu.timeout_target && <Branch label={words.timeout} target={menu.timeout_target} {...rest} />}
      {menu.invalid_target && <Branch label={words.invalid} target={menu.invalid_target} {...rest} />}
    </Stack>
  );
}

function Node({ icon, title, about }: { icon: IconName; title: string; about?: string }) {
  return (
    <Box className="tile" style={{ "--tile": "var(--mantine-primary-color-filled)", flexShrink: 0 }}>
      <Group gap={8} wrap="nowrap">
        <Icon name={icon} />
        <Box>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {about && (
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          )}
        </Box>
      </Group>
    </Box>
  );
}
