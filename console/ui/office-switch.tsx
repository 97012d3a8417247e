// The day and night switch: says whether the office is open, and opens or closes it by hand.

import { Button, Menu } from "@mantine/core";
import { officeSwitch, type OfficeSwitch as Position } from "../../src/nouns/choices.ts";
import { useWhyNot } from "../ask/session.tsx";
import { useAsk, useDo } from "../ask/use-ask.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { Icon } from "./icon.tsx";
import { officeTexts } from "./texts.ts";

const LOOK_AGAIN_MS = 30_000;
const positions = Object.keys(officeSwitch) as Position[];

export function OfficeSwitch() {
  const words = useWords(officeTexts);
  const { language } = useLanguage();
  const { saved } = useWords(general);
  const maySee = useWhyNot("office.show") === undefined;
  const whyNot = useWhyNot("office.switch");
  const turn = useDo("office.switch", saved);
  const { data } = useAsk("office.show", maySee ? {} : undefined, { refetchMs: LOOK_AGAIN_MS });
  if (!data) return null;
  const { switch: now, isOpenByHours } = data;
  const isOpen = now === "hours" ? isOpenByHours : now === "open";
  const color = now === "hours" ? "gray" : isOpen ? "teal.9" : "orange.9";
  return (
    <Menu position="bottom-end" width={260} disabled={whyNot !== undefined}>
      <Menu.Target>
        <Button
          variant="light"
          color={color}
          leftSection={<Icon name={isOpen ? "sun" : "moon"} />}
          loading={turn.isBusy}
          title={whyNot}
          aria-disabled={whyNot !== undefined}
          data-disabled={whyNot ? true : undefined}
        >
          {isOpen ? words.open : words.closed}
          {now === "hours" ? "" : ` · ${words.byHand}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.about}</Menu.Label>
        {positions.map((to) => (
          <Menu.Item
            key={to}
            onClick={() => void turn({ to })}
            leftSection={<Icon name={to === "closed" ? "moon" : to === "open" ? "sun" : "clock"} />}
            disabled={to === now}
          >
            {officeSwitch[to][language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
