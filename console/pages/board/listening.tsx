// Those who listen: beside the call that they listen to, and to oneself above everything, with what one may do there.

import { Alert, Badge, Button, Group, SegmentedControl, Text } from "@mantine/core";
import type { CallNow, ListenerNow } from "../../../src/exchange/panel.ts";
import { supervisingInWords } from "../../../src/words/supervision.ts";
import { useSession } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { MODES, useSupervise } from "./call-actions.tsx";
import { deskTexts } from "./texts.ts";

export function Listeners({ call: { listeners } }: { call: CallNow }) {
  const words = useWords(deskTexts);
  const { language } = useLanguage();
  const { extension: own } = useSession();
  return listeners.map(({ uuid, extension, name, mode }) => (
    <Badge key={uuid} color="grape" leftSection={<Icon name="sound" size={12} />} tt="none">
      {extension === own ? words[`you-${mode}`] : `${name || extension} ${supervisingInWords(mode, language)}`}
    </Badge>
  ));
}

export function OwnListening() {
  const { extension: own } = useSession();
  const calls = useLivePart((live) => live.calls);
  for (const call of calls.values()) {
    const listener = call.listeners.find(({ extension }) => extension === own);
    if (listener) return <Mine call={call} listener={listener} />;
  }
  return null;
}

function Mine({ call, listener: { uuid, mode, watches } }: { call: CallNow; listener: ListenerNow }) {
  const words = useWords(deskTexts);
  const { supervise, isBusy } = useSupervise();
  const leave = useDo("calls.hangUp");
  const other = call.onTheLine.find((number) => number !== watches) ?? call.caller;
  return (
    <Alert color="grape" icon={<Icon name="sound" />} title={words[`on-${mode}`](watches, other)} role="status">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={words.howHeard}
          value={mode}
          disabled={isBusy}
          onChange={(next) => supervise(call.uuid, watches, next as ListenerNow["mode"])} // one of the modes
          data={MODES.map((value) => ({ value, label: words[value] }))}
        />
        <Button size="compact-sm" variant="light" onClick={() => supervise(call.uuid, watches, "take-over")}>
          {words["take-over"]}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => void leave({ uuid })}>
          {words.leave}
        </Button>
        <Text size="sm">{words[`heard-${mode}`]}</Text>
      </Group>
    </Alert>
  );
}
