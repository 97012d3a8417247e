// Completes package-lock.json after a change of packages, so that `npm ci` takes it: packages for other machines that the
// registry at hand did not have get their entry, and no address of a registry stands in it.
//   npm run lock

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];

/** What is missing of a lock file, by the name of its entry: optional packages of which npm found no version. */
export function missingFrom(lock) {
  const missing = {};
  for (const [place, { optionalDependencies = {}, ...holder }] of Object.entries(lock.packages)) {
    if (place === "") continue;
    for (const [name, version] of Object.entries(optionalDependencies))
      if (!isThere(lock, place, name)) missing[`node_modules/${name}`] = entryOf(name, version, holder);
  }
  return missing;
}

/** Found as Node finds it: beside the one that asks for it, or further up. */
function isThere(lock, place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (lock.packages[at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true;
    if (at === "") return false;
  }
}

/** Its name says for which machine it is: nobody else ever fetches it. */
function entryOf(name, version, { dev }) {
  const words = name.split("/").at(-1).split("-");
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = os && words[words.indexOf(os) + 1];
  if (!os || !/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`${name} ${version} is missing, and nobody can tell for which machine it would be`);
  const libc = os === "linux" && /musl/.test(name) ? { libc: ["musl"] } : {};
  return { version, cpu: [cpu], ...(dev && { dev }), ...libc, optional: true, os: [os] };
}

export function completed(lock) {
  const [ours, ...others] = Object.entries({ ...lock.packages, ...missingFrom(lock) });
  const sorted = others.sort(([one], [other]) => (one < other ? -1 : 1));
  const packages = Object.fromEntries([ours, ...sorted].map(([place, { resolved: _, ...entry }]) => [place, entry]));
  return { ...lock, packages };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = Object.keys(missingFrom(lock));
  writeFileSync(file, `${JSON.stringify(completed(lock), null, 2)}\n`);
  console.log(missing.length === 0 ? "nothing was missing" : `added: ${missing.join(", ")}`);
}
