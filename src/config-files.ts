// The settings of the bucket for files: where it is, as whom it is asked, and how much of it may lie here.

import type { S3Place } from "./archive/s3-requests.ts";
import type { Setting, Unreadable } from "./config-addresses.ts";
import { optional } from "./config-words.ts";

export type FilesUrl = { endpoint: string; bucket: string; prefix: string; key: string; secret: string };

export type FilesConfig = {
  filesUrl: FilesUrl | undefined;
  filesKey: string | undefined;
  filesSecret: string | undefined;
  filesRegion: string | undefined;
  filesCacheBytes: number;
};

export const filesSettings: { [Name in keyof FilesConfig]: Setting<FilesConfig[Name]> } = {
  filesUrl: {
    variable: "SANTRAL_FILES_URL",
    means:
      "an S3 bucket that keeps recordings and other files, as https://host/bucket/prefix; the data folder otherwise",
    byDefault: "",
    read: filesUrl,
  },
  filesKey: {
    variable: "SANTRAL_FILES_KEY",
    means: "the access key of that bucket; it may also stand in the URL, as https://key:secret@host/bucket",
    byDefault: "",
    read: optional,
  },
  filesSecret: {
    variable: "SANTRAL_FILES_SECRET",
    means: "the secret that belongs to the access key",
    byDefault: "",
    read: optional,
  },
  filesRegion: {
    variable: "SANTRAL_FILES_REGION",
    means: "the region of the bucket; by default that in an Amazon host's name, else us-east-1",
    byDefault: "",
    read: (text) => (/^[a-z0-9-]{0,40}$/.test(text) ? optional(text) : { unreadable: "a region such as eu-central-1" }),
  },
  filesCacheBytes: {
    variable: "SANTRAL_FILES_CACHE",
    means: "how much the data folder may keep of files that are safely in the bucket, such as 500MB or 1TB",
    byDefault: "20GB",
    read: byteCount,
  },
};

const WANTED =
  "https://host/bucket or https://host/bucket/prefix, with a key and secret percent-encoded if they stand in it";
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,62}$/i;
const WORD = /^[\w.-]{1,100}$/;

function filesUrl(text: string): FilesUrl | undefined | Unreadable {
  if (text === "") return undefined;
  if (!URL.canParse(text)) return { unreadable: WANTED };
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  const words = pathname.split("/").filter((word) => word !== "");
  const [bucket = "", ...prefix] = words;
  const isWhole = (protocol === "https:" || protocol === "http:") && host !== "" && search === "" && hash === "";
  if (!isWhole || !BUCKET.test(bucket) || !prefix.every((word) => WORD.test(word) && !/^\.+$/.test(word)))
    return { unreadable: WANTED };
  const [key, secret] = [decoded(username), decoded(password)];
  if (key === undefined || secret === undefined) return { unreadable: WANTED };
  return { endpoint: `${protocol}//${host}`, bucket, prefix: prefix.join("/"), key, secret };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const UNITS: Record<string, number> = { "": 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function byteCount(text: string): number | Unreadable {
  const [, digits = "", unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?) ?([kmgt]b)?$/i.exec(text) ?? [];
  const bytes = Number(digits === "" ? Number.NaN : digits) * (UNITS[unit.toUpperCase()] ?? Number.NaN);
  return Number.isSafeInteger(Math.round(bytes))
    ? Math.round(bytes)
    : { unreadable: "a size such as 500MB, 20GB or 1TB" };
}

/** What the settings say together; undefined where no bucket is set. */
export function filesPlace(config: FilesConfig): S3Place | undefined {
  const { filesUrl, filesKey, filesSecret, filesRegion } = config;
  if (!filesUrl) return undefined;
  const { endpoint, bucket, prefix, key, secret } = filesUrl;
  const [, named] = /\bs3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com/.exec(endpoint) ?? [];
  return {
    endpoint,
    bucket,
    prefix,
    addressing: "path",
    region: filesRegion ?? named ?? "us-east-1",
    accessKey: filesKey ?? key,
    secretKey: filesSecret ?? secret,
  };
}

/** What no setting by itself is wrong about. */
export function filesProblems(config: Partial<FilesConfig>): string[] {
  const { filesUrl, filesKey, filesSecret } = config;
  if (!filesUrl) return [];
  const hasLogin = (filesKey ?? filesUrl.key) !== "" && (filesSecret ?? filesUrl.secret) !== "";
  return hasLogin ? [] : ["SANTRAL_FILES_URL needs SANTRAL_FILES_KEY and SANTRAL_FILES_SECRET"];
}
