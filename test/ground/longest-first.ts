// The order of test files: those that take longest begin, so that none of them is alone at the end while the other workers
// have nothing to do. First those with programs and phones, which mostly wait; the many small ones fill up what is left.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Over half a minute in a whole run on two cores, the longest first. The rest goes by size. */
export const LONG = [
  "test/wire/console.test.ts",
  "test/wire/webphone.test.ts",
  "test/wire/secrets.test.ts",
  "test/wire/durability.test.ts",
  "test/wire/resume.test.ts",
  "test/wire/nodes.test.ts",
  "test/wire/webrtc.test.ts",
  "test/wire/crash-journal.test.ts",
  "test/wire/webphone-network.test.ts",
  "test/wire/resume-lines.test.ts",
  "test/wire/calls-media.test.ts",
  "test/chaos/chaos.test.ts",
  "test/wire/handover.test.ts",
  "test/wire/calls-trunk.test.ts",
  "test/wire/files.test.ts",
  "test/wire/first-run.test.ts",
  "test/wire/fax-orders.test.ts",
  "test/wire/identity.test.ts",
  "test/wire/command-line.test.ts",
  "test/wire/curl.test.ts",
  "test/wire/database-away.test.ts",
  "test/wire/fax-exchanges.test.ts",
  "test/wire/database-url.test.ts",
  "test/wire/nodes-calls.test.ts",
  "test/wire/nodes-doors.test.ts",
  "test/wire/archive.test.ts",
  "test/media/resume.test.ts",
  "test/wire/console-phone.test.ts",
  "test/wire/outlive.test.ts",
  "test/wire/calls-crash.test.ts",
  "test/wire/led-calls.test.ts",
  "test/wire/sms-kill.test.ts",
  "test/wire/nodes-page.test.ts",
  "test/wire/carriers.test.ts",
  "test/wire/edge-nodes.test.ts",
  "test/wire/whole-way.test.ts",
  "test/wire/sign-on.test.ts",
  "test/wire/campaign-kill.test.ts",
  "test/wire/nodes-drain.test.ts",
  "test/wire/fax-tone.test.ts",
  "test/hostile/console-tenants.test.ts",
  "test/console/languages.test.ts",
  "src/http/console/roles.test.ts",
  "test/hostile/store-tenants.test.ts",
  "src/store/sealing.test.ts",
  "src/media/documents/documents.test.ts",
  "src/backup/busy-backup.test.ts",
  "src/backup/keys.test.ts",
  "src/store/db-faults.test.ts",
  "test/hostile/console-keys.test.ts",
  "test/hostile/api-tenants.test.ts",
  "src/server/hold-database.test.ts",
  "src/jobs/workers.test.ts",
  "test/sip/sip-fuzz.test.ts",
  "test/calls/long-campaign.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const places = new Map(LONG.map((file, place) => [file, place]));
    const rank = ({ moduleId, project }: TestSpecification) => {
      const file = moduleId.slice(project.config.root.length + 1);
      return places.get(file) ?? LONG.length;
    };
    const isWhole = ({ project }: TestSpecification) => project.name === "whole";
    // Files of one project stand together: only then is a worker kept for the next of them.
    return bySize.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)) || rank(one) - rank(other));
  }
}
