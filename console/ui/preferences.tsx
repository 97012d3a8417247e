// The two things everybody may choose for himself: language, and light or dark.

import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { LANGUAGES, languages } from "../../src/languages.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { Icon } from "./icon.tsx";
import { preferenceTexts } from "./texts.ts";

export function Preferences() {
  const { language, choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const next = LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? language;
  const { darker, lighter } = useWords(preferenceTexts);
  return (
    <>
      <ActionIcon
        variant="subtle"
        size="lg"
        w={44}
        onClick={() => choose(next)}
        aria-label={`${next.toUpperCase()} · ${languages[next].name}`}
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
