// What we use of the npm package `smpp`, which brings no types: PDUs on a socket, nothing more.

declare module "smpp" {
  type Fields = Record<string, unknown>;

  export type Pdu = Fields & {
    command: string;
    command_status: number;
    sequence_number: number;
    response(fields?: Fields): Pdu;
  };

  export type Session = {
    on(event: "connect" | "secureConnect" | "close", act: () => void): void;
    on(event: "error", act: (error: Error) => void): void;
    on(event: "pdu", act: (pdu: Pdu) => void): void;
    socket: { cork(): void; uncork(): void; readonly writableLength: number };
    send(pdu: Pdu, answered?: (pdu: Pdu) => void): boolean;
    pause(): void;
    resume(): void;
    close(): void;
    destroy(): void;
  };

  type Filter = { encode(value: unknown): unknown; decode(value: unknown): unknown };
  type Described = { filter?: Filter };

  const smpp: {
    connect(options: Fields): Session;
    PDU: { new (command: string, fields?: Fields): Pdu; commandLength(stream: unknown): number | false };
    commands: Record<string, { params: Record<string, Described> }>;
    tlvs: Record<string, Described>;
  };
  // biome-ignore lint/style/noDefaultExport: the package is CommonJS, and the default is its whole.
  export default smpp;
}
