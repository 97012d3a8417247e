// One bound SMPP connection: requests with a time limit, a sign of life now and then, and what the carrier sends us.

import smpp, { type Pdu, type Session } from "smpp";
import type { Cancel, Clock } from "../../../clock.ts";

export type Fields = Record<string, unknown>;

/** The answer's status and fields; or nothing came, because it took too long or the line was cut. */
export type Reply = { status: number; fields: Fields } | "nothing";

export type BoundSession = {
  request(command: string, fields: Fields): Promise<Reply>;
  close(): Promise<void>;
};

export type SessionOptions = {
  connect: Fields;
  bind: Fields;
  clock: Clock;
  /** Told in their order; the carrier hears that we have it when the promise is kept. */
  deliver(command: string, fields: Fields): Promise<void>;
  closed(why: string): void;
};

const ANSWER_MS = 10_000;
const BIND_MS = 15_000;
const SIGN_OF_LIFE_MS = 30_000;
/** Not yet answered by us: a carrier that sends more than this without listening is not worth the memory. */
const MOST_DELIVERIES = 5_000;

/** Octets that we hold for a carrier that does not read. */
const MOST_UNREAD = 1024 * 1024;
/** In one go: a full socket has thousands of small ones, and telephones are answered between them. */
const MOST_AT_ONCE = 200;
const PDU_HEADER = 16;

const STATUS = { ok: 0, busy: 0x64, invalidCommand: 0x03 } as const;

/** Keeps the promise once the carrier has let us in. */
export function openSession(options: SessionOptions): Promise<BoundSession | { refused: string }> {
  keepTextsRaw();
  refuseShortOnes();
  return new Promise((settle) => new Line(options, settle));
}

// The package turns texts into strings with tables that are wrong for Turkish; the octets are what we want.
function keepTextsRaw(): void {
  const raw = { encode: (value: unknown) => value, decode: (value: unknown) => value };
  smpp.commands.deliver_sm!.params.short_message = { ...smpp.commands.deliver_sm!.params.short_message, filter: raw };
  smpp.tlvs.message_payload = { ...smpp.tlvs.message_payload, filter: raw };
}

let isRefusing = false;

/** Of one that says that it is shorter than its header the package waits for the rest, for ever. */
function refuseShortOnes(): void {
  if (isRefusing) return;
  isRefusing = true;
  const { commandLength } = smpp.PDU;
  smpp.PDU.commandLength = (stream) => {
    const length = commandLength(stream);
    if (length !== false && length < PDU_HEADER) throw new Error(`a PDU of ${length} octets`);
    return length;
  };
}

type Opened = (session: BoundSession | { refused: string }) => void;

class Line {
  readonly #options: SessionOptions;
  readonly #session: Session;
  readonly #unanswered = new Set<(reply: "nothing") => void>();
  #deliveries = 0;
  #why = "the carrier closed the line";
  #ended = false;
  #corked = false;
  #heardAtOnce = 0;
  #cancelSign: Cancel | undefined;
  #cancelBind: Cancel;
  #settle: Opened;
  #whenEnded: (() => void)[] = [];

  constructor(options: SessionOptions, settle: Opened) {
    this.#options = options;
    this.#settle = settle;
    const { connect, clock } = options;
    this.#session = smpp.connect({ ...connect });
    this.#cancelBind = clock.after(BIND_MS, () => this.#cut("nobody let us in"));
    this.#session.on(connect.tls ? "secureConnect" : "connect", () => void this.#bind());
    this.#session.on("pdu", (pdu) => this.#hear(pdu));
    // After a PDU it cannot read the package stays deaf, so the line is cut and opened anew.
    this.#session.on("error", (error) => this.#cut(error.message));
    this.#session.on("close", () => this.#end());
  }

