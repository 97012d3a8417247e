// The methods that exist: refusing one of these is "not allowed", refusing any other "not implemented".

const KNOWN_METHODS = new Set([
  ...["INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "REGISTER", "PRACK", "SUBSCRIBE", "NOTIFY", "PUBLISH", "INFO"],
  ...["REFER", "MESSAGE", "UPDATE"],
]);

export const isKnownMethod = (method: string): boolean => KNOWN_METHODS.has(method);
