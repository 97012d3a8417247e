// The order of names in a list of which only a part is read: that of its reader's language, Ç after C and ı before i.

import type { Language } from "../languages.ts";
import { quoted, type Sql, sql } from "./sql.ts";

export function inOrder(column: Sql, language: Language): Sql {
  return sql`${column} collate ${quoted(`reader_${language}`)}`;
}
