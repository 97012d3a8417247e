// What callers hear of the exchange itself: sentences, sounds of its own, and music.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { CallNeeds } from "../exchange/call-desk.ts";
import type { OpenTurns } from "../fair-turns.ts";
import type { Objects } from "../objects/objects.ts";
import type { RunProgram } from "../programs/program.ts";
import { openSpeech, type Speech } from "../speech/tts.ts";
import { espeakVoice } from "../speech/voices/espeak.ts";
import { httpVoice } from "../speech/voices/http.ts";
import { findAnnouncement } from "../store/announcements.ts";
import type { Database } from "../store/db.ts";

/** Without a file of its own an exchange plays a quiet two-tone loop, so that nobody thinks the line is dead. */
const PLAIN_MUSIC = "392/600,0/200,494/600,0/1600";

type SpeechNeeds = {
  config: Config;
  clock: Clock;
  speech: string;
  runProgram: RunProgram;
  openTurns?: OpenTurns | undefined;
};

export function openVoices({ config, clock, speech: folder, runProgram, openTurns }: SpeechNeeds): Speech {
  const voices = [...(config.voiceUrl === undefined ? [] : [httpVoice(config.voiceUrl)]), espeakVoice(runProgram)];
  return openSpeech({ clock, folder, voices, openTurns });
}

type VoiceNeeds = { db: Database; objects: Objects; holdMusic: string | undefined };

export function voiceOf(needs: VoiceNeeds, speech: Speech): CallNeeds["voice"] {
  const music = needs.holdMusic;
  return {
    sound: soundsIn(needs),
    speak: speech.say,
    holdMusic: [music === undefined ? { is: "tone", spec: PLAIN_MUSIC } : { is: "file", path: music }],
  };
}

function soundsIn({ db, objects }: VoiceNeeds) {
  return async (exchangeId: number, id: number) => {
    const found = await findAnnouncement(db, exchangeId, id);
    return found && objects.toPlay(found.objectKey);
  };
}
