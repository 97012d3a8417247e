// What is known of an extension's phones at this moment, as opposed to what is stored about it.

export type PhoneState = "unregistered" | "registered" | "talking";

export type PhoneStates = { stateOf(exchangeId: number, extension: string): PhoneState };

/** An exchange without a registrar: true until phones can register. */
export const nobodyRegistered: PhoneStates = { stateOf: () => "unregistered" };