  async #bind(): Promise<void> {
    const reply = await this.#request("bind_transceiver", this.#options.bind);
    this.#cancelBind();
    if (reply === "nothing" || reply.status !== STATUS.ok) {
      const why = reply === "nothing" ? "no answer to the bind" : `bind refused with status ${hex(reply.status)}`;
      this.#settle({ refused: why });
      this.#settle = () => undefined;
      return this.#cut(why);
    }
    this.#signOfLife();
    this.#settle({ request: (command, fields) => this.#request(command, fields), close: () => this.#close() });
    this.#settle = () => undefined;
  }

  #request(command: string, fields: Fields): Promise<Reply> {
    return new Promise((settle) => {
      if (this.#ended) return settle("nothing");
      const finish = (reply: Reply) => {
        cancel();
        this.#unanswered.delete(finish);
        settle(reply);
      };
      const cancel = this.#options.clock.after(ANSWER_MS, () => finish("nothing"));
      this.#unanswered.add(finish);
      const pdu = new smpp.PDU(command, fields);
      const sent = this.#send(pdu, (answer) => finish({ status: answer.command_status, fields: answer }));
      if (!sent) finish("nothing");
    });
  }

  /** Everything that is said in one turn of the loop leaves in one piece: a system call a PDU would cost more than the PDU. */
  #send(pdu: Pdu, answered?: (pdu: Pdu) => void): boolean {
    if (this.#session.socket.writableLength > MOST_UNREAD) {
      this.#cut("the carrier does not read what we say");
      return false;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#session.socket.cork();
      setImmediate(() => {
        this.#corked = false;
        this.#session.socket.uncork();
      });
    }
    return this.#session.send(pdu, answered);
  }

  #signOfLife(): void {
    this.#cancelSign = this.#options.clock.after(SIGN_OF_LIFE_MS, async () => {
      const reply = await this.#request("enquire_link", {});
      if (reply === "nothing") this.#cut("no sign of life");
      else if (!this.#ended) this.#signOfLife();
    });
  }

  #hear(pdu: Pdu): void {
    this.#restAfterMany();
    if (/_resp$|^generic_nack$/.test(pdu.command)) return;
    if (pdu.command === "deliver_sm" || pdu.command === "data_sm") return void this.#takeDelivery(pdu);
    if (wantsNoAnswer(pdu)) return;
    const known = pdu.command === "enquire_link" || pdu.command === "unbind";
    this.#send(pdu.response(known ? {} : { command_status: STATUS.invalidCommand }));
    if (pdu.command === "unbind") this.#cut("the carrier unbound us");
  }

  #restAfterMany(): void {
    if (++this.#heardAtOnce < MOST_AT_ONCE) return;
    this.#heardAtOnce = 0;
    this.#session.pause();
    setImmediate(() => this.#session.resume());
  }

  async #takeDelivery(pdu: Pdu): Promise<void> {
    if (this.#deliveries >= MOST_DELIVERIES) return void this.#send(pdu.response({ command_status: STATUS.busy }));
    this.#deliveries++;
    const status = await this.#options.deliver(pdu.command, pdu).then(
      () => STATUS.ok,
      () => STATUS.busy,
    );
    this.#deliveries--;
    if (!this.#ended) this.#send(pdu.response({ command_status: status }));
  }

  async #close(): Promise<void> {
    if (this.#ended) return;
    const ended = new Promise<void>((resolve) => this.#whenEnded.push(resolve));
    await this.#request("unbind", {});
    this.#cut("we closed the line");
    await ended;
  }

  #cut(why: string): void {
    if (!this.#ended) this.#why = why;
    this.#session.destroy();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelBind();
    this.#cancelSign?.();
    for (const finish of [...this.#unanswered]) finish("nothing");
    this.#settle({ refused: this.#why });
    this.#options.closed(this.#why);
    for (const tell of this.#whenEnded) tell();
  }
}

/** News such as `alert_notification`: for the answer to them the package has no name, and falls over it. */
function wantsNoAnswer({ command }: Pdu): boolean {
  return command !== "unknown" && !Object.hasOwn(smpp.commands, `${command}_resp`);
}

function hex(status: number): string {
  return `0x${status.toString(16).padStart(8, "0")}`;
}
