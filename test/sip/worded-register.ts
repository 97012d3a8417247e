// A REGISTER as phones send it: whoever asks in few words is not told as much by a datagram.

const AS_WORDY = `Allow: ${"INVITE, ACK, BYE, CANCEL, OPTIONS, ".repeat(12)}NOTIFY\r\n`;

let sequence = 0;

/** `extra`: headers, each with its line end. */
export function register(user: string, extra = ""): string {
  const id = `x${++sequence}`;
  return (
    `REGISTER sip:a.example SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK${id};rport\r\nMax-Forwards: 70\r\n` +
    `From: <sip:${user}@a.example>;tag=${id}\r\nTo: <sip:${user}@a.example>\r\nCall-ID: ${id}\r\n` +
    `CSeq: 1 REGISTER\r\nContact: <sip:${user}@127.0.0.1:5999>\r\n${AS_WORDY}${extra}Content-Length: 0\r\n\r\n`
  );
}
