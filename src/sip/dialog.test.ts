import { expect, test } from "vitest";
import { ALICE, BOB, bobsContact, requestTo } from "../../test/phones/sip-phones.ts";
import {
  acceptInDialog,
  confirmed,
  type Dialog,
  dialogAsCallee,
  dialogAsCaller,
  movedBy,
  nextHopOf,
  requestInDialog,
} from "./dialog.ts";
import { fromOf } from "./headers/addresses.ts";
import { isMalformed, type Malformed } from "./message/malformed.ts";
import { type Header, headerOf, headersOf, type Request } from "./message/message.ts";
import { responseTo } from "./respond.ts";
import type { Source } from "./transport/transport.ts";

const source: Source = { transport: "udp", address: ALICE, port: 5060, listener: "udp" };

function made(dialog: Dialog | Malformed): Dialog {
  if (isMalformed(dialog)) throw new Error(dialog.malformed);
  return dialog;
}

const recordRoute = (...routes: string[]): Header[] => routes.map((value) => ({ name: "Record-Route", value }));

function inviteBy(via = `SIP/2.0/UDP ${ALICE};branch=z9hG4bK1`, more: Header[] = []): Request {
  const invite = requestTo("INVITE", { callId: "c1", headers: more });
  return { ...invite, headers: [{ name: "Via", value: via }, ...invite.headers] };
}

test("both sides of a call build requests that the other one accepts", () => {
  const invite = inviteBy(undefined, recordRoute("<sip:p2.example;lr>, <sip:p1.example;lr>"));
  const callee = made(dialogAsCallee(invite, "b1", source));
  const answer = responseTo(invite, 200, { toTag: "b1", headers: [bobsContact] });
  const caller = made(dialogAsCaller(invite, answer));
  expect(caller).toMatchObject({ state: "confirmed", callId: "c1", remoteTag: "b1", localTag: callee.remoteTag });
  expect(caller.routeSet).toEqual(["<sip:p1.example;lr>", "<sip:p2.example;lr>"]);
  expect(callee.routeSet).toEqual(["<sip:p2.example;lr>", "<sip:p1.example;lr>"]);
  const bye = requestInDialog(caller, "BYE");
  expect(bye.request.uri).toBe(`sip:bob@${BOB}:5060`);
  expect(headersOf(bye.request, "Route")).toEqual(caller.routeSet);
  expect(headerOf(bye.request, "CSeq")).toBe("2 BYE");
  expect(headerOf(bye.request, "To")).toBe(`<sip:bob@${BOB}>;tag=b1`);
  expect(bye.dialog.localCSeq).toBe(2);
  expect(acceptInDialog(callee, bye.request)).toMatchObject({ accepted: { remoteCSeq: 2 } });
  const back = requestInDialog(confirmed(callee), "BYE").request;
  expect(headerOf(back, "From")).toBe(`<sip:bob@${BOB}>;tag=b1`);
  expect(headerOf(back, "To")).toBe(headerOf(invite, "From"));
  expect(headerOf(back, "CSeq")).toBe("1 BYE");
  expect(acceptInDialog(caller, back)).toMatchObject({ accepted: { remoteCSeq: 1 } });
});

test("an ACK carries its INVITE's number and counts nothing", () => {
  const invite = inviteBy();
  const dialog = made(dialogAsCaller(invite, responseTo(invite, 200, { toTag: "b", headers: [bobsContact] })));
  const { request, dialog: after } = requestInDialog(dialog, "ACK", { cseq: 1 });
  expect(headerOf(request, "CSeq")).toBe("1 ACK");
  expect(after).toBe(dialog);
});

test("through a strict router the router is asked, and the target travels last in the route", () => {
  const invite = inviteBy();
  const routes = recordRoute("<sip:loose.example;lr>", "<sip:strict.example;method=INVITE?Subject=x>");
  const answer = responseTo(invite, 200, { toTag: "b", headers: [bobsContact, ...routes] });
  const dialog = made(dialogAsCaller(invite, answer));
  const { request } = requestInDialog(dialog, "BYE");
  expect(request.uri).toBe("sip:strict.example");
  expect(headersOf(request, "Route")).toEqual(["<sip:loose.example;lr>", `<sip:bob@${BOB}:5060>`]);
  expect(nextHopOf(dialog)).toBe("sip:strict.example;method=INVITE?Subject=x");
});

test("each fork that rings makes an early dialog, and the answer settles route and target", () => {
  const invite = inviteBy();
  const ringing = (tag: string) =>
    made(
      dialogAsCaller(
        invite,
        responseTo(invite, 180, { toTag: tag, headers: [bobsContact, ...recordRoute("<sip:p1.example;lr>")] }),
      ),
    );
  expect(ringing("x").remoteTag).toBe("x");
  expect(ringing("y")).toMatchObject({ remoteTag: "y", state: "early", routeSet: ["<sip:p1.example;lr>"] });
});

