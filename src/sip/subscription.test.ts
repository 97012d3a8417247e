import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { requestTo } from "../../test/phones/sip-phones.ts";
import { isMalformed } from "./message/malformed.ts";
import { dialogInfo, type LampCall, messageSummary, presence } from "./notification.ts";
import { transferIn, transferNews } from "./refer.ts";
import { type News, openSubscription } from "./subscription.ts";

function lamp(seconds = 600) {
  const clock = testClock();
  const sent: string[] = [];
  let state = "idle";
  let isEnded = false;
  const subscription = openSubscription({
    clock,
    event: { package: "dialog" },
    seconds,
    news: () => ({ headers: [{ name: "Content-Type", value: "text/plain" }], body: state }),
    send: ({ headers, body }: News) =>
      void sent.push(`${headers.find(({ name }) => name === "Subscription-State")!.value} ${body}`),
    ended: () => {
      isEnded = true;
    },
  });
  return { clock, sent, subscription, becomes: (next: string) => (state = next), isEnded: () => isEnded };
}

test("a new watcher is told at once how things stand, and then each change", () => {
  const { clock, sent, subscription, becomes } = lamp();
  subscription.notified("heard");
  clock.pass(10_000);
  becomes("ringing");
  subscription.changed();
  expect(sent).toEqual(["active;expires=600 idle", "active;expires=590 ringing"]);
});

test("while one NOTIFY is on its way the changes wait, and only the last is told", () => {
  const { sent, subscription, becomes } = lamp();
  for (const state of ["ringing", "talking", "idle again"]) {
    becomes(state);
    subscription.changed();
  }
  expect(sent).toHaveLength(1);
  subscription.notified("heard");
  expect(sent).toEqual(["active;expires=600 idle", "active;expires=600 idle again"]);
  subscription.notified("heard");
  expect(sent).toHaveLength(2);
});

test("a watcher who does not renew is told that it is over, and so is one who unsubscribes", () => {
  const forgotten = lamp(60);
  forgotten.subscription.notified("heard");
  forgotten.clock.pass(60_000);
  expect(forgotten.sent.at(-1)).toBe("terminated;reason=timeout idle");
  expect(forgotten.isEnded()).toBe(true);
  const leaving = lamp();
  leaving.subscription.renewed(0);
  expect(leaving.sent.at(-1)).toBe("terminated;reason=timeout idle");
  expect(leaving.clock.waiting()).toBe(0);
});

test("a renewal keeps it going", () => {
  const { clock, sent, subscription, isEnded } = lamp(60);
  subscription.notified("heard");
  clock.pass(50_000);
  subscription.renewed(60);
  clock.pass(59_000);
  expect(isEnded()).toBe(false);
  expect(sent.at(-1)).toBe("active;expires=60 idle");
});

test("a watcher who refuses a NOTIFY, or is gone, hears no more", () => {
  const { clock, sent, subscription, isEnded } = lamp();
  subscription.notified("gone");
  subscription.changed();
  subscription.end("noresource");
  expect(sent).toHaveLength(1);
  expect(isEnded()).toBe(true);
  expect(clock.waiting()).toBe(0);
});

test("the names of a call are told to whoever may take it: of a colleague's only while it rings there", () => {
  const dialog = { callId: "c@x", localTag: "l", remoteTag: "r" };
  const named = (call: Pick<LampCall, "state" | "direction">, owns: boolean) => {
    const calls = [{ id: "1", dialog, ...call }];
    const { body } = dialogInfo({ number: "1000", name: "", domain: "pbx", version: 1, calls }, { sees: true, owns });
    return ["call-id=", "local-tag=", "remote-tag="].every((name) => body.includes(name));
  };
  const told = (owns: boolean) => [
    named({ state: "early", direction: "recipient" }, owns),
    named({ state: "early", direction: "initiator" }, owns),
    named({ state: "confirmed", direction: "recipient" }, owns),
    named({ state: "confirmed", direction: "initiator" }, owns),
  ];
  expect(told(false)).toEqual([true, false, false, false]);
  expect(told(true)).toEqual([true, true, true, true]);
});

test("bodies phones understand", () => {
  expect(messageSummary({ account: "sip:1000@pbx", unheard: 2, heard: 8 }).body).toBe(
    "Messages-Waiting: yes\r\nMessage-Account: sip:1000@pbx\r\nVoice-Message: 2/8\r\n",
  );
  const dialog = { callId: "c@x", localTag: "l", remoteTag: "r" };
  const calls = [
    { id: "a<b", state: "confirmed", direction: "recipient", remote: { number: "5&6", name: "Ayşe" }, dialog },
    { id: "c", state: "early", direction: "recipient", remote: { number: "", name: "" } },
  ] as const;
  const line = { number: "1000", name: "", domain: "pbx", version: 3, calls };
  const { body } = dialogInfo(line, { sees: true, owns: true });
  expect(body).toContain('version="3" state="full" entity="sip:1000@pbx">');
  expect(body).toContain('<dialog id="a&lt;b" call-id="c@x" local-tag="l" remote-tag="r" direction="recipient">');
  expect(body).toContain('<local><identity>sip:1000@pbx</identity><target uri="sip:1000@pbx"/></local>');
  expect(body).toContain('<remote><identity display="Ay\xc5\x9fe">sip:5&amp;6@pbx</identity>');
  expect(body).toContain("<identity>sip:anonymous@anonymous.invalid</identity>");
  const secret = dialogInfo(line, { sees: false, owns: false }).body;
  expect(secret).toContain('<dialog id="a&lt;b" direction="recipient"><state>confirmed</state></dialog>');
  expect(secret).not.toMatch(/identity|call-id|tag=/);
  expect(presence({ entity: "sip:1000@pbx", isOpen: false, note: '"lunch"' }).body).toContain(
    "<basic>closed</basic></status><note>&quot;lunch&quot;</note>",
  );
});

const refer = (to: string, more: [string, string][] = []) =>
  transferIn(
    requestTo("REFER", { headers: [["Refer-To", to] as const, ...more].map(([name, value]) => ({ name, value })) }),
  );

test("a blind transfer names whom to call", () => {
  expect(refer("<sip:1002@pbx.example;transport=tcp>", [["Referred-By", "<sip:1001@pbx.example>"]])).toEqual({
    target: "sip:1002@pbx.example;transport=tcp",
    replaces: undefined,
    referredBy: "<sip:1001@pbx.example>",
  });
  expect(refer("<tel:+905321234567>", [["Refer-Sub", "false"]])).toMatchObject({
    target: "tel:+905321234567",
  });
});

test("an attended transfer names the call whose place the new one takes", () => {
  const transfer = refer("<sip:1002@pbx.example?Replaces=abc%40x%3Bto-tag%3Dt1%3Bfrom-tag%3Df1>");
  expect(transfer).toMatchObject({
    target: "sip:1002@pbx.example",
    replaces: { callId: "abc@x", toTag: "t1", fromTag: "f1", earlyOnly: false },
  });
});

test.each(["", "rubbish", "<sip:1002@pbx.example;method=BYE>", "<sip:1002@pbx.example?Replaces=abc>", "<sip:>"])(
  "a transfer to nowhere is refused (%s)",
  (to) => {
    expect(isMalformed(refer(to))).toBe(true);
  },
);

test("the news of a transfer are the first line of the response", () => {
  expect(transferNews(486)).toEqual({
    headers: [{ name: "Content-Type", value: "message/sipfrag;version=2.0" }],
    body: "SIP/2.0 486 Busy Here\r\n",
  });
});
