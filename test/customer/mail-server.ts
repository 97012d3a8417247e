// A mail server for tests: enough of SMTP on a real socket to take letters, refuse addresses, and fail in the usual ways.

import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type TakenLetter = { from: string; to: string[]; text: string };

export type MailServer = {
  port: number;
  letters: TakenLetter[];
  /** Connections so far. */
  visits(): number;
  close(): Promise<void>;
};

export type MailServerOptions = {
  port?: number;
  /** What is said to an address; 250 takes it. */
  recipient?: (address: string) => string;
  /** Where it falls silent on whoever brings a letter: before it wants to hear it, or when it has taken it. */
  silent?: (letter: TakenLetter) => "unheard" | "taken" | undefined;
};

export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const letters: TakenLetter[] = [];
  const open = new Set<Socket>();
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket, options, (letter) => letters.push(letter));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    letters,
    visits: () => visits,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function serve(socket: Socket, options: MailServerOptions, keep: (letter: TakenLetter) => void): void {
  const say = (line: string) => void socket.write(`${line}\r\n`);
  let letter: TakenLetter = { from: "", to: [], text: "" };
  let body: string[] | undefined;
  let rest = "";
  const obey: Record<string, (line: string) => void> = {
    EHLO: () => say("250 mail.example"),
    HELO: () => say("250 mail.example"),
    MAIL: (line) => {
      letter = { from: addressIn(line), to: [], text: "" };
      say("250 sender ok");
    },
    RCPT: (line) => {
      const answer = options.recipient?.(addressIn(line)) ?? "250 recipient ok";
      if (answer.startsWith("250")) letter.to.push(addressIn(line));
      say(answer);
    },
    DATA: () => {
      if (letter.to.length === 0) return say("503 nobody to send it to");
      if (options.silent?.(letter) === "unheard") return;
      body = [];
      say("354 end with a dot");
    },
    RSET: () => say("250 forgotten"),
    QUIT: () => socket.end("221 bye\r\n"),
  };
  const take = (line: string) => {
    if (body === undefined) return (obey[line.slice(0, 4).toUpperCase()] ?? (() => say("502 unknown command")))(line);
    if (line !== ".") return void body.push(line.startsWith(".") ? line.slice(1) : line);
    letter.text = body.join("\r\n");
    body = undefined;
    keep(letter);
    if (options.silent?.(letter) === "taken") return;
    return say("250 taken");
  };
  say("220 mail.example ready");
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}

/** The attached file of a letter; its name and its bytes. */
export function attachmentOf({ text }: TakenLetter): { name: string; type: string; bytes: Buffer } {
  const [boundary = ""] = /(?<=boundary=")[^"]+/.exec(text) ?? [];
  const part = text.split(`--${boundary}`).find((it) => /^content-disposition: attachment/im.test(it));
  if (boundary === "" || part === undefined) throw new Error(`no attachment in ${text.slice(0, 2_000)}`);
  const [head = "", ...body] = part.replace(/^\r\n/, "").split("\r\n\r\n");
  if (!/^content-transfer-encoding: base64/im.test(head)) throw new Error(`not in base64: ${head}`);
  return {
    name: /filename="?([^";\r\n]+)/.exec(head)?.[1] ?? "",
    type: /^content-type: ([^;\r\n]+)/im.exec(head)?.[1] ?? "",
    bytes: Buffer.from(body.join("").replace(/\s/g, ""), "base64"),
  };
}
