// What a supervisor may do with a call that is up: listen, whisper, join, take it over, send it elsewhere, end it.

import { ActionIcon, Group, Menu, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { CallNow, ListenerNow } from "../../../src/exchange/panel.ts";
import type { OperationName } from "../../ask/ask.ts";
import { useSession, useWhyNot } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CancelButton } from "../../ui/form-drawer.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { TargetPicker } from "../../ui/target-picker.tsx";
import { Unsaved } from "../../ui/unsaved.ts";
import { useWords } from "../../words/language.tsx";
import { deskTexts, texts } from "./texts.ts";

export type Mode = ListenerNow["mode"] | "take-over";

export const MODES: readonly ListenerNow["mode"][] = ["listen", "whisper", "join"];

/** On this very call: by the time it is asked for, the extension may have another. */
export function useSupervise() {
  const words = useWords(deskTexts);
  const ask = useDo("calls.supervise");
  const { extension: own } = useSession();
  return {
    isBusy: ask.isBusy,
    whyNot: own === null ? words.noPhone : undefined,
    supervise: (uuid: string, extension: string, mode: Mode) => void ask({ uuid, extension, mode }),
  };
}

export function CallActions({ call }: { call: CallNow }) {
  const words = useWords(texts);
  const hangUp = useDo("calls.hangUp", words.hungUp);
  return (
    <>
      <MoreActions call={call} />
      <DoIcon
        does="calls.hangUp"
        icon="hangup"
        color="red"
        label={`${words.hangUp}: ${call.caller}`}
        act={() => void hangUp({ uuid: call.uuid })}
      />
    </>
  );
}

function MoreActions({ call }: { call: CallNow }) {
  const words = useWords(deskTexts);
  const { extension: own } = useSession();
  const { supervise, whyNot } = useSupervise();
  const [isSending, { open, close }] = useDisclosure(false);
  const { uuid, extensions } = call;
  const watched = call.state === "talking" ? extensions.filter((number) => number !== own) : [];
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label={words.more(call.caller)}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {watched.flatMap((extension) =>
            ([...MODES, "take-over"] as const).map((mode) => (
              <Item
                key={`${extension} ${mode}`}
                does="calls.supervise"
                icon={icons[mode]}
                whyNot={whyNot}
                label={watched.length > 1 ? `${words[mode]}: ${extension}` : words[mode]}
                act={() => supervise(uuid, extension, mode)}
              />
            )),
          )}
          <Item does="calls.send" icon="inside" label={words.send} act={open} />
        </Menu.Dropdown>
      </Menu>
      {isSending && <SendElsewhere call={call} close={close} />}
    </>
  );
}

const icons: Record<Mode, IconName> = { listen: "sound", whisper: "person", join: "people", "take-over": "call" };

function Item(props: { does: OperationName; icon: IconName; label: string; whyNot?: string | undefined; act(): void }) {
  const forbidden = useWhyNot(props.does);
  const whyNot = forbidden ?? props.whyNot;
  return (
    <Menu.Item
      leftSection={<Icon name={props.icon} size={16} />}
      disabled={whyNot !== undefined}
      title={whyNot}
      onClick={props.act}
    >
      {props.label}
    </Menu.Item>
  );
}

function SendElsewhere({ call, close }: { call: CallNow; close(): void }) {
  const words = useWords(deskTexts);
  const [target, setTarget] = useState("");
  const send = useDo("calls.send", words.sent);
  const act = () => void send({ uuid: call.uuid, target }).then((done) => done !== undefined && close());
  return (
    <Dialog opened close={close} title={words.sendTitle(call.caller)}>
      <Stack>
        <Unsaved when={target !== ""} />
        <TargetPicker
          label={words.sendTo}
          about={words.sendAbout}
          value={target}
          change={(next) => setTarget(next ?? "")}
          orNothing={false}
          place="menu"
        />
        <Group justify="flex-end">
          <CancelButton />
          <DoButton does="calls.send" act={act} loading={send.isBusy}>
            {words.sendNow}
          </DoButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
