// A bar in each tab beside the one with the phone: who rings there, or that a call is up, and what can be done about it.

import { Button, Group, Paper, Text } from "@mantine/core";
import type { CallTold } from "../phone/messages.ts";
import { Icon } from "../ui/icon.tsx";
import { useWords } from "../words/language.tsx";
import { orderElsewhere, useCallsElsewhere } from "./phone-calls.ts";
import { phoneTexts } from "./texts.ts";

/** It stays in sight, over a window that stands open as well. */
export function ElsewhereBar() {
  const words = useWords(phoneTexts);
  const calls = useCallsElsewhere();
  const ringing = calls.find(({ state }) => state === "ringing");
  const call = ringing ?? calls.find(({ held }) => !held) ?? calls[0];
  if (!call) return null;
  return (
    <Paper className="elsewhere" role={ringing ? "alert" : "status"} withBorder shadow="md" px="md" py="xs" mb="md">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Icon name="call" />
          <div>
            <Text fw={600}>{ringing ? words.calls(whoIs(call, words)) : words.isUp(whoIs(call, words))}</Text>
            {ringing && (
              <Text size="sm" c="dimmed">
                {words.callsYou}
              </Text>
            )}
          </div>
        </Group>
        <Group gap="xs">{ringing ? <Ringing /> : <Up />}</Group>
      </Group>
    </Paper>
  );
}

function Ringing() {
  const words = useWords(phoneTexts);
  return (
    <>
      <Button size="xs" color="red" variant="light" onClick={() => orderElsewhere("reject")}>
        {words.reject}
      </Button>
      <Button size="xs" color="green" onClick={() => orderElsewhere("answer")}>
        {words.answer}
      </Button>
    </>
  );
}

function Up() {
  const words = useWords(phoneTexts);
  return (
    <>
      <Button size="xs" variant="light" onClick={() => orderElsewhere("take")}>
        {words.takeHere}
      </Button>
      <Button size="xs" color="red" variant="light" onClick={() => orderElsewhere("hangup")}>
        {words.hangUp}
      </Button>
    </>
  );
}

function whoIs({ name, number }: CallTold, { withheld }: { withheld: string }): string {
  return number === "" || number === "anonymous" ? withheld : name || number;
}
