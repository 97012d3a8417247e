// What an event says, as its receiver reads it: a field a line.

import { Code } from "@mantine/core";

export function FormLines({ body, mt }: { body: string; mt?: "xs" }) {
  return (
    <Code block mt={mt}>
      {decodeURIComponent(body.replaceAll("&", "\n").replaceAll("+", " "))}
    </Code>
  );
}
