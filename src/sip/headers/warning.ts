// Warning: a three-digit code, who says it, and a sentence for people (20.43).

import { quote } from "../message/alphabet.ts";
import type { Header } from "../message/message.ts";

export type Warning = { readonly code: number; readonly agent: string; readonly text: string };

export function warning({ code, agent, text }: Warning): Header {
  return { name: "Warning", value: `${code} ${agent} ${quote(text)}` };
}
