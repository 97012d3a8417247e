// Time as a test. A wait, a deadline or a duration is made of ticks, which the compiler keeps apart from numbers; a stamp
// of the wall's clock is a number, so that it could be taken for one of those: the places that compare stamps are known.

import { resolve } from "node:path";
import { type BinaryExpression, type CallExpression, type Node, SyntaxKind } from "typescript/unstable/ast";
import { API, type Project } from "typescript/unstable/sync";
import { afterAll, expect, test } from "vitest";

/** What truly is about stamps, and why. */
const stampsAreCompared: [path: RegExp, why: string][] = [
  [/^clock\.ts$/, "turns stamps into moments and back"],
  [/^(cli\/form|doctor\/|demo\/)/, "days of the calendar, and whether the clock is sane"],
  [/^exchange\/archiving\/plan\.ts$/, "days for which files are kept"],
  [
    /^exchange\/(calls\/call|calls\/leg|calls\/open-call|calls\/stays|journal\/call-record|journal\/recovery)\.ts$/,
    "stamps of one call are anchored",
  ],
  [/^exchange\/resume\.ts$/, "between two processes there is no other clock"],
  [/^server\/call-answers\.ts$/, "stamps of one call are anchored"],
  [/^server\/clock-watch\.ts$/, "finds out that a clock was set"],
  [/^server\/backup-plan\.ts$/, "days of the calendar, and files on disk"],
  [/^exchange\/signalling\/(registrar\/registrations|texts\/texts)\.ts$/, "rows that a former process left"],
  [/^exchange\/signalling\/trunks\/attestation\.ts$/, "certificates and signatures name times of the wall"],
  [/^exchange\/features\/campaigns\/(opening|campaign-machine)\.ts$/, "hours that somebody named"],
  [/^exchange\/features\/faxes\/fax-desk\.ts$/, "rows of orders, looked at again soon whatever they say"],
  [/^(http\/webphone\/forms|reports\/agent-figures)\.ts$/, "days of forms and reports that are shown"],
  [/^http\/console\/operations\/calls\.ts$/, "whether the record of a call is a fresh one"],
  [/^http\/wall\/face\.ts$/, "how long somebody waits is shown by the stamp that boards have"],
  [/^store\/(reports-now|agent-times)\.ts$/, "the half hour before, and a report's end, are stored stamps"],
  [/^http\/nodes\/signature\.ts$/, "signatures of other machines name times of the wall"],
  [/^sms\/(chores|greetings|send|pump|timing|consent)\.ts$/, "stored times of messages, and hours that somebody named"],
  [/^sms\/carriers\/smpp\/outgoing\.ts$/, "until when a message is worth sending is stored"],
  [/^contacts\/carddav-source\.ts$/, "when it was last compared is stored"],
  [
    /^store\/(staff-sign-in|staff-sessions|single-sign-on|totp)\.ts$/,
    "rows of sessions and locks, and codes of the half minute",
  ],
];

/** Numbers that are of no wall: the media threads count by themselves, a nonce by a stopwatch. */
const NOT_OF_THE_WALL = /^(media\/|sip\/nonce\.ts$)/;

const OPERATORS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.MinusToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
]);

const api = new API({ cwd: process.cwd() });
afterAll(() => api.close());

const seconds = (count: number) => ({ timeout: count * 1_000 });

test("nobody waits or measures by stamps of the wall's clock", seconds(120), () => {
  const config = resolve("tsconfig.json");
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!; // just opened
  const root = resolve("src");
  const found = new Map<string, string[]>();
  for (const file of project.rootFiles) {
    if (!file.startsWith(`${root}/`) || file.endsWith(".test.ts")) continue;
    const path = file.slice(root.length + 1);
    const compared = NOT_OF_THE_WALL.test(path) ? [] : stampsComparedIn(project, file);
    if (compared.length > 0) found.set(path, compared);
  }
  const unknown = [...found].filter(([path]) => !stampsAreCompared.some(([home]) => home.test(path)));
  expect(Object.fromEntries(unknown), "use ticks: since(), until(), within() of clock.ts").toEqual({});
  const unused = stampsAreCompared.filter(([home]) => ![...found.keys()].some((path) => home.test(path)));
  expect(unused, "lines of the list that nothing needs").toEqual([]);
});

function stampsComparedIn({ program, checker }: Project, file: string): string[] {
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is not in the program`);
  const textOf = ({ pos, end }: Node) => source.text.slice(pos, end).trim();
  const compared: { node: Node; sides: readonly Node[] }[] = [];
  const visit = (node: Node): void => {
    if (isComparison(node)) compared.push({ node, sides: [node.left, node.right] });
    else if (isCall(node) && /^Math\.(min|max)$/.test(textOf(node.expression)))
      compared.push({ node, sides: [...node.arguments] });
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  const sides = compared.flatMap((it) => it.sides);
  const types = sides.length === 0 ? [] : checker.getTypeAtLocation(sides);
  const isStamp = (side: Node) => {
    const name = nameOf(types[sides.indexOf(side)]);
    return /\bWallMs\b/.test(name) || (name === "number" && /^(now|nowMs)$/.test(textOf(side)));
  };
  const names = new Map<unknown, string>();
  const nameOf = (type: (typeof types)[number]) => {
    if (!names.has(type)) names.set(type, type ? checker.typeToString(type) : "");
    return names.get(type)!; // set above
  };
  return compared.filter((it) => it.sides.some(isStamp)).map(({ node }) => textOf(node));
}

function isComparison(node: Node): node is BinaryExpression {
  return node.kind === SyntaxKind.BinaryExpression && OPERATORS.has((node as BinaryExpression).operatorToken.kind);
}

function isCall(node: Node): node is CallExpression {
  return node.kind === SyntaxKind.CallExpression;
}
