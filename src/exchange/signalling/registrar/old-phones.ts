// Phones that give up when a challenge names a digest they do not know, although they should take the one they do.

const OLD: readonly RegExp[] = [
  /^baresip v?[01]\./i, // libre before 2.0: any algorithm but MD5 ends the registration
  /^sipp\b/i, // takes the first challenge, whatever it asks
];

/** These are offered MD5 alone; everybody else SHA-256 first, as RFC 8760 wants it. One that does not say who it is, is old. */
export function knowsOnlyMd5(userAgent: string | undefined): boolean {
  return !userAgent || OLD.some((name) => name.test(userAgent));
}
