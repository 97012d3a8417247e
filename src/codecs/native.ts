// Codecs that others wrote as C libraries, bound through koffi when first used. Native code is given checked lengths only.

import type { Needed } from "./shape.ts";

/** Something of a library's, which only the library looks into. */
export type Handle = { readonly opaque: unique symbol };

type Library = { func(signature: string): unknown };
type Koffi = { load(library: string): Library };

/** By name, once a thread; undefined for what is not there. */
const loaded = new Map<string, Library | undefined>();
/** Where Debian and its likes keep libraries, as far as nobody has to be asked. */
const FOLDERS = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];

/** Throws when it is missing: whoever opens a codec has asked `isInstalled` before. */
export function bind<Functions>(library: string, signatures: Record<keyof Functions & string, string>): Functions {
  const found = load(library);
  if (!found) throw new Error(`${library} is not installed`);
  const bound = Object.entries<string>(signatures).map(([name, signature]) => [name, found.func(signature)]);
  return Object.fromEntries(bound) as Functions; // built from the very keys of its type
}

export function isInstalled({ library, apart }: Needed): boolean {
  return apart ? pathOf(library) !== undefined : load(library) !== undefined;
}

/** The file of a library that must not be loaded here; undefined when there is none. */
function pathOf(library: string): string | undefined {
  const { existsSync, readdirSync } = process.getBuiltinModule("node:fs");
  const inside = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.includes("-linux-")) : [];
  const places = FOLDERS.flatMap((folder) => [folder, ...inside(folder).map((name) => `${folder}/${name}`)]);
  return places.map((place) => `${place}/${library}`).find((path) => existsSync(path));
}

function load(library: string): Library | undefined {
  if (!loaded.has(library)) loaded.set(library, tryToLoad(library));
  return loaded.get(library);
}

function tryToLoad(library: string): Library | undefined {
  // Asked for here and not imported: browsers read the records too.
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    return (createRequire(import.meta.url)("koffi") as Koffi).load(library);
  } catch {
    return undefined;
  }
}

/** By hand: a view on part of a packet would be garbage a moment later. */
// biome-ignore lint/complexity/useMaxParams: the hot loop works on plain arguments
export function copyBytes(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): void {
  for (let i = start; i < end; i++) into[at + i - start] = from[i]!;
}
