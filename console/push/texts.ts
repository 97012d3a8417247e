// What a note says that a browser shows for us while the console is closed. No page is there to make the words.

import type { Both } from "../../src/languages.ts";

type NoteWords = { ringing: string; missed: string; message: string; answered: string; withheld: string };

export const noteTexts: Both<NoteWords> = {
  tr: {
    ringing: "Sizi arıyor",
    missed: "Cevapsız arama",
    message: "Sesli mesaj bıraktı",
    answered: "Arama yanıtlandı",
    withheld: "Gizli numara",
  },
  en: {
    ringing: "Is calling you",
    missed: "Missed call",
    message: "Left a message",
    answered: "The call was answered",
    withheld: "Withheld number",
  },
};
