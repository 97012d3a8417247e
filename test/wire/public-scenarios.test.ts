// SIPp scenarios that others have published, played against an exchange when SANTRAL_TEST_SCENARIOS names their folder.
// Nothing of them is kept here: docs/testing.md says where some are, and what is asked of one that applies.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runSipp } from "../carriers/sipp.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 180_000 });

const folder = process.env.SANTRAL_TEST_SCENARIOS;
const files = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" });

/** Methods it begins with that an exchange answers without a second party. */
const APPLIES = /^\s*(REGISTER|SUBSCRIBE|REFER|OPTIONS)\s/m;
/** What is wrong on purpose is refused, which its author need not have expected. */
const WRONG = /broken|bad|bogus|malformed|wrong/;
const SECONDS = 40;

type Scenario = { name: string; xml: string };

function scenarioIn(file: string): Scenario[] {
  const xml = readFileSync(join(folder ?? "", file), "latin1");
  const first = /<send\b[\s\S]*?<!\[CDATA\[([\s\S]*?)\]\]>/.exec(xml)?.[1] ?? "";
  const isCalled = /<recv\s[^>]*request=/.exec(xml.slice(0, xml.indexOf("<send"))) !== null;
  return !isCalled && APPLIES.test(first) && !WRONG.test(file) ? [{ name: basename(file), xml }] : [];
}

const scenarios = files.filter((file) => file.endsWith(".xml")).flatMap(scenarioIn);

/** Who is let in without a login by the author's exchange is asked for one by ours: the same request again, with an answer. */
function loggingIn(xml: string): string {
  const first = /<send\b[\s\S]*?<\/send>/.exec(xml)?.[0];
  if (first === undefined || /auth="true"|^\s*OPTIONS /m.test(xml)) return xml;
  const unasked = first.replace(/^(\s*CSeq: *)\d+/im, "$10");
  const answered = first.replace(/^(\s*CSeq:.*)$/im, "$1\n[authentication]");
  return xml.replace(
    first,
    () => `${unasked}<recv response="100" optional="true"/><recv response="401" auth="true"/>${answered}`,
  );
}

describe.skipIf(folder === undefined)("scenarios of others", () => {
  let town: RealTown;
  let password = "";
  let domain = "";

  beforeAll(async () => {
    town = await realTown();
    domain = town.firstRun.exchange.sip_domain;
    password = town.firstRun.extensions.find((it) => it.number === "1001")?.password ?? "";
  });

  test("there are some that apply", () => {
    expect(scenarios.length).toBeGreaterThan(0);
  });

  /** Names, passwords and domains of the author's own exchange become ours; what is done stays as he wrote it. */
  function atHome(xml: string): string {
    const login = `[authentication username=1001 password=${password}]`;
    return loggingIn(xml)
      .replace(/\[authentication[^\]]*\]|^\s*\[field\d\]\s*$/gm, login)
      .replace(/^(\s*(?:From|To|f|t):.*?sip:)[^\s>;"]+/gim, `$11001@${domain}`)
      .replace(/^(\s*(?:REGISTER|OPTIONS) sip:)\S+/gm, `$1${domain}`)
      .replace(/^(\s*(?:SUBSCRIBE|REFER) sip:)\S+/gm, `$11001@${domain}`);
  }

  test.each(scenarios.map(({ name, xml }) => [name, xml] as const))("%s", async (_name, xml) => {
    const result = await runSipp({
      scenario: atHome(xml),
      server: town.santral.run.sip ?? "",
      accounts: [`1001;${domain};[authentication username=1001 password=${password}]`],
      calls: 1,
      number: "1001",
      extra: ["-timeout", String(SECONDS), "-timeout_error"],
    });
    expect([result.done, result.failed], result.log).toEqual([1, 0]);
  });
});
