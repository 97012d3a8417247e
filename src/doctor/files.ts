// Check of the bucket for files: it takes, gives and deletes one, nothing waits for it for long, and no file is missed.

import { isTrouble } from "../archive/archive.ts";
import { probe } from "../archive/probe.ts";
import { momentOf, since } from "../clock.ts";
import { lookAtOwed } from "../objects/owed.ts";
import { placesIn } from "../server/data-folder.ts";
import { bucketOf, isInTheOpen, placeBefore } from "../server/open-files.ts";
import { archiveTroubleInWords, probeInWords } from "../words/archive-troubles.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

/** A bucket that is well has everything within seconds. */
const LATE_SECONDS = 600;

export const files: Check = {
  name: "files",
  async run({ config, clock }) {
    const folder = placesIn(config.dataFolder).objects;
    const [before, owed] = [await placeBefore(folder), await lookAtOwed(folder)];
    const opened = bucketOf(config, clock);
    if (!opened) return before ? missed(before, owed.count) : ok("files are kept in the data folder");
    const { bucket, close } = opened;
    const probed = await probe(bucket);
    const listed = probed.ok ? await bucket.list() : undefined;
    close();
    const findings: Finding[] = [];
    if (!probed.ok)
      findings.push(fail(`the bucket ${bucket.place} does not work: ${probeInWords(probed, "en")}`, REMEDY));
    if (isTrouble(listed))
      findings.push(
        warn(`the bucket ${bucket.place} cannot be listed: ${archiveTroubleInWords(listed, "en")}`, REMEDY),
      );
    if (isInTheOpen(bucket.place))
      findings.push(warn(`files go to ${bucket.place} unencrypted`, "use an address that begins with https"));
    if (before && before !== bucket.place)
      findings.push(
        warn(`files that lie only in ${before} are missed`, "set it again, or copy them to the new bucket"),
      );
    const seconds = owed.oldestMs === undefined ? 0 : since(clock, momentOf(clock, owed.oldestMs)) / 1_000;
    const much = `${owed.count} files wait for the bucket, the oldest for ${Math.round(seconds / 60)} minutes`;
    if (seconds > LATE_SECONDS) findings.push(warn(much, 'they lie here until then: see "santral files show"'));
    return findings.length > 0 ? findings : ok(`files are kept in ${bucket.place}; ${owed.count} wait for it`);
  },
};

const REMEDY = 'see "santral files test"; until then all files are kept here, and those that lie only there are missed';

function missed(before: string, owed: number): Finding {
  return warn(
    `files lie in ${before}, which is not set any more; ${owed} were still to be put there`,
    'set SANTRAL_FILES_URL again, or bring them here with "santral files fetch" first',
  );
}