test("a re-INVITE moves the target, its route never again", () => {
  const invite = inviteBy();
  const dialog = made(dialogAsCaller(invite, responseTo(invite, 200, { toTag: "b", headers: [bobsContact] })));
  const again = requestInDialog(dialog, "INVITE");
  const moved: Header = { name: "Contact", value: "<sip:bob@198.51.100.7>" };
  const answer = responseTo(again.request, 200, { headers: [moved, ...recordRoute("<sip:p9.example;lr>")] });
  expect(movedBy(answer, again.dialog)).toMatchObject({ remoteTarget: "sip:bob@198.51.100.7", routeSet: [] });
  expect(movedBy(responseTo(again.request, 486, { headers: [moved] }), dialog)).toEqual(dialog);
  expect(movedBy(responseTo(requestInDialog(dialog, "INFO").request, 200, { headers: [moved] }), dialog)).toEqual(
    dialog,
  );
});

test("a request out of order is refused, one that is late but in order is not", () => {
  const dialog = made(dialogAsCallee(inviteBy(), "b", source));
  const numbered = (number: number, method = "INFO") => {
    const request = requestTo(method, { callId: "c1" });
    request.headers = request.headers.map((header) =>
      header.name === "CSeq" ? { ...header, value: `${number} ${method}` } : header,
    );
    return request;
  };
  const later = acceptInDialog(dialog, numbered(7));
  if (!("accepted" in later)) throw new Error("refused");
  expect(acceptInDialog(later.accepted, numbered(5))).toEqual({ refused: 500 });
  expect(acceptInDialog(later.accepted, numbered(9))).toHaveProperty("accepted");
  expect(acceptInDialog(later.accepted, numbered(1, "ACK"))).toEqual({ accepted: later.accepted });
});

test("only requests that may move the target do", () => {
  const dialog = made(dialogAsCallee(inviteBy(), "b", source));
  const client = (method: string, contact: string) => {
    const request = requestTo(method);
    request.headers = request.headers.map((header) =>
      header.name === "Contact" ? { ...header, value: contact } : header,
    );
    return acceptInDialog(dialog, request);
  };
  expect(client("UPDATE", "<sip:moved@198.51.100.7>")).toMatchObject({
    accepted: { remoteTarget: "sip:moved@198.51.100.7" },
  });
  expect(client("INFO", "<sip:moved@198.51.100.7>")).toMatchObject({
    accepted: { remoteTarget: `sip:alice@${ALICE}:5060` },
  });
  expect(client("INVITE", "<<<")).toMatchObject({ refused: 400 });
});

test("a caller of old without a Contact is spoken to by its name", () => {
  const invite = inviteBy();
  const bare = { ...invite, headers: invite.headers.filter(({ name }) => name !== "Contact") };
  expect(made(dialogAsCallee(bare, "b", source)).remoteTarget).toBe(fromOf(invite).uri);
});

test("requests go to the Contact, to the first route, or back the way the call came", () => {
  const toContact = made(dialogAsCallee(inviteBy(), "b", source));
  expect(nextHopOf(toContact)).toMatchObject({ transport: "udp", address: ALICE, port: 5060 });
  const routed = made(
    dialogAsCallee(inviteBy(undefined, recordRoute("<sip:192.0.2.77:5066;lr;transport=tcp>")), "b", source),
  );
  expect(nextHopOf(routed)).toMatchObject({ transport: "tcp", address: "192.0.2.77", port: 5066 });
  const behindNat = made(
    dialogAsCallee(inviteBy("SIP/2.0/UDP 10.0.0.4;rport;branch=z9hG4bK1"), "b", { ...source, port: 31_999 }),
  );
  expect(nextHopOf(behindNat)).toMatchObject({ transport: "udp", address: ALICE, port: 31_999 });
  const stream: Source = { ...source, transport: "ws", connection: "ws-1" };
  const browser = made(dialogAsCallee(inviteBy("SIP/2.0/WS x.invalid;branch=z9hG4bK1"), "b", stream));
  expect(nextHopOf(browser)).toMatchObject({ transport: "ws", address: ALICE, connection: "ws-1" });
  const contact: Header = { name: "Contact", value: "<sip:trunk@198.51.100.7:5066;transport=tcp>" };
  const invite = inviteBy(`SIP/2.0/TCP ${ALICE};branch=z9hG4bK1`);
  const trunk = { ...invite, headers: invite.headers.map((header) => (header.name === "Contact" ? contact : header)) };
  const server = made(dialogAsCallee(trunk, "b", { ...source, transport: "tcp", port: 40_000, connection: "tcp-1" }));
  expect(nextHopOf(server)).toMatchObject({ address: "198.51.100.7", port: 5066, connection: "tcp-1" });
  expect(nextHopOf({ ...toContact, remoteTarget: "sip:alice@phones.example" })).toBe("sip:alice@phones.example");
});

test("the sequence number starts over rather than pass its end", () => {
  const dialog = { ...made(dialogAsCallee(inviteBy(), "b", source)), localCSeq: 0x7fffffff };
  expect(headerOf(requestInDialog(dialog, "INFO").request, "CSeq")).toBe("1 INFO");
});
