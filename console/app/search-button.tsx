// The way to the search: a button in the bar, and Ctrl+K from wherever one is. What it opens is fetched then.

import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { useWords } from "../words/language.tsx";
import { searchTexts } from "./texts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search-dialog.tsx")).SearchDialog }));

export function SearchButton() {
  const words = useWords(searchTexts);
  const [isOpen, setOpen] = useState(false);
  useHotkeys([["mod+K", () => setOpen(true)]], []);
  const open = { onClick: () => setOpen(true), "aria-haspopup": "dialog", "aria-keyshortcuts": "Control+K" } as const;
  return (
    <>
      <ActionIcon {...open} size="lg" variant="subtle" color="gray" aria-label={words.title} hiddenFrom="md">
        <Icon name="search" />
      </ActionIcon>
      <UnstyledButton {...open} className="search-button" visibleFrom="md">
        <Icon name="search" size={16} />
        <span>{words.title}</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <SearchDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
