// What the bucket is owed, and how it goes with it, for who watches over it. Nothing where there is none.

import { Counter, Gauge, type Registry } from "prom-client";
import type { BucketObjects, FilesView } from "../objects/bucket-objects.ts";

export function countFiles(registry: Registry, inBucket: Pick<BucketObjects, "view"> | undefined): void {
  if (!inBucket) return;
  const { view } = inBucket;
  gauge("santral_files_owed", "Files that are still to be put into the bucket, or deleted there", (it) => it.owed);
  gauge("santral_files_owed_bytes", "How large those are that are still to be put", (it) => it.owedBytes);
  gauge("santral_files_owed_seconds", "How long the oldest of them has waited", (it) => it.oldestSeconds);
  gauge("santral_files_cache_bytes", "What lies here of files that are in the bucket", (it) => it.cache.bytes);
  gauge(
    "santral_files_unconfirmed",
    "Files that lie here and that the bucket does not have",
    (it) => it.cache.unconfirmed,
  );
  gauge("santral_files_away", "1 while the bucket takes no files", (it) => (it.trouble ? 1 : 0));
  counter("santral_files_uploads_total", "Files put into the bucket since the start", (it) => it.uploads);
  counter("santral_files_deletes_total", "Files deleted in the bucket since the start", (it) => it.deletes);
  counter("santral_files_fetches_total", "Files brought from the bucket since the start", (it) => it.fetches);
  const failures = new Counter({
    name: "santral_files_failures_total",
    help: "What the bucket has failed at, by what was the matter, since the start",
    labelNames: ["trouble"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [trouble, count] of Object.entries(view().failures)) failures.inc({ trouble }, count);
    },
  });

  function gauge(name: string, help: string, read: (view: FilesView) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(view()));
      },
    });
  }

  function counter(name: string, help: string, read: (view: FilesView) => number): void {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read(view()));
      },
    });
  }
}
