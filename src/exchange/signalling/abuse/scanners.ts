// The names that scanning tools give themselves when nobody told them to hide.

const NAMES = [
  ...["friendly-scanner", "sipvicious", "sundayddr", "sip-scan", "sipsak", "sipcli", "iwar", "vaxsipuseragent"],
  ...["vaxasip", "pplsip", "gulp", "smap", "siparmyknife", "test agent", "friendly-request", "eyebeam release 3006"],
  ...["sivus", "sipptk", "mr.sip", "sipfinder", "voipbuster scanner", "nmap", "masscan", "zgrab"],
];

/** True for a User-Agent that only a scanner carries. */
export function isScanner(userAgent: string): boolean {
  if (userAgent === "") return false;
  const name = userAgent.slice(0, 200).toLowerCase();
  return NAMES.some((scanner) => name.includes(scanner));
}
