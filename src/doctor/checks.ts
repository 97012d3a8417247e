// What the doctor looks at, in this order. A new check is one more line.

import { arrears } from "./arrears.ts";
import { confinement } from "./confinement.ts";
import { database } from "./database.ts";
import { files } from "./files.ts";
import type { Check } from "./finding.ts";
import { limits } from "./limits.ts";
import {
  clockAndZones,
  dataFolder,
  disk,
  fileDescriptors,
  libraries,
  node,
  processor,
  programs,
  voices,
} from "./machine.ts";
import { ports, publicAddress } from "./network.ts";
import { nodes } from "./nodes.ts";
import { readiness } from "./readiness.ts";
import { recordings } from "./recordings.ts";
import { signalling } from "./signalling.ts";
import { turns } from "./turns.ts";
import { user } from "./user.ts";

export const checks: readonly Check[] = [
  node,
  processor,
  disk,
  user,
  dataFolder,
  readiness,
  turns,
  database,
  nodes,
  arrears,
  files,
  programs,
  confinement,
  libraries,
  voices,
  ports,
  publicAddress,
  signalling,
  limits,
  recordings,
  clockAndZones,
  fileDescriptors,
];
