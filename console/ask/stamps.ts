// Times as the exchange's own clock has them, in the language of the page.

import { showDateTime, showTime } from "../../src/words/stamps.ts";
import { useLanguage } from "../words/language.tsx";
import { useSession } from "./session.tsx";

export function useStamps() {
  const { language } = useLanguage();
  const { timeZone } = useSession().exchange;
  return {
    dateTime: (at: string | number) => showDateTime(at, language, timeZone),
    time: (at: string | number) => showTime(at, language, timeZone),
  };
}
