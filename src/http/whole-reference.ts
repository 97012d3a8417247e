// The whole reference, whatever parts a server has: in Markdown for docs/api.md, and as the client.

import { everyOperation } from "./every-operation.ts";
import { clientOf } from "./reference/client.ts";
import { markdownOf } from "./reference/markdown.ts";
import { openApiOf } from "./reference/openapi.ts";
import { eventTable, settingsReference } from "./reference/settings.ts";

export function wholeReference(): string {
  return markdownOf(openApiOf(everyOperation));
}

/** `line`: see there. */
export function wholeClient(line: string): string {
  return clientOf(openApiOf(everyOperation), line);
}

/** docs/settings.md. */
export function wholeSettings(): string {
  return settingsReference();
}

/** The table of events in docs/webhooks.md. */
export function wholeEvents(): string {
  return eventTable();
}
