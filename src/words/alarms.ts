// What an alarm of a queue is about, in words: on the boards and in letters.

import type { Language } from "../languages.ts";
import type { AlarmAbout } from "../store/queue-alarms.ts";

type AlarmWords = {
  abouts: Record<AlarmAbout, string>;
  figures: Record<AlarmAbout, (value: number) => string>;
};

export const alarmWords: Record<Language, AlarmWords> = {
  tr: {
    abouts: { "longest-wait": "en uzun bekleme", waiting: "bekleyen arayan", "service-level": "hizmet düzeyi" },
    figures: {
      "longest-wait": (seconds) => `${seconds} sn`,
      waiting: (callers) => String(callers),
      "service-level": (percent) => `%${percent}`,
    },
  },
  en: {
    abouts: { "longest-wait": "the longest wait", waiting: "callers waiting", "service-level": "the service level" },
    figures: {
      "longest-wait": (seconds) => `${seconds} s`,
      waiting: (callers) => String(callers),
      "service-level": (percent) => `${percent} %`,
    },
  },
};
