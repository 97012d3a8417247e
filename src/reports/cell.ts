// What stands in a cell of a table. Programs, which name no language, get it as it is; people as theirs writes it.

import type { Language } from "../languages.ts";

/** A moment or a day by the exchange's own clock: `2026-11-18 23:30:00`, `2026-11-18`. */
export type Wall = { wall: string };

/** A code, or figures within a text, that people read in words. */
export type Said = { plain: string; said: (language: Language) => string };

/** What a file can hold. */
export type WrittenCell = string | number | Wall;

export type Cell = WrittenCell | Said;

export const isDayAlone = ({ wall }: Wall): boolean => wall.length === "2026-11-18".length;

export function writtenCell(cell: Cell, language: Language | undefined): WrittenCell {
  if (typeof cell !== "object") return cell;
  if ("said" in cell) return language === undefined ? cell.plain : cell.said(language);
  return language === undefined ? cell.wall : cell;
}
