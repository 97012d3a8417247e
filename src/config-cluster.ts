// The settings of a server that shares its database with others: whether it does, and how they reach one another.

import { hostname } from "node:os";
import { publicUrl, type Setting } from "./config-addresses.ts";
import { yesOrNo } from "./config-words.ts";

export type ClusterConfig = {
  cluster: boolean;
  nodeName: string;
  nodeUrl: string | undefined;
  nodeSecret: NodeSecret | undefined;
  operators: number | undefined;
};

/** Shown as that there is one, never as what it is. */
export type NodeSecret = { said: string; secret(): string };

const SHORTEST_SECRET = 32;

export const clusterSettings: { [Name in keyof ClusterConfig]: Setting<ClusterConfig[Name]> } = {
  cluster: {
    variable: "SANTRAL_CLUSTER",
    means: "share the database of DATABASE_URL with other servers: each exchange lives on one of them",
    byDefault: "false",
    read: yesOrNo,
  },
  nodeName: {
    variable: "SANTRAL_NODE",
    means: "this server's name among those; by default the machine's",
    byDefault: "",
    read: (text) => {
      const name = text === "" ? hostname() : text;
      return /^[\w.-]{1,63}$/.test(name) ? name : { unreadable: "up to 63 letters, digits, dots and dashes" };
    },
  },
  nodeUrl: {
    variable: "SANTRAL_NODE_URL",
    means: "where the other servers reach this one's HTTP interface; by default SANTRAL_HTTP",
    byDefault: "",
    read: publicUrl,
  },
  nodeSecret: {
    variable: "SANTRAL_NODE_SECRET",
    means: "the secret that they all know and nobody else, at least 32 characters",
    byDefault: "",
    read: (text) => {
      if (text === "") return undefined;
      if (text.length < SHORTEST_SECRET) return { unreadable: `at least ${SHORTEST_SECRET} characters long` };
      return { said: "set", secret: () => text };
    },
  },
  operators: {
    variable: "SANTRAL_OPERATORS",
    means:
      "the number of the exchange whose administrators run these servers, and see them in the console; nobody's otherwise",
    byDefault: "",
    read: (text) => {
      if (text === "") return undefined;
      return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : { unreadable: "the number of an exchange" };
    },
  },
};

type Roles = { databaseUrl: string | undefined; databaseTenantUrl: string | undefined; tenantWalls: boolean };

/** What one setting wants of others. */
export function clusterProblems(config: Partial<ClusterConfig & Roles>): string[] {
  if (!config.cluster) return [];
  return [
    ...(config.databaseUrl
      ? []
      : ["SANTRAL_CLUSTER needs DATABASE_URL: the embedded database is one server's own and cannot be shared"]),
    ...(config.databaseTenantUrl && config.tenantWalls
      ? []
      : ["SANTRAL_CLUSTER needs SANTRAL_DATABASE_TENANT_URL, and SANTRAL_TENANT_WALLS left on"]),
    ...(config.nodeSecret ? [] : ["SANTRAL_CLUSTER needs SANTRAL_NODE_SECRET, the same on every server"]),
  ];
}

/** A name that outlives a container finds what its former self left behind; one that is alone needs no other. */
export function nodeNameOf({ cluster, nodeName }: Pick<ClusterConfig, "cluster" | "nodeName">): string {
  return cluster ? nodeName : "main";
}
