// A page about one kind of thing: the list, a form to make one, the same form to change one, and a way to delete it.

import { Group } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { OperationName } from "../ask/ask.ts";
import { useWords } from "../words/language.tsx";
import { general } from "../words/nouns.ts";
import { DeleteIcon, DoButton, DoIcon } from "./buttons.tsx";
import { type Draft, Editor, type Field } from "./editor.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { PageFrame, Surface } from "./page.tsx";
import { type Column, Rows } from "./rows.tsx";
import { Asked } from "./states.tsx";

export type ListPageProps<Row> = {
  title: string;
  about?: string;
  icon: IconName;
  empty: string;
  query: UseQueryResult<Row[]>;
  columns: Column<Row>[];
  keyOf(row: Row): string | number;
  /** How a row is called in titles and questions. */
  nameOf(row: Row): string;
  fields: Record<string, Field>;
  /** Each with the operation that decides who may. `act` answers undefined when it was refused. */
  make?: { does: OperationName; title: string; blank: Draft; act(draft: Draft): Promise<unknown>; isBusy: boolean };
  change?: {
    does: OperationName;
    act(row: Row, changes: Draft, draft: Draft): Promise<unknown>;
    isBusy: boolean;
    draftOf?: (row: Row) => Draft;
  };
  drop?: { does: OperationName; act(row: Row): Promise<unknown> };
  /** Further buttons of a row. */
  more?: (row: Row) => ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
};

export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const { title, about, make, actions, children } = props;
  return (
    <PageFrame title={title} about={about} actions={make || actions ? <PageActions {...props} /> : undefined}>
      <ListSurface {...props} />
      {children}
    </PageFrame>
  );
}

function PageActions<Row extends object>({ make, fields, actions }: ListPageProps<Row>) {
  return (
    <>
      {actions}
      {make && <MakeButton make={make} fields={fields} />}
    </>
  );
}

export function MakeButton({
  make: { does, title, blank, act, isBusy },
  fields,
}: {
  make: NonNullable<ListPageProps<never>["make"]>;
  fields: Record<string, Field>;
}) {
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <DoButton does={does} act={() => setMaking(true)} aria-haspopup="dialog" leftSection={<Icon name="plus" />}>
        {title}
      </DoButton>
      {isMaking && (
        <Editor
          {...{ title, does, isBusy }}
          fields={whileMade(fields)}
          value={blank}
          close={() => setMaking(false)}
          save={(draft) => void act(draft).then((made) => made !== undefined && setMaking(false))}
        />
      )}
    </>
  );
}

/** The list alone, for pages that show several. */
export function ListSurface<Row extends object>(props: ListPageProps<Row> & { heading?: string }) {
  const { query, columns, keyOf, nameOf, fields, change, drop, more, icon, empty, title, heading, actions } = props;
  const words = useWords(general);
  const [editing, edit] = useState<Row>();
  const buttons: Column<Row> = {
    title: words.actions,
    end: true,
    show: (row) => (
      <Group gap={2} justify="flex-end" wrap="nowrap">
        {more?.(row)}
        {change && (
          <DoIcon does={change.does} act={() => edit(row)} icon="edit" label={`${words.edit}: ${nameOf(row)}`} />
        )}
        {drop && <DeleteIcon does={drop.does} what={nameOf(row)} act={() => drop.act(row)} />}
      </Group>
    ),
  };
  const shown = change || drop || more ? [...columns, buttons] : columns;
  return (
    <Surface title={heading} actions={heading ? actions : undefined}>
      <Asked query={query}>
        {(rows) => (
          <Rows label={heading ?? title} columns={shown} rows={rows} keyOf={keyOf} empty={{ icon, says: empty }} />
        )}
      </Asked>
      {editing && change && (
        <Editor
          key={keyOf(editing)}
          title={nameOf(editing)}
          fields={fixedOnes(fields)}
          value={change.draftOf?.(editing) ?? (editing as Draft)}
          does={change.does}
          isBusy={change.isBusy}
          close={() => edit(undefined)}
          save={(draft, changes) =>
            void change.act(editing, changes, draft).then((done) => done !== undefined && edit(undefined))
          }
        />
      )}
    </Surface>
  );
}

function whileMade(fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, fixed: false }]));
}

/** What can only be said when a thing is made is left out when it is changed. */
function fixedOnes(fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).filter(([, { fixed }]) => !fixed));
}
