// What every part of the page draws from: the phone, what it knows now, and the words for it.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Phone } from "../phone.ts";
import type { PhoneState } from "../state.ts";
import type { Words } from "../texts.ts";

export type Shown = { phone: Phone; state: PhoneState; words: Words };

export const ShownContext = createContext<Shown | undefined>(undefined);

export function useShown(): Shown {
  const shown = useContext(ShownContext);
  if (!shown) throw new Error("the phone's parts are drawn inside the phone");
  return shown;
}
