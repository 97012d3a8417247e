// Which microphone and speaker, how loud it rings, which language.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LANGUAGES, type Language, languages } from "../../../src/languages.ts";
import { type Device, devices } from "../sound.ts";
import { useShown } from "./shown.ts";

export function SettingsView(): JSX.Element {
  const { phone, state, words } = useShown();
  const { choices } = state;
  return (
    <section class="view settings">
      <h1>{words.settings}</h1>
      <DevicePicker what="microphone" />
      <Level />
      <DevicePicker what="speaker" />
      <DevicePicker what="ringer" />
      <label>
        <span>{words.ringVolume}</span>
        <input
          type="range"
          min="0"
          max="100"
          value={choices.ringVolume}
          onChange={({ currentTarget }) => phone.choose({ ringVolume: Number(currentTarget.value) })}
        />
      </label>
      <button type="button" class="chip wide" onClick={() => phone.sounds.tryOut()}>
        {words.test}
      </button>
      <label class="row">
        <input
          type="checkbox"
          checked={choices.cleanSound}
          onChange={({ currentTarget }) => phone.choose({ cleanSound: currentTarget.checked })}
        />
        <span>{words.noise}</span>
      </label>
      {window.parent !== window && (
        <label class="row">
          <input
            type="checkbox"
            checked={choices.staysReady}
            onChange={({ currentTarget }) => phone.choose({ staysReady: currentTarget.checked })}
          />
          <span>{words.staysReady}</span>
        </label>
      )}
      <label>
        <span>{words.language}</span>
        <select
          value={choices.language}
          onChange={({ currentTarget }) => phone.choose({ language: currentTarget.value as Language })}
        >
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {languages[language].name}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

const kinds = { microphone: "audioinput", speaker: "audiooutput", ringer: "audiooutput" } as const;

function DevicePicker({ what }: { what: keyof typeof kinds }): JSX.Element {
  const { phone, state, words } = useShown();
  const [known, show] = useState<Device[]>([]);
  const kind = kinds[what];
  useEffect(() => {
    const look = () => void devices(kind).then(show);
    look();
    navigator.mediaDevices?.addEventListener("devicechange", look);
    return () => navigator.mediaDevices?.removeEventListener("devicechange", look);
  }, [kind]);
  return (
    <label>
      <span>{words[what]}</span>
      <select
        value={state.choices[what]}
        onChange={({ currentTarget }) => phone.choose({ [what]: currentTarget.value })}
      >
        <option value="">{what === "ringer" ? words.likeSpeaker : words.byDefault}</option>
        {known.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The microphone is open only while this is looked at. */
function Level(): JSX.Element {
  const { phone, state, words } = useShown();
  const [level, show] = useState(0);
  const { microphone } = state.choices;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another microphone is opened anew
  useEffect(() => {
    let stop: () => void = () => undefined;
    let isWanted = true;
    void phone.sounds.microphone().then((stream) => {
      if (!stream) return;
      const stopMeter = isWanted ? phone.sounds.meter(stream, show) : () => undefined;
      stop = () => {
        stopMeter();
        for (const track of stream.getTracks()) track.stop();
      };
      if (!isWanted) stop();
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, [phone, microphone]);
  return <meter class="meter" min={0} max={1} value={level} aria-label={words.level} />;
}
