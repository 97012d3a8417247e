// Entry of every thread of the embedded engine: media threads and the one that writes to disk.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { ThreadSettings } from "./commands.ts";
import { Disk, type FromDisk, type ToDisk } from "./disk.ts";
import { runMediaThread } from "./media-thread.ts";

type Start = { role: "disk" } | (ThreadSettings & { disk: MessagePort });

const start = workerData as Start; // only openEmbeddedEngine starts this file
const main = parentPort;
if (!main) throw new Error("this file is started as a thread");

if (start.role === "disk") {
  const disk = new Disk((message: FromDisk) => main.postMessage(message));
  main.on("message", (message: ToDisk) => disk.take(message));
} else {
  runMediaThread(start, main, start.disk);
}
