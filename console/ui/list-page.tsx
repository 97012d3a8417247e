// A page about one kind of thing: the list, a form to make one, the same form to change one, and a way to delete it.

import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { Action } from "../ask/use-action.ts";
import type { Paging } from "../ask/use-paged.ts";
import { folded } from "../words/collation.ts";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { DeleteIcon, DoButton, DoIcon } from "./buttons.tsx";
import { type Aside, Editor } from "./editor.tsx";
import type { Draft, Field } from "./field.ts";
import { Icon, type IconName } from "./icon.tsx";
import { PageFrame, Surface } from "./page.tsx";
import { type Column, PagedRows, Rows, useRowButtons } from "./rows.tsx";
import { Asked } from "./states.tsx";
import { useFilters } from "./use-filters.ts";

/** `closed`: what comes when its form is gone. */
type Making = Action<[draft: Draft]> & { title: string; blank: Draft; closed?: () => void };

export type ListProps<Row> = {
  title: string;
  icon: IconName;
  empty: string;
  /** All at once, or in pages. */
  rows: UseQueryResult<Row[]> | Paging<Row>;
  columns: Column<Row>[];
  keyOf(row: Row): string | number;
  /** How a row is called in titles and questions. */
  nameOf(row: Row): string;
  fields: Record<string, Field>;
  make?: Making;
  change?: Action<[row: Row, changes: Draft, draft: Draft]> & { draftOf?: (row: Row) => Draft };
  drop?: Action<[row: Row]>;
  /** What stands at the foot of its forms; without a row in that of a new one. */
  aside?: (row?: Row) => Aside;
  /** Neither changed nor deleted here. */
  isFixed?: (row: Row) => boolean;
  /** Further buttons of a row. */
  more?: (row: Row) => ReactNode;
  /** Further buttons of the list. */
  actions?: ReactNode;
  /** What narrows the list. */
  filters?: ReactNode;
};

export function ListPage<Row extends object>(props: ListProps<Row> & { about?: string; children?: ReactNode }) {
  return (
    <PageFrame title={props.title} about={props.about} actions={actionsOf(props)}>
      <Surface>
        <List {...props} narrows />
      </Surface>
      {props.children}
    </PageFrame>
  );
}

/** The list under a heading of its own, for pages that show several. */
export function ListSurface<Row extends object>(props: ListProps<Row>) {
  return (
    <Surface title={props.title} actions={actionsOf(props)}>
      <List {...props} />
    </Surface>
  );
}

function actionsOf<Row>({
  make,
  fields,
  actions,
  aside,
}: Pick<ListProps<Row>, "make" | "fields" | "actions" | "aside">): ReactNode {
  if (!make) return actions;
  return (
    <>
      {actions}
      <MakeButton make={make} fields={fields} aside={aside?.()} />
    </>
  );
}

type MakeProps = { make: Making; fields: Record<string, Field>; aside?: Aside | undefined };

export function MakeButton({ make, fields, aside }: MakeProps) {
  const [isMaking, setMaking] = useState(false);
  const { title, does, blank, closed } = make;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it closes, and not when the page is drawn anew
  useEffect(() => {
    if (!isMaking) closed?.();
  }, [isMaking]);
  return (
    <>
      <DoButton does={does} act={() => setMaking(true)} aria-haspopup="dialog" leftSection={<Icon name="plus" />}>
        {title}
      </DoButton>
      {isMaking && (
        <Editor
          title={title}
          fields={whileMade(fields)}
          value={blank}
          action={make}
          close={() => setMaking(false)}
          aside={aside}
        />
      )}
    </>
  );
}

function List<Row extends object>(props: ListProps<Row> & { narrows?: true }) {
  const { title, icon, empty, rows, columns, keyOf, nameOf, fields, change, drop, more, filters, aside, isFixed } =
    props;
  const words = useWords(general);
  const [editing, edit] = useState<Row>();
  const buttons = useRowButtons<Row>((row) => (
    <>
      {more?.(row)}
      {change && !isFixed?.(row) && (
        <DoIcon does={change.does} act={() => edit(row)} icon="edit" label={`${words.edit}: ${nameOf(row)}`} />
      )}
      {drop && !isFixed?.(row) && <DeleteIcon does={drop.does} what={nameOf(row)} act={() => drop.act(row)} />}
    </>
  ));
  const list = {
    label: title,
    keyOf,
    empty: { icon, says: empty },
    columns: change || drop || more ? [...columns, buttons] : columns,
  };
  return (
    <>
      {filters}
      {"turn" in rows ? (
        <PagedRows pages={rows} {...list} />
      ) : (
        <Asked query={rows}>{(all) => <Narrowed rows={all} list={list} narrows={props.narrows ?? false} />}</Asked>
      )}
      {editing && change && (
        <Editor
          key={keyOf(editing)}
          title={nameOf(editing)}
          fields={whileChanged(fields)}
          value={change.draftOf?.(editing) ?? (editing as Draft)}
          action={{ ...change, act: (draft, changes) => change.act(editing, changes, draft) }}
          close={() => edit(undefined)}
          aside={aside?.(editing)}
        />
      )}
    </>
  );
}

function whileMade(fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, fixed: false }]));
}

/** What can only be said when a thing is made is left out when it is changed. */
export function whileChanged(fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).filter(([, { fixed }]) => !fixed));
}

type NarrowedProps<Row> = { rows: Row[]; list: Omit<Parameters<typeof Rows<Row>>[0], "rows">; narrows: boolean };

/** Whoever comes from a search sees what was found, with a button that shows the others. */
function Narrowed<Row extends object>({ rows, list, narrows }: NarrowedProps<Row>) {
  const words = useWords(general);
  const [query, change] = useFilters();
  const about = narrows ? (query.get("about") ?? "") : "";
  if (about === "") return <Rows rows={rows} {...list} />;
  const fits = (row: Row) =>
    Object.values(row).some((value) => typeof value === "string" && folded(value).includes(folded(about)));
  return (
    <>
      <Button m="md" size="compact-sm" variant="light" onClick={() => change("about", null)}>
        {words.showAll(about)}
      </Button>
      <Rows rows={rows.filter(fits)} {...list} />
    </>
  );
}
