// The settings of the database: where it is, as whom it is asked, and how long it may take.

import { resolve } from "node:path";
import { databaseAddress, type Setting, wholeNumber } from "./config-addresses.ts";
import { yesOrNo } from "./config-words.ts";

export type DatabaseConfig = {
  databaseUrl: string | undefined;
  databaseOwnerUrl: string | undefined;
  databaseTenantUrl: string | undefined;
  tenantWalls: boolean;
  databaseSeconds: number;
  requestSeconds: number;
  secretKeys: string | undefined;
};

export const databaseSettings: { [Name in keyof DatabaseConfig]: Setting<DatabaseConfig[Name]> } = {
  databaseUrl: {
    variable: "DATABASE_URL",
    means: "a PostgreSQL server (15 or later) instead of the embedded one; of several hosts the one that takes writes",
    byDefault: "",
    read: databaseAddress,
  },
  databaseOwnerUrl: {
    variable: "SANTRAL_DATABASE_OWNER_URL",
    means: "the same database by the role that owns the schema, for migrations and restore; DATABASE_URL by default",
    byDefault: "",
    read: databaseAddress,
  },
  databaseTenantUrl: {
    variable: "SANTRAL_DATABASE_TENANT_URL",
    means: "the same database by the role for tenants' requests, to which only one exchange's rows exist",
    byDefault: "",
    read: databaseAddress,
  },
  tenantWalls: {
    variable: "SANTRAL_TENANT_WALLS",
    means: "tenants' requests run under a database role of their own, which costs about a tenth a statement",
    byDefault: "true",
    read: yesOrNo,
  },
  databaseSeconds: {
    variable: "SANTRAL_DATABASE_SECONDS",
    means: "how long a statement of background work may take before it is given up and tried again; 0: for ever",
    byDefault: "30",
    read: (text) => wholeNumber(text, { least: 0, most: 3_600 }),
  },
  requestSeconds: {
    variable: "SANTRAL_REQUEST_SECONDS",
    means: "how long a request may take before it is answered 503; nothing of it begins after that",
    byDefault: "20",
    read: (text) => wholeNumber(text, { least: 1, most: 3_600 }),
  },
  secretKeys: {
    variable: "SANTRAL_SECRET_KEYS",
    means: "file of the keys that secrets in the database are sealed with; by default secret.keys in the data folder",
    byDefault: "",
    read: (text) => (text === "" ? undefined : resolve(text)),
  },
};
