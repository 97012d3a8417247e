// What an alarm of a queue is about, in words: on the boards and in letters.

import type { Language } from "../languages.ts";
import type { AlarmAbout } from "../store/queue-alarms.ts";
import { showCount, showDuration, showShare } from "./stamps.ts";

type AlarmWords = {
  abouts: Record<AlarmAbout, string>;
  figures: Record<AlarmAbout, (value: number) => string>;
};

const figuresIn = (language: Language): AlarmWords["figures"] => ({
  "longest-wait": showDuration,
  waiting: (callers) => showCount(callers, language),
  "service-level": (percent) => showShare(percent / 100, language, 1),
});

export const alarmWords: Record<Language, AlarmWords> = {
  tr: {
    abouts: { "longest-wait": "en uzun bekleme", waiting: "bekleyen arayan", "service-level": "hizmet düzeyi" },
    figures: figuresIn("tr"),
  },
  en: {
    abouts: { "longest-wait": "the longest wait", waiting: "callers waiting", "service-level": "the service level" },
    figures: figuresIn("en"),
  },
};
