// A window over the page, whose cross says what it does in the language of the page, and asks before something is lost.

import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { EnclosureProvider, useEnclosure } from "./unsaved.ts";

export function Dialog({
  close: done,
  children,
  ...shown
}: {
  opened: boolean;
  title: ReactNode;
  size?: "md" | "lg" | "xl";
  close(): void;
  children: ReactNode;
}) {
  const words = useWords(general);
  const { isAsked, ...enclosure } = useEnclosure(done);
  return (
    <Modal
      {...shown}
      onClose={enclosure.close}
      closeOnEscape={!isAsked}
      closeButtonProps={{ "aria-label": words.close }}
    >
      <EnclosureProvider value={enclosure}>{children}</EnclosureProvider>
    </Modal>
  );
}
