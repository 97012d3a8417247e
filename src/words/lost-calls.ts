// Why a call that was up when the exchange stopped could not go on.

import type { NotResumed } from "../exchange/calls/story.ts";
import type { Language } from "../languages.ts";
import { showTenths } from "./stamps.ts";

const reasons: Record<NotResumed, Record<Language, string>> = {
  "too-late": { en: "the exchange was away for too long", tr: "santral çok uzun süre kapalı kaldı" },
  "too-often": {
    en: "the exchange stopped again and again while it was up",
    tr: "çağrı sürerken santral art arda durdu",
  },
  unknown: {
    en: "another version of the exchange had kept it",
    tr: "çağrının durumu santralin başka bir sürümünce saklanmış",
  },
  "not-possible": {
    en: "what was going on in it cannot be taken up again",
    tr: "çağrıda yapılan iş yeniden ele alınamıyor",
  },
  "no-voice": { en: "its voice could not be opened again", tr: "ses bağlantısı yeniden açılamadı" },
  "no-exchange": { en: "its exchange is gone", tr: "çağrının santrali artık yok" },
};

export const lostInWords = (why: NotResumed, language: Language): string => reasons[why][language];

export const gapInWords = (ms: number, language: Language): string => showTenths(ms / 1_000, language);
