// Every Debian package that Santral, its tests, benches or cluster on one machine need, and how to see that it is there.
// Plain JavaScript without dependencies, since setup.mjs needs it before anything is installed.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * A command, library or path shows that it is there.
 * `without`: what lacks when it does not, to Santral itself or, with `forTests`, to its tests.
 * `cluster`: what npm run cluster needs it for. `forBenches`: npm run bench needs it.
 */
const packages = [
  { package: "ffmpeg", command: "ffmpeg", without: "sound files cannot be converted" },
  {
    package: "libmp3lame0",
    library: "libmp3lame.so.0",
    without: "recordings take more of the processor to become MP3",
  },
  { package: "espeak-ng", command: "espeak-ng", without: "nothing can be spoken" },
  {
    package: "libspandsp2",
    library: "libspandsp.so.2",
    without: "no faxes go or come, and G.722 costs four times as much",
  },
  { package: "libopus0", library: "libopus.so.0", without: "the codec opus costs three times as much" },
  { package: "libspeexdsp1", library: "libspeexdsp.so.1", without: "calls between wide and narrow codecs cost more" },
  { package: "libgsm1", library: "libgsm.so.1", without: "the codec GSM is not spoken" },
  { package: "libspeex1", library: "libspeex.so.1", without: "the codec speex is not spoken" },
  { package: "libopencore-amrnb0", library: "libopencore-amrnb.so.0", without: "the codec AMR is not spoken" },
  { package: "libopencore-amrwb0", library: "libopencore-amrwb.so.0", without: "the codec AMR-WB is not spoken" },
  { package: "libvo-amrwbenc0", library: "libvo-amrwbenc.so.0", without: "the codec AMR-WB is not spoken" },
  { package: "curl", command: "curl", without: "the README's examples cannot be typed in" },
  { package: "postgresql-15", path: "/usr/lib/postgresql", cluster: "the database and its standby" },
  {
    ...{ package: "kamailio", command: "kamailio", cluster: "the SIP proxy at the edge" },
    ...{ forTests: true, forBenches: true, without: "tests with a proxy between fail" },
  },
  {
    ...{ package: "kamailio-tls-modules", library: "kamailio/modules/tls.so", cluster: "its door for phones over TLS" },
    ...{ forTests: true, without: "tests with a proxy over TLS fail" },
  },
  {
    ...{ package: "rtpengine-daemon", command: "rtpengine", cluster: "the relay for voice at the edge" },
    ...{ forTests: true, forBenches: true, without: "tests with a media relay between fail" },
  },
  {
    ...{ package: "baresip", command: "baresip", cluster: "telephones that are not ours, for the drills" },
    ...{ forTests: true, without: "tests with real phones fail" },
  },
  {
    ...{ package: "sip-tester", command: "sipp", cluster: "SIPp, carriers that are not ours, for the drills" },
    ...{ forTests: true, forBenches: true, without: "tests with real phones fail" },
  },
  {
    ...{ package: "openssl", command: "openssl", cluster: "certificates for SIP over TLS" },
    ...{ forTests: true, without: "tests over TLS fail" },
  },
  { package: "linphone-cli", command: "linphonec", forTests: true, without: "tests with real phones fail" },
  { package: "chromium", command: "chromium", forTests: true, forBenches: true, without: "tests with a browser fail" },
  { package: "radicale", command: "radicale", forTests: true, without: "tests with an address book elsewhere fail" },
  { package: "rclone", command: "rclone", forTests: true, without: "tests with a WebDAV store fail" },
  { package: "faketime", command: "faketime", forTests: true, without: "tests in which a clock is set fail" },
  { package: "wrk", command: "wrk", forBenches: true, without: "the HTTP door is not measured" },
  { package: "gcc", command: "gcc", forBenches: true, without: "nothing with voice is measured" },
  { package: "libc6-dev", path: "/usr/include/stdio.h", forBenches: true, without: "nothing with voice is measured" },
  { package: "libbcg729-0", library: "libbcg729.so.0", forTests: true, without: "tests with G.729 fail" },
];

export const toRun = packages.filter((it) => it.without && !it.forTests && !it.forBenches);
export const toTest = packages.filter((it) => it.forTests);
export const toBench = packages.filter((it) => it.forBenches);
export const forCluster = packages.filter((it) => it.cluster);

export function isInstalled({ command, library, path }) {
  if (path) return existsSync(path);
  return library ? hasLibrary(library) : hasCommand(command);
}

export const hasCommand = (command) => succeeds("sh", ["-c", `command -v ${command}`]);

/** Root, or somebody who becomes it without a word. */
export const asRoot = () => (process.getuid?.() === 0 ? [] : ["sudo", "-n"]);
export const mayInstall = () => asRoot().length === 0 || succeeds("sudo", ["-n", "true"]);

export function succeeds(command, words, stdio = "ignore") {
  return spawnSync(command, words, { stdio }).status === 0;
}

// `ldconfig` is not on everybody's path, and does not know of libraries that were copied in by hand.
function hasLibrary(name) {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];
  return folders.some((folder) => [folder, ...subfolders(folder)].some((place) => existsSync(join(place, name))));
}

function subfolders(folder) {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true });
  return inside.filter((it) => it.isDirectory() && it.name.includes("linux")).map((it) => join(folder, it.name));
}
