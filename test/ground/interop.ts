// What a test shows of working with somebody else's program: docs/interop.md is made of it (interop-reporter.ts).

import { execFileSync } from "node:child_process";

/** How each program that others wrote says its version. */
const VERSIONS = {
  baresip: () => ofPackage("baresip"),
  linphonec: () => ofPackage("linphone-cli"),
  SIPp: () => ofPackage("sip-tester"),
  Kamailio: () => ofPackage("kamailio"),
  Radicale: () => ofPackage("radicale"),
  Chromium: () => ofPackage("chromium"),
  curl: () => ofPackage("curl"),
  rclone: () => ofPackage("rclone"),
  s3rver: () => spoken("node", ["-p", "require('s3rver/package.json').version"]),
  JsSIP: () => spoken("node", ["-p", "require('jssip/package.json').version"]),
};

export type Program = keyof typeof VERSIONS;

export const programs = Object.keys(VERSIONS) as Program[];

export const versionOf = (program: Program): string => VERSIONS[program]();

const ofPackage = (name: string) => spoken("dpkg-query", ["-W", "-f", "\u0024{Version}", name]);
const spoken = (command: string, words: string[]) => execFileSync(command, words, { encoding: "utf8" }).trim();

/** A feature of an area: "transfers: blind". */
export type Feature = `${string}: ${string}`;

/** What a test shows, and with which programs. */
export type Shown = { features: readonly Feature[]; programs: readonly Program[] };

declare module "@vitest/runner" {
  interface TaskMeta {
    shown?: Shown;
  }
}

/** The second argument of `test`: what it shows when it passes. */
export const shows = (feature: Feature | readonly Feature[], ...by: readonly [Program, ...Program[]]) => ({
  meta: { shown: { features: typeof feature === "string" ? [feature] : feature, programs: by } },
});
