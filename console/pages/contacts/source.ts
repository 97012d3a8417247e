// A source of contacts, as the list has it.

import type { Reply } from "../../ask/ask.ts";

export type Source = Reply<"contactSources.list">[number];
