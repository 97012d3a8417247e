// A button that fetches a table as a file.

import { Button } from "@mantine/core";
import { useHas } from "../ask/session.tsx";
import { Icon } from "./icon.tsx";

/** Not shown to who may not carry tables away. */
export function Download({ file, wanted, label }: { file: string; wanted: object; label: string }) {
  const isAllowed = useHas("exports");
  const query = new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]));
  if (!isAllowed) return null;
  return (
    <Button
      component="a"
      href={`/console/${file}?${query}`}
      download
      variant="light"
      leftSection={<Icon name="download" />}
    >
      {label}
    </Button>
  );
}
