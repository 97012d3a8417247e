// A field for a password: hidden until its owner wants to see it, with a button that says so in both languages.

import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { inBoth, useWords } from "../words/language.tsx";

const texts = inBoth({ show: { tr: "Parolayı göster veya gizle", en: "Show or hide the password" } });

export function Password(props: PasswordInputProps) {
  const words = useWords(texts);
  return <PasswordInput {...props} visibilityToggleButtonProps={{ "aria-label": words.show }} />;
}
