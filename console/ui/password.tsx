// A field for a password: hidden until its owner wants to see it, with a button that says so in both languages.

import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useWords } from "../words/language.tsx";
import { passwordTexts } from "./texts.ts";

export function Password(props: PasswordInputProps) {
  const words = useWords(passwordTexts);
  return <PasswordInput {...props} visibilityToggleButtonProps={{ "aria-label": words.show }} />;
}
