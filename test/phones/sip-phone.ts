// The SIP of a telephone that does as it is told: it registers, calls, rings and answers, by our own stack, with a voice of one
// socket. No test of its own, so that drills use it too.

import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import type { Outcome, Outgoing } from "../../src/sip/client.ts";
import {
  acceptInDialog,
  type Dialog,
  dialogAsCallee,
  dialogAsCaller,
  movedBy,
  nextHopOf,
  requestInDialog,
} from "../../src/sip/dialog.ts";
import { answerChallenge, bestChallenge } from "../../src/sip/digest-answer.ts";
import { challengesOf, proxyChallengesOf } from "../../src/sip/headers/auth.ts";
import type { Incoming } from "../../src/sip/incoming.ts";
import { isMalformed } from "../../src/sip/message/malformed.ts";
import type { Header, Request, Response } from "../../src/sip/message/message.ts";
import type { Stack } from "../../src/sip/stack.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import { type PhoneVoice, sdpOf, voiceIn } from "./phone-sdp.ts";
import type { RtpPhone } from "./rtp-phone.ts";

export type SoftCall<Voice extends PhoneVoice = RtpPhone> = {
  dialog: Dialog;
  voice: Voice;
  /** Where the exchange hears it. */
  voicePort: number;
  /** Requests that came inside the dialog. */
  requests: Request[];
  ask(method: string, headers?: Header[], body?: string): Promise<number>;
  /** Says by re-INVITE that it only sends from now on, or both again. */
  hold(isHeld: boolean): Promise<number>;
  hangUp(): Promise<number>;
  over: Promise<void>;
};

export type SoftPhone<Voice extends PhoneVoice = RtpPhone> = {
  stack: Stack;
  contact: string;
  /** The next call that comes in; it rings until it is answered. */
  incoming(): Promise<RingingCall<Voice>>;
  call(number: string): Promise<SoftCall<Voice> | { refused: number }>;
};

export type RingingCall<Voice extends PhoneVoice = RtpPhone> = {
  invite: Request;
  /** A request that came while it rang. */
  request(): Promise<Request>;
  answer(): Promise<SoftCall<Voice>>;
  refuse(status: number): void;
};

export type Account = { number: string; password: string; domain: string; server: Destination };

const PATIENCE_MS = 60_000;

let identities = 0;

export class SipPhone<Voice extends PhoneVoice = RtpPhone> implements SoftPhone<Voice> {
  readonly stack: Stack;
  readonly contact: string;
  readonly #account: Account;
  readonly #voice: () => Promise<Voice>;
  readonly #ringing: RingingCall<Voice>[] = [];
  #waiting: ((call: RingingCall<Voice>) => void)[] = [];

