// A button that fetches a table as a file.

import { Button } from "@mantine/core";
import { Icon } from "./icon.tsx";

export function Download({ file, wanted, label }: { file: string; wanted: object; label: string }) {
  const query = new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]));
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
