// A list as a table; on a phone each row becomes a card whose cells say what they are.

import { Group, Pagination, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Paging } from "../ask/use-paged.ts";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import type { IconName } from "./icon.tsx";
import { Scroller } from "./scroller.tsx";
import { Asked, Empty } from "./states.tsx";

export type Column<Row> = {
  title: string;
  show(row: Row): ReactNode;
  /** Numbers stand at the right. */
  end?: boolean;
  /** Stands at the edge of the screen, however wide the table is: nobody has to look for what a row can do. */
  stays?: boolean;
};

export function Rows<Row>({
  label,
  columns,
  rows,
  keyOf,
  open,
  empty,
}: {
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** What a click on the row does; a button in the row does the same for the keyboard. */
  open?: (row: Row) => void;
  empty: { icon: IconName; says?: string; children?: ReactNode };
}) {
  if (rows.length === 0) return <Empty {...empty} />;
  return (
    <Scroller className="rows" label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={open ? "opens" : undefined}
              onClick={open && ((event) => onRow(event, () => open(row)))}
            >
              {columns.map((column) => (
                <td key={column.title} data-label={column.title} className={classOf(column)}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function classOf<Row>({ end, stays }: Column<Row>): string | undefined {
  return end || stays ? [end && "end", stays && "stays"].filter((name) => name).join(" ") : undefined;
}

/** The last column of a list whose rows can do something. */
export function useRowButtons<Row>(buttons: (row: Row) => ReactNode): Column<Row> {
  const { actions } = useWords(general);
  return {
    title: actions,
    end: true,
    stays: true,
    show: (row) => (
      <Group gap={2} justify="flex-end" wrap="nowrap">
        {buttons(row)}
      </Group>
    ),
  };
}

/**
 * A click on a button or link inside the row means that, and not the row. One in a window that a button of the row has
 * opened comes by here as well, although it lies elsewhere on the page.
 */
function onRow({ target, currentTarget }: React.MouseEvent, open: () => void): void {
  const isInside = target instanceof Element && currentTarget.contains(target);
  if (isInside && !target.closest("button, a, input, label, audio")) open();
}

type RowsProps<Row> = Parameters<typeof Rows<Row>>[0];

/** A list that comes in pages, as `usePaged` asks for it. */
export function PagedRows<Row>({ pages, ...list }: Omit<RowsProps<Row>, "rows"> & { pages: Paging<Row> }) {
  const { query, page, limit, turn } = pages;
  return (
    <Asked query={query}>
      {({ rows, total, more }) => (
        <>
          <Rows {...list} rows={rows} />
          <Pages total={total} more={more} page={page} limit={limit} turn={turn} />
        </>
      )}
    </Asked>
  );
}

type Shown = Omit<Paging<never>, "query"> & { total: number; more: true | undefined };

function Pages({ total, more, page, limit, turn }: Shown) {
  const words = useWords(general);
  const last = Math.max(1, Math.ceil(total / limit));
  return (
    <Group justify="space-between" px="md" py="sm">
      <Text size="sm" c="dimmed">
        {more ? words.moreRows(total) : words.rows(total)}
      </Text>
      {last > 1 && (
        <Pagination
          total={last}
          value={page}
          onChange={turn}
          size="sm"
          siblings={1}
          getItemProps={(number) => ({ "aria-label": `${words.page} ${number}` })}
          getControlProps={(control) => ({ "aria-label": `${words.page}: ${control}` })}
        />
      )}
    </Group>
  );
}
