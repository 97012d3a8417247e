// Settings of how strict the doors are.

import { hostname } from "node:os";
import { parts, type Setting, wholeNumber } from "./config-addresses.ts";
import type { HostNames } from "./http/door/hosts.ts";

export type DoorsConfig = {
  httpHosts: HostNames;
  sipDigests: "any" | "sha-256";
  shownWithinKb: number;
};

const DIGESTS = ["any", "sha-256"] as const;

const NAME = /^(?:\*\.)?[a-z0-9_](?:[\w-]*\w)?(?:\.[a-z0-9_](?:[\w-]*\w)?)*$/i;

export const doorsSettings: { [Name in keyof DoorsConfig]: Setting<DoorsConfig[Name]> } = {
  httpHosts: {
    variable: "SANTRAL_HTTP_HOSTS",
    means:
      "names that HTTP is asked by beside addresses, the machine's and that of SANTRAL_PUBLIC_URL: names, *.example.com, or any",
    byDefault: "",
    read: (text) => {
      if (text === "any") return text;
      const names = parts(text);
      if (!names.every((name) => NAME.test(name))) return { unreadable: "host names, *.example.com, or any" };
      return [...names, hostname(), `${hostname()}.local`];
    },
  },
  shownWithinKb: {
    variable: "SANTRAL_SHOWN_WITHIN_KB",
    means:
      "how far into a body its key, or user name and password, are looked for where the query has none, in KiB: whoever has shown neither by then is refused",
    byDefault: "256",
    read: (text) => wholeNumber(text, { least: 1, most: 65_536 }),
  },
  sipDigests: {
    variable: "SANTRAL_SIP_DIGESTS",
    means: "by which digests phones log in: any (SHA-256 first, MD5 for those that know no other), or sha-256 alone",
    byDefault: "any",
    read: (text) => DIGESTS.find((it) => it === text) ?? { unreadable: "any or sha-256" },
  },
};
