// The person's own web phone, in a corner of the console; it stays while pages change.

import { ActionIcon, Indicator, Paper } from "@mantine/core";
import { useState } from "react";
import { useSession, useWhyNot } from "../ask/session.tsx";
import { useDo } from "../ask/use-ask.ts";
import { Icon } from "../ui/icon.tsx";
import { inBoth, useLanguage, useWords } from "../words/language.tsx";

const texts = inBoth({
  open: { tr: "Web telefonunu aç", en: "Open the web phone" },
  close: { tr: "Web telefonunu gizle", en: "Hide the web phone" },
  phone: { tr: "Web telefonu", en: "Web phone" },
});

export function PhonePanel() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { extension } = useSession();
  const whyNot = useWhyNot("webphone.open");
  const openPhone = useDo("webphone.open");
  // Fixed when it is opened: another address would load the phone anew, in the middle of a call.
  const [address, setAddress] = useState<string>();
  const [isShown, show] = useState(false);
  if (extension === null || whyNot) return null;
  const toggle = async () => {
    if (address === undefined) {
      const opened = await openPhone({});
      if (!opened) return;
      setAddress(`/webphone?token=${opened.token}&lang=${language}`);
    }
    show((before) => !before);
  };
  return (
    <>
      <Indicator disabled={address === undefined} color="teal" size={8} offset={6}>
        <ActionIcon
          variant="subtle"
          size="lg"
          onClick={() => void toggle()}
          aria-label={isShown ? words.close : words.open}
          aria-expanded={isShown}
        >
          <Icon name="call" />
        </ActionIcon>
      </Indicator>
      {address !== undefined && (
        // Hidden and not taken away: a call goes on while somebody looks at something else.
        <Paper className="surface phone" shadow="lg" hidden={!isShown}>
          <iframe
            title={words.phone}
            src={address}
            width={275}
            height={620}
            allow="microphone; autoplay; speaker-selection"
          />
        </Paper>
      )}
    </>
  );
}
