// A page of several tabs; the open one stands in the address, and the first one needs no word there.

import { Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { useSearchParams } from "wouter";

export type Tab = { name: string; label: string; show: ComponentType };

export function PageTabs({ tabs }: { tabs: readonly [Tab, ...Tab[]] }) {
  const [query, setQuery] = useSearchParams();
  const first = tabs[0].name;
  return (
    <Tabs
      value={query.get("tab") ?? first}
      onChange={(tab) => setQuery(tab && tab !== first ? { tab } : {})}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, show: Show }) => (
        <Tabs.Panel key={name} value={name}>
          <Show />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
