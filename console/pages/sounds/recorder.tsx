// An announcement by one's own voice: the microphone of this computer, for as long as the button is on.

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";
import { dataUrlOf } from "../../ui/files.ts";
import { Icon } from "../../ui/icon.tsx";
import { inBoth, useWords } from "../../words/language.tsx";

const texts = inBoth({
  record: { tr: "Mikrofonla kaydet", en: "Record" },
  stop: { tr: "Kaydı bitir", en: "Stop recording" },
  named: { tr: "Kayıt", en: "Recording" },
  noMicrophone: { tr: "Mikrofona ulaşılamadı.", en: "The microphone cannot be reached." },
});

export function Recorder({ keep }: { keep(name: string, content: string): Promise<unknown> }) {
  const words = useWords(texts);
  const [isOn, setOn] = useState(false);
  const recorder = useRef<MediaRecorder>(undefined);
  const begin = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const parts: Blob[] = [];
    const mine = new MediaRecorder(stream);
    recorder.current = mine;
    mine.ondataavailable = ({ data }) => parts.push(data);
    mine.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      setOn(false);
      const file = new File(parts, "recording.ogg", { type: mine.mimeType });
      void dataUrlOf(file).then((content) => keep(`${words.named} ${new Date().toLocaleString()}`, content));
    };
    mine.start();
    setOn(true);
  };
  const start = () =>
    void begin().catch(() => notifications.show({ message: words.noMicrophone, color: "red", autoClose: 8_000 }));
  return (
    <Button
      variant="light"
      color={isOn ? "red" : "brand"}
      leftSection={<Icon name="record" />}
      onClick={isOn ? () => recorder.current?.stop() : start}
    >
      {isOn ? words.stop : words.record}
    </Button>
  );
}
