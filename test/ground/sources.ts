// The files of src and console with what each imports and exports, for tests of the architecture.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Import = { from: string; names: readonly string[] };
export type Source = { path: string; text: string; imports: readonly Import[]; later: readonly Import[] };

const CLAUSE = /^(?:import|export)\s+(?:type\s+)?([^;"]*?)\s*from\s+"(\.[^"]+)"/gm;

/** What is loaded when it is needed: `const { start } = await import("./start.ts")`, `(await import("./x.tsx")).X`. */
const LATER = /(?:const \{ ([^}]*) \} = \(?await )?import\("(\.[^"]+)"\)(?:\.then\(\(\{ ([^}]*) \}\)|\)?\.(\w+))?/g;

/** Types count: who imports a type must know the file it stands in. */
export function readSources(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path) && !/\.d\.ts$|node_modules/.test(path))
      .map((name) => {
        const path = join(folder, name);
        const text = readFileSync(path, "utf8");
        const at = (from: string) => join(dirname(path), from);
        const imports = [...text.matchAll(CLAUSE)].map(([, names = "", from = ""]) => ({
          from: at(from),
          names: namesIn(names),
        }));
        const later = [...text.matchAll(LATER)].map(([, taken, from = "", then, member]) => ({
          from: at(from),
          names: namesIn(taken ?? then ?? member ?? "*"),
        }));
        return { path, text, imports, later };
      }),
  );
}

export const isTest = ({ path }: { path: string }): boolean => /\.test\.tsx?$/.test(path);

/** `a, type B as C` as `a` and `B`; everything a file exports as `*`. */
function namesIn(clause: string): string[] {
  if (clause.startsWith("*")) return ["*"];
  return clause
    .replace(/[{}]/g, " ")
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s.*$/s, ""),
    )
    .filter((name) => name !== "");
}