  constructor(stack: Stack, account: Account, contact: string, voice: () => Promise<Voice>) {
    this.stack = stack;
    this.contact = contact;
    this.#account = account;
    this.#voice = voice;
    stack.onRequest((incoming) => this.#take(incoming));
  }

  async register(): Promise<void> {
    const { domain, number } = this.#account;
    const request = this.#request("REGISTER", `sip:${domain}`, `<sip:${number}@${domain}>`);
    const done = await this.#askWithPassword(request);
    if (!("response" in done) || done.response.status !== 200)
      throw new Error(`not registered: ${JSON.stringify(done)}`);
  }

  incoming(): Promise<RingingCall<Voice>> {
    const rings = this.#ringing.shift();
    if (rings) return Promise.resolve(rings);
    return new Promise((resolve, reject) => {
      const take = (call: RingingCall<Voice>) => {
        clearTimeout(giveUp);
        resolve(call);
      };
      // Whoever has given up takes nobody's call from those who wait after him.
      const giveUp = setTimeout(() => {
        this.#waiting = this.#waiting.filter((it) => it !== take);
        reject(new Error(`nobody called ${this.contact}`));
      }, PATIENCE_MS);
      this.#waiting.push(take);
    });
  }

  async call(number: string): Promise<SoftCall<Voice> | { refused: number }> {
    const { domain, server } = this.#account;
    const voice = await this.#voice();
    const uri = `sip:${number}@${domain}`;
    const invite = { ...this.#request("INVITE", uri, `<${uri}>`), body: sdpOf(voice) };
    const { outcome, asked, outgoing } = await this.#askWithPassword(invite);
    if (!("response" in outcome)) return { refused: 408 };
    if (outcome.is !== "success") return { refused: outcome.response.status };
    const dialog = sure(dialogAsCaller(asked, outcome.response));
    const { request: ack } = requestInDialog(dialog, "ACK", { cseq: dialog.localCSeq });
    outgoing.sendAck(ack, server);
    return this.#talk(dialog, voice, outcome.response.body);
  }

  #take(incoming: Incoming): void {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    const dialog = sure(dialogAsCallee(incoming.request, incoming.localTag, incoming.source));
    const headers = [{ name: "Contact", value: this.contact }];
    const early: Request[] = [];
    let heard: ((request: Request) => void) | undefined;
    const disown = this.stack.own(dialog, (inside) => {
      inside.reply(200);
      if (heard) heard(inside.request);
      else early.push(inside.request);
      heard = undefined;
    });
    const ringing: RingingCall<Voice> = {
      invite: incoming.request,
      request: () =>
        early.length > 0
          ? Promise.resolve(early.shift()!) // its length was just looked at
          : new Promise((resolve) => {
              heard = resolve;
            }),
      answer: async () => {
        disown();
        const voice = await this.#voice();
        const type = { name: "Content-Type", value: "application/sdp" };
        incoming.reply(200, { headers: [...headers, type], body: sdpOf(voice) });
        return this.#talk(dialog, voice, incoming.request.body);
      },
      refuse: (status) => {
        disown();
        incoming.reply(status);
      },
    };
    incoming.reply(180, { headers });
    const waits = this.#waiting.shift();
    if (waits) waits(ringing);
    else this.#ringing.push(ringing);
  }

  #talk(begun: Dialog, voice: Voice, sdp: string): SoftCall<Voice> {
    let over = () => {};
    let disown = () => {};
    let [direction, version] = ["sendrecv", 1];
    const { port: voicePort } = voiceIn(sdp);
    const described = () => ({
      headers: [
        { name: "Contact", value: this.contact },
        { name: "Content-Type", value: "application/sdp" },
      ],
      body: sdpOf(voice, direction, ++version),
    });
    const call: SoftCall<Voice> = {
      dialog: begun,
      voice,
      voicePort,
      requests: [],
      over: new Promise((resolve) => {
        over = resolve;
      }),
      ask: async (method, headers = [], body = "") => {
        const { outcome } = await this.#askInside(call, method, { headers, body });
        return "response" in outcome ? outcome.response.status : 408;
      },
      hold: async (isHeld) => {
        direction = isHeld ? "sendonly" : "sendrecv";
        const { outcome, outgoing, hop } = await this.#askInside(call, "INVITE", described());
        if (!("response" in outcome)) return 408;
        if (outcome.is !== "success") return outcome.response.status;
        const cseq = call.dialog.localCSeq;
        call.dialog = movedBy(outcome.response, call.dialog);
        outgoing.sendAck(requestInDialog(call.dialog, "ACK", { cseq }).request, hop);
        voice.talkTo(voiceIn(outcome.response.body));
        return outcome.response.status;
      },
      hangUp: async () => {
        disown();
        const status = await call.ask("BYE"); // it says its tone until then: a recording ends with it, however late that is
        voice.hush();
        return status;
      },
    };
    disown = this.stack.own(begun, (inside) => {
      const { method, body } = inside.request;
      const taken = acceptInDialog(call.dialog, inside.request);
      if ("accepted" in taken) call.dialog = taken.accepted; // whoever it talks to may be somewhere else now
      if ((method === "INVITE" || method === "ACK") && body !== "") voice.talkTo(voiceIn(body));
      if (method === "ACK") return;
      inside.reply(200, method === "INVITE" ? described() : {});
      call.requests.push(inside.request);
      if (method !== "BYE") return;
      disown();
      voice.hush();
      over();
    });
    voice.talkTo(voiceIn(sdp));
    return call;
  }

