// Numbers that cost whoever calls them far more than a call does, by country calling code: what toll fraud dials.
//
// Sources: for countries the kinds "premium rate", "shared cost" and "personal number" of libphonenumber 8.13.48
// (Apache 2.0, github.com/google/libphonenumber), reduced to the shortest prefixes under which it knows no other kind of
// number; for what belongs to no country the ITU's list of E.164 country codes (870 Inmarsat, 881 GMSS, 882 and 883
// networks, 979 premium rate, 808 shared cost, 878 UPT); for 592 in Türkiye BTK's numbering plan, where Globalstar has it.
// Where such a range begins with the same digits as ordinary numbers do (in Ireland, Malaysia, Thailand, Lebanon, the
// Maldives and Cambodia) it is not here.

type Ranges = { premium?: string; shared?: string; personal?: string; satellite?: string };

/** The whole code: no country's. */
const EVERY = "";

const ranges: Readonly<Record<string, Ranges>> = {
  "1": { premium: "24697 34597 900", personal: "500 521 522 523 524 525 526 527 528 529 533 544 566 577 588 622" }, // NANP
  "7": { premium: "803 809", personal: "808" }, // KZ,RU
  "20": { premium: "90" }, // EG
  "27": { premium: "862 863 864 865 866 867 868 869 9", shared: "860" }, // ZA
  "30": { premium: "90", shared: "801 806 81 82 85 87", personal: "7" }, // GR
  "31": { premium: "90" }, // NL
  "32": { premium: "70 90", shared: "7879" }, // BE
  "33": { premium: "81 82 83 85 86 88 89", shared: "84" }, // FR
  "34": { premium: "803 806 807", shared: "901 902", personal: "70" }, // ES
  "36": { premium: "90 91" }, // HU
  "39": { premium: "0878 1 89", shared: "84" }, // IT,VA
  "40": { premium: "9", shared: "801" }, // RO
  "41": { premium: "90", shared: "84", personal: "87" }, // CH
  "43": { premium: "86 89 9", shared: "81 82" }, // AT
  "44": { premium: "84 87 9", personal: "70" }, // GB,GG,IM,JE
  "45": { premium: "90" }, // DK
  "46": { premium: "649 900 939 944 99", shared: "77", personal: "75" }, // SE
  "47": {
    premium: "82",
    shared: "81000 81001 81002 81003 81004 81005 81006 8102 8103 8104 8105 8106 8107 8108",
    personal: "88",
  }, // NO,SJ
  "48": { premium: "70", shared: "801" }, // PL
  "49": { premium: "13 900", shared: "180", personal: "700" }, // DE
  "51": { premium: "805", shared: "801", personal: "802 804" }, // PE
  "52": { premium: "90", shared: "30", personal: "50" }, // MX
  "53": { shared: "807" }, // CU
  "54": { premium: "60" }, // AR
  "55": { premium: "30 50 90", shared: "40" }, // BR
  "56": { shared: "60" }, // CL
  "57": { premium: "19 90" }, // CO
  "58": { premium: "9" }, // VE
  "61": { premium: "19", shared: "13" }, // AU,CC,CX
  "62": { premium: "809", shared: "804" }, // ID
  "64": { premium: "1 500 503 506 507 90", personal: "70" }, // NZ
  "65": { premium: "19" }, // SG
  "81": { premium: "990", personal: "60" }, // JP
  "82": { premium: "60", personal: "50" }, // KR
  "84": { premium: "190" }, // VN
  "86": { premium: "160 168", shared: "40 950" }, // CN
  "90": { premium: "888 898 900", satellite: "592" }, // TR
  "91": { premium: "1861", shared: "1860" }, // IN
  "92": { premium: "90", personal: "1" }, // PK
  "212": { premium: "89" }, // EH,MA
  "213": { premium: "803 804 805 806 808 809", shared: "801 802" }, // DZ
  "216": { premium: "88", shared: "811 82" }, // TN
  "221": { premium: "88", shared: "81" }, // SN
  "227": { premium: "09" }, // NE
  "230": { premium: "30" }, // MU
  "231": { premium: "332" }, // LR
  "236": { premium: "8" }, // CF
  "240": { premium: "9" }, // GQ
  "242": { premium: "8" }, // CG
  "248": { premium: "85" }, // SC
  "250": { premium: "9" }, // RW
  "254": { premium: "9" }, // KE
  "255": { premium: "9", shared: "84 86" }, // TZ
  "256": { premium: "9" }, // UG
  "262": { premium: "89", shared: "81 82 88" }, // RE,YT
  "264": { premium: "87" }, // NA
  "267": { premium: "9" }, // BW
  "268": { premium: "9" }, // SZ
  "269": { premium: "8" }, // KM
  "297": { premium: "90" }, // AW
  "298": { premium: "90" }, // FO
  "351": { premium: "601 607 608 64 76", shared: "808 809", personal: "88" }, // PT
  "352": { premium: "900 901 905", shared: "801" }, // LU
  "353": { personal: "70" }, // IE
  "354": { premium: "90" }, // IS
  "355": { premium: "9", shared: "808", personal: "7" }, // AL
  "356": { premium: "500 506 507 509 51 52" }, // MT
  "357": { premium: "90", shared: "801 802 803 804 805 806 807 808 809", personal: "70" }, // CY
  "358": { premium: "600 700" }, // AX,FI
  "359": { premium: "90", shared: "700" }, // BG
  "370": { premium: "900 902 903 909 91", shared: "808", personal: "700 705" }, // LT
  "371": { premium: "9", shared: "81" }, // LV
  "372": { premium: "40 9", personal: "70" }, // EE
  "373": { premium: "9", shared: "808" }, // MD
  "374": { premium: "90", shared: "801 802 803 804" }, // AM
  "375": { premium: "81 9" }, // BY
  "376": {
    premium: "10 11 12 13 14 15 16 17 1801 1803 1804 1805 1806 1807 1808 1809 181 182 183 184 185 186 187 188 189 19 9",
  }, // AD
  "378": { premium: "7" }, // SM
  "380": { premium: "90" }, // UA
  "381": { premium: "78 9" }, // RS
  "382": { premium: "9" }, // ME
  "383": { premium: "9" }, // XK
  "385": { premium: "60 61 64 65 69", personal: "74 75" }, // HR
  "386": { premium: "89 9" }, // SI
  "387": { premium: "9", shared: "81 82" }, // BA
  "389": { premium: "5", shared: "801 802 803 804 805 806 807 808 809 81 82 83 84 85 86 87 88 89" }, // MK
  "420": { premium: "90 976", shared: "81 83 84", personal: "700 701" }, // CZ
  "421": { premium: "900 97 98", shared: "85 86 87 88 89" }, // SK
  "423": { premium: "9" }, // LI
  "502": { premium: "19" }, // GT
  "503": { premium: "9" }, // SV
  "506": { premium: "9" }, // CR
  "507": { premium: "822 855 86 877 878 886 900 981" }, // PA
  "592": { premium: "9" }, // GY
  "598": { premium: "90" }, // UY
  "599": { shared: "6" }, // BQ,CW
  "670": { premium: "9", personal: "70" }, // TL
  "687": { premium: "36" }, // NC
  "852": { premium: "900", personal: "81 82 83" }, // HK
  "886": { premium: "20", personal: "99" }, // TW
  "962": { premium: "9", shared: "85", personal: "70" }, // JO
  "966": { premium: "9" }, // SA
  "968": { premium: "900" }, // OM
  "970": { shared: "17" }, // PS
  "971": { premium: "90", shared: "70" }, // AE
  "972": { premium: "120 121 19", shared: "17" }, // IL
  "973": { premium: "87 9", shared: "84" }, // BH
  "994": { premium: "90" }, // AZ
  "808": { shared: EVERY },
  "870": { satellite: EVERY },
  "878": { personal: EVERY },
  "881": { satellite: EVERY },
  "882": { satellite: EVERY },
  "883": { satellite: EVERY },
  "979": { premium: EVERY },
};

type DearKind = keyof Ranges & ("premium" | "shared" | "personal" | "satellite");

/** As prefixes of E.164 numbers. */
const dearPrefixes: readonly { prefix: string; kind: DearKind }[] = Object.entries(ranges).flatMap(([code, kinds]) =>
  Object.entries(kinds).flatMap(
    ([kind, prefixes]) => prefixes.split(" ").map((rest) => ({ prefix: code + rest, kind: kind as DearKind })), // a key of that record
  ),
);

const known = new Map(dearPrefixes.map(({ prefix, kind }) => [prefix, kind]));
const LONGEST = Math.max(...dearPrefixes.map(({ prefix }) => prefix.length));

/** Which kind of dear number it is, if it is one. */
export function dearKind(e164: string): DearKind | undefined {
  for (let length = 1; length <= LONGEST; length++) {
    const kind = known.get(e164.slice(0, length));
    if (kind) return kind;
  }
  return undefined;
}
