// A SIP message as plain data: the start line, every header in order, and the body byte for byte.

/** `name` is in its canonical long form ("Via", "Call-ID"); `value` is unfolded and trimmed. */
export type Header = { name: string; value: string };

/** Bytes as a latin1 string: one character is one octet, so nothing is lost between the wire and here. */
export type Octets = string;

export type Request = { is: "request"; method: string; uri: string; headers: Header[]; body: Octets };
export type Response = { is: "response"; status: number; reason: string; headers: Header[]; body: Octets };
export type Message = Request | Response;

/** The first header of that name. */
export function headerOf(message: Pick<Message, "headers">, name: string): string | undefined {
  for (const header of message.headers) if (header.name === name) return header.value;
  return undefined;
}

export function headersOf(message: Message, name: string): string[] {
  return message.headers.filter((header) => header.name === name).map((header) => header.value);
}
