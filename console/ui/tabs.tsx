// A page of several tabs; the open one stands in the address, and the first one needs no word there. Those one may not
// open are not there, and say why not to whoever comes by their address.

import { Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { useSearchParams } from "wouter";
import type { OperationName } from "../ask/ask.ts";
import { useSession } from "../ask/session.tsx";
import { NotYours } from "./not-yours.tsx";

/** `needs`: what it asks for first. */
export type Tab = { name: string; label: string; needs: OperationName; show: ComponentType };

export function PageTabs({ tabs }: { tabs: readonly [Tab, ...Tab[]] }) {
  const [query, setQuery] = useSearchParams();
  const { may } = useSession();
  const first = tabs[0].name;
  const open = tabs.filter(({ needs }) => may.includes(needs));
  const wanted = query.get("tab") ?? first;
  const closed = tabs.find(({ name, needs }) => name === wanted && !may.includes(needs));
  return (
    <Tabs value={wanted} onChange={(tab) => setQuery(tab && tab !== first ? { tab } : {})} keepMounted={false}>
      {open.length + (closed ? 1 : 0) > 1 && (
        <Tabs.List mb="md">
          {open.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} data-tab={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      )}
      {open.map(({ name, show: Show }) => (
        <Tabs.Panel key={name} value={name}>
          <Show />
        </Tabs.Panel>
      ))}
      {closed && <NotYours needs={closed.needs} level={2} />}
    </Tabs>
  );
}
