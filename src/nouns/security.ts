// What may be set of an exchange about how people and phones prove who they are.

import { choice } from "./kinds.ts";

const ofSecurity = { tr: "Güvenlik", en: "Security" };

export const securityFields = {
  second_factor: choice(
    { tr: "İki adımlı doğrulama zorunlu", en: "A second factor is required" },
    {
      among: {
        none: { tr: "Hiç kimse için", en: "Of nobody" },
        administrators: { tr: "Yöneticiler için", en: "Of administrators" },
        everybody: { tr: "Herkes için", en: "Of everybody" },
      },
      default: "none",
      under: ofSecurity,
      about: {
        tr: "Açmamış olan girince önce bunu açar; tek oturum açmayla girenlerden sağlayıcı sorumludur",
        en: "Who has none sets one up before anything else; single sign-on leaves it to its provider",
      },
    },
  ),
};