  /** Where it is asked for its password, once more with it. */
  async #askInside(call: SoftCall<Voice>, method: string, { headers, body }: { headers: Header[]; body: string }) {
    for (let proof: Header[] = []; ; ) {
      const next = requestInDialog(call.dialog, method, { headers: [...headers, ...proof], body });
      call.dialog = next.dialog;
      const hop = nextHopOf(call.dialog);
      if (typeof hop === "string") throw new Error(`${hop} is a name`);
      const asked = await this.#send(next.request, hop);
      const { response } = asked;
      const value = response?.status === 401 && proof.length === 0 ? this.#login(next.request, response) : undefined;
      if (value === undefined) return { ...asked, hop };
      proof = [{ name: "Authorization", value }];
    }
  }

  #request(method: string, uri: string, to: string): Request {
    const { number, domain } = this.#account;
    identities += 1;
    const headers: Header[] = [
      { name: "From", value: `<sip:${number}@${domain}>;tag=soft${identities}` },
      { name: "To", value: to },
      { name: "Call-ID", value: `soft-${identities}-${process.pid}` },
      { name: "CSeq", value: `1 ${method}` },
      { name: "Contact", value: this.contact },
      { name: "User-Agent", value: "Softphone/1" },
      ...(method === "INVITE" ? [{ name: "Content-Type", value: "application/sdp" }] : []),
    ];
    return { is: "request", method, uri, headers, body: "" };
  }

  /** A nonce that has become stale meanwhile is taken for what it is, once. */
  async #askWithPassword(request: Request) {
    let asked = await this.#send(request);
    for (const cseq of [2, 3]) {
      if (!("response" in asked.outcome)) return asked;
      const { response } = asked.outcome;
      const isAsked = response.status === 401 || response.status === 407;
      const isStale = response.headers.some(({ value }) => value.includes("stale=true"));
      const value = isAsked && (cseq === 2 || isStale) ? this.#login(request, response) : undefined;
      if (value === undefined) return asked;
      const name = response.status === 401 ? "Authorization" : "Proxy-Authorization";
      const again = request.headers.map((header) =>
        header.name === "CSeq" ? { name: "CSeq", value: `${cseq} ${request.method}` } : header,
      );
      asked = await this.#send({ ...request, headers: [...again, { name, value }] });
    }
    return asked;
  }

  #login({ method, uri }: Request, response: Response): string | undefined {
    const { number: user, password } = this.#account;
    const challenge = bestChallenge(response.status === 401 ? challengesOf(response) : proxyChallengesOf(response));
    const fresh = { nc: 1, cnonce: `c${identities}` };
    return (
      challenge && answerChallenge(hash, { challenge, account: { user, password }, request: { method, uri }, fresh })
    );
  }

  #send(
    asked: Request,
    to = this.#account.server,
  ): Promise<{ outcome: Outcome; asked: Request; outgoing: Outgoing; response?: Response }> {
    return new Promise((resolve) => {
      const outgoing = this.stack.send(asked, to, (outcome) => {
        if (outcome.is === "provisional") return;
        const response = "response" in outcome ? { response: outcome.response } : {};
        // The outcome never comes before the request has left.
        queueMicrotask(() => resolve({ outcome, asked, outgoing, ...response }));
      });
    });
  }
}

function sure(dialog: ReturnType<typeof dialogAsCallee>): Dialog {
  if (isMalformed(dialog)) throw new Error(dialog.malformed);
  return dialog;
}
