// The way from the book to the importer.

import { Button } from "@mantine/core";
import { Link } from "wouter";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function ImportButton() {
  const words = useWords(texts);
  return (
    <Button component={Link} href="/imports?kind=contacts" variant="light" leftSection={<Icon name="upload" />}>
      {words.import}
    </Button>
  );
}
