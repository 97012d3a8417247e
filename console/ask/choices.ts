// What has a number, to choose one from: by number, with the name beside it.

import { useAsk } from "./use-ask.ts";

export type Choice = { value: string; label: string };

export function numberedChoices(rows: { number: string; name: string }[] | undefined): Choice[] {
  return rows?.map(({ number, name }) => ({ value: number, label: `${number} ${name}`.trim() })) ?? [];
}

export function useExtensionChoices(): Choice[] {
  return numberedChoices(useAsk("directory.list", {}).data?.extensions);
}

export function useQueueChoices(): Choice[] {
  return numberedChoices(useAsk("directory.list", {}).data?.queues);
}
