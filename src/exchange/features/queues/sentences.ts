// What a queue says to its callers, in each language it can say it in.

import type { FloorQueue } from "../../../store/agents.ts";

type Language = FloorQueue["language"];

type Sentences = {
  position(place: number): string;
  wait(minutes: number): string;
  offersCallback(key: string): string;
  callbackKept: string;
  survey: string;
  thanks: string;
};

export const sentences: Record<Language, Sentences> = {
  "tr-TR": {
    position: (place) => (place === 1 ? "Sıradaki ilk kişisiniz." : `Sırada ${place}. kişisiniz.`),
    wait: (minutes) => `Tahmini bekleme süreniz ${minutes} dakikadır.`,
    offersCallback: (key) => `Sıranızı kaybetmeden aranmak için ${keyNames["tr-TR"][key] ?? key} tuşuna basın.`,
    callbackKept: "Sıranız korunuyor. Sıranız geldiğinde sizi arayacağız.",
    survey: "Görüşmemizi birden beşe kadar bir tuşla puanlar mısınız?",
    thanks: "Teşekkür ederiz.",
  },
  "en-US": {
    position: (place) => (place === 1 ? "You are next in line." : `You are number ${place} in line.`),
    wait: (minutes) => `Your wait will be about ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    offersCallback: (key) => `To be called back without losing your place, press ${keyNames["en-US"][key] ?? key}.`,
    callbackKept: "Your place is kept. We will call you when it is your turn.",
    survey: "How was our call? Please press a key from one to five.",
    thanks: "Thank you.",
  },
  "ar-XA": {
    position: (place) => `أنت رقم ${place} في الانتظار.`,
    wait: (minutes) => `وقت الانتظار المتوقع ${minutes} دقيقة.`,
    offersCallback: (key) => `لنتصل بك دون أن تفقد دورك اضغط ${keyNames["ar-XA"][key] ?? key}.`,
    callbackKept: "دورك محفوظ. سنتصل بك عندما يحين دورك.",
    survey: "كيف تقيم مكالمتنا؟ اضغط رقما من واحد إلى خمسة.",
    thanks: "شكرا لك.",
  },
};

const keyNames: Record<Language, Partial<Record<string, string>>> = {
  "tr-TR": { "*": "yıldız", "#": "kare" },
  "en-US": { "*": "star", "#": "pound" },
  "ar-XA": { "*": "نجمة", "#": "مربع" },
};
