// Alarms on every page that is no board: in one quiet line that leads to it, heard and noted as on the board itself.

import { Alert } from "@mantine/core";
import { Link } from "wouter";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/language.tsx";
import { useAlarmInWords } from "./alarms-now.tsx";
import { useAlarms, useCalling } from "./calling.ts";
import { texts } from "./texts.ts";

/** `isShown`: not where the board itself shows them. */
export function AlarmBar({ isShown }: { isShown: boolean }) {
  const words = useWords(texts);
  const say = useAlarmInWords();
  const alarms = useAlarms();
  useCalling(alarms, say);
  if (!isShown || !alarms || alarms.size === 0) return null;
  return (
    <Alert color="red" mb="md" maw={1440} mx="auto" role="status" icon={<Icon name="bell" />}>
      {[...alarms.values()].map(say).join(" · ")} <Link href="/">{words.board}</Link>
    </Alert>
  );
}
