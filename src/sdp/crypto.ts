// Keys of SRTP in a session description (RFC 4568, RFC 7714): the suites we know, and the a=crypto line that names one.

/** Octets of the master key and its salt together. */
export const cryptoSuites = {
  AES_CM_128_HMAC_SHA1_80: 30,
  AEAD_AES_256_GCM: 44,
  AEAD_AES_128_GCM: 28,
  AES_CM_128_HMAC_SHA1_32: 30,
} as const;

export type CryptoSuite = keyof typeof cryptoSuites;

/** In the order in which we offer them: what every phone knows comes first. */
export const suiteNames = Object.keys(cryptoSuites) as CryptoSuite[]; // a closed record

/** A key of ours for each suite, in base64. */
export type SuiteKeys = Record<CryptoSuite, string>;

export type Crypto = { tag: string; suite: CryptoSuite; key: string };

/** Parameters that change nothing for us; any other must be understood (RFC 4568 section 6.3). */
const HARMLESS = /^(WSH=\d{1,5}|KDR=0)$/;

/** "1 AES_CM_128_HMAC_SHA1_80 inline:<key>|2^31|1:1"; an empty list for a line we cannot follow. */
export function readCrypto(value: string): Crypto[] {
  const [tag = "", suite = "", params = "", ...session] = value.trim().split(/ +/);
  const key = /^inline:([A-Za-z0-9+/]{1,80}={0,2})(?:[|;]|$)/.exec(params)?.[1];
  if (!/^\d{1,9}$/.test(tag) || key === undefined || !isSuite(suite)) return [];
  const fits = octetsIn(key) === cryptoSuites[suite] && session.every((one) => HARMLESS.test(one));
  return fits ? [{ tag, suite, key }] : [];
}

export function printCrypto({ tag, suite, key }: Crypto): string {
  return `${tag} ${suite} inline:${key}`;
}

function isSuite(name: string): name is CryptoSuite {
  return Object.hasOwn(cryptoSuites, name);
}

function octetsIn(base64: string): number {
  return Math.floor((base64.replace(/(?<!=)=+$/, "").length * 3) / 4);
}
