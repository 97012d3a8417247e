// A form that comes in from the side. What says `Unsaved` inside it is asked about before it goes.

import { Button, Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { EnclosureProvider, useClose, useEnclosure } from "./unsaved.ts";

type Props = { title: ReactNode; size?: "md" | "lg"; close(): void; children: ReactNode };

export function FormDrawer({ title, size = "md", close: done, children }: Props) {
  const words = useWords(general);
  const { isAsked, ...enclosure } = useEnclosure(done);
  return (
    <Drawer
      opened
      onClose={enclosure.close}
      closeOnEscape={!isAsked}
      title={title}
      position="right"
      size={size}
      closeButtonProps={{ "aria-label": words.close }}
      styles={{ title: { fontWeight: 650, fontSize: 18 } }}
    >
      <EnclosureProvider value={enclosure}>{children}</EnclosureProvider>
    </Drawer>
  );
}

/** Does what the cross of the window around it does. */
export function CancelButton() {
  const { cancel } = useWords(general);
  return (
    <Button variant="default" onClick={useClose()}>
      {cancel}
    </Button>
  );
}
