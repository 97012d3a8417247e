// Who ended a call, in words.

import type { Both, Language } from "../languages.ts";
import type { Cdr, EndedBy } from "../store/cdrs.ts";

export const enders: Record<EndedBy, Both> = {
  caller: { tr: "arayan kapattı", en: "the caller hung up" },
  callee: { tr: "aranan kapattı", en: "the called party hung up" },
  interface: { tr: "API kapattı", en: "the interface hung up" },
  supervisor: { tr: "konsoldan kapatıldı", en: "hung up from the console" },
  operator: { tr: "sistem yöneticisi kapattı", en: "an operator hung up" },
  exchange: { tr: "santral bitirdi", en: "the exchange ended it" },
};

/** As the subject of a sentence: who has it ended without being in it. */
export const orderers: Record<Exclude<EndedBy, "caller" | "callee">, Both> = {
  interface: { tr: "API", en: "the interface" },
  supervisor: { tr: "Bir yönetici konsoldan", en: "a supervisor" },
  operator: { tr: "Sistem yöneticisi", en: "an operator" },
  exchange: { tr: "Santral", en: "the exchange" },
};

const parties = {
  phone: { tr: "telefon", en: "phone" },
  outside: { tr: "karşı taraf", en: "the other side" },
} satisfies Record<string, Both>;

/** For the page of a call: with whose phone it was, or that it was somebody outside. */
export function enderInWords(cdr: Pick<Cdr, "endedBy" | "sipHangupDisposition" | "direction">, language: Language) {
  const by = cdr.endedBy ?? cdr.sipHangupDisposition;
  if (by !== "caller" && by !== "callee") return enders[by][language];
  const outside = { inbound: "caller", outbound: "callee", internal: "" }[cdr.direction];
  return `${enders[by][language]} (${parties[by === outside ? "outside" : "phone"][language]})`;
}
