// A window over the page, whose cross says what it does in the language of the page.

import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";

export function Dialog({
  close,
  ...shown
}: {
  opened: boolean;
  title: ReactNode;
  size?: "md" | "lg" | "xl";
  close(): void;
  children: ReactNode;
}) {
  const words = useWords(general);
  return <Modal {...shown} onClose={close} closeButtonProps={{ "aria-label": words.close }} />;
}
