// The two things everybody may choose for himself: language, and light or dark.

import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useLanguage } from "../words/language.tsx";
import { Icon } from "./icon.tsx";

const other = { tr: "en", en: "tr" } as const;
const speaks = { tr: "Türkçe", en: "English" } as const;

export function Preferences() {
  const { language, choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const next = other[language];
  const darker = { tr: "Koyu görünüm", en: "Dark" }[language];
  const lighter = { tr: "Açık görünüm", en: "Light" }[language];
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="lg"
        w={44}
        onClick={() => choose(next)}
        aria-label={`${next.toUpperCase()} · ${speaks[next]}`}
        lang={next}
      >
        {next.toUpperCase()}
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size="lg"
        onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
        aria-label={scheme === "dark" ? lighter : darker}
      >
        <Icon name={scheme === "dark" ? "sun" : "moon"} />
      </ActionIcon>
    </>
  );
}
