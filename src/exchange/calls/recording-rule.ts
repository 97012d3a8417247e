// Who is recorded: every switch on the way must be on. Exchange, direction, each extension on the line, the call itself.

import type { CallSettings, ExchangeSettings } from "../../store/call-settings.ts";
import type { Direction } from "./call-facts.ts";

const switchFor: Record<Direction, keyof ExchangeSettings> = {
  inbound: "recordInbound",
  outbound: "recordOutbound",
  internal: "recordInternal",
};

export function isRecorded(
  { settings, extensions }: Pick<CallSettings, "settings" | "extensions">,
  call: { direction: Direction; onTheLine: readonly string[]; wanted: boolean },
): boolean {
  if (!call.wanted || !settings.recordCalls || settings[switchFor[call.direction]] !== true) return false;
  return call.onTheLine.every((number) => extensions.get(number)?.recordCalls !== false);
}
