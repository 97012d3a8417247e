import { expect, test } from "vitest";
import { longestKeyed } from "./longest-keyed.ts";

const MEBIBYTE = 1024 ** 2;

test("before its key is known, no more of a body is read than its own operation takes, and nothing where none has a key", () => {
  const longest = longestKeyed();
  for (const [line, bytes] of [
    ["POST /announcements", 44 * MEBIBYTE],
    ["POST /contacts", MEBIBYTE],
    ["POST /console/api/session.signIn", 4_096],
    ["POST /console/api/sounds.upload", 0],
    ["DELETE /announcements", 0],
    ["POST undefined", 0],
  ] as const) {
    const [method = "", route] = line.split(" ");
    expect(longest({ method, route }), line).toBe(bytes);
  }
});
