// Entry of a thread that reads what strangers bring.

import { parentPort } from "node:worker_threads";
import { readDavAnswer } from "../contacts/dav-answer.ts";
import { readContactFile } from "../contacts/file-apart.ts";
import { readLongJson } from "../http/console/long-json.ts";
import { readLongBody } from "../http/parameters/long-body.ts";
import { readTable } from "../imports/table-apart.ts";
import { serveReading } from "../readers/thread-side.ts";

const main = parentPort;
if (!main) throw new Error("this file is started as a thread");
serveReading(main, [readTable, readContactFile, readDavAnswer, readLongBody, readLongJson]);
