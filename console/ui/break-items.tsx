// The breaks of the exchange by name, in a menu: what is counted under no name tells nobody anything.

import { Menu } from "@mantine/core";
import { useWords } from "../words/language.tsx";
import { breakTexts } from "./texts.ts";

export function BreakItems({
  breaks,
  disabled,
  take,
}: {
  breaks: readonly string[];
  disabled?: boolean;
  take(name: string): void;
}) {
  const { other } = useWords(breakTexts);
  return [...breaks, other].map((name) => (
    <Menu.Item key={name} disabled={disabled === true} onClick={() => take(name)}>
      {name}
    </Menu.Item>
  ));
}
