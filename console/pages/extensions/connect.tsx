// What a phone is set up with: as text to copy, and as a QR code that softphones scan.

import { Alert, Button, Center, Divider, Loader, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { renderSVG } from "uqr";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton, Facts } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { sipAddress } from "./sip-address.ts";
import { connectTexts, texts } from "./texts.ts";

type Door = Reply<"extensions.phoneDoors">["doors"][number];
type Transport = Door["transport"];

/** The password is known only when it has just been made. */
export type Connected = { number: string; password?: string };

/** What most softphones manage best behind the routers of this world. */
const USUAL: Transport = "tcp";

export function Connect({ phone: given, close }: { phone: Connected; close(): void }) {
  const words = useWords(connectTexts);
  const general_ = useWords(general);
  const { secretTitle } = useWords(texts);
  const { data } = useAsk("extensions.phoneDoors", {});
  const [chosen, choose] = useState<Transport>();
  const [renewed, renew] = useState<Connected>();
  const phone = renewed ?? given;
  const door = data && (data.doors.find(({ transport }) => transport === (chosen ?? USUAL)) ?? data.doors[0]);
  return (
    <Dialog opened close={close} title={`${secretTitle} ${phone.number}`} size="lg">
      <Stack>
        {phone.password !== undefined && (
          <Alert color="yellow" icon={<Icon name="key" />}>
            {general_.shownOnce}
          </Alert>
        )}
        {data && data.doors.length > 0 && (
          <SegmentedControl
            aria-label={words.transport}
            value={door?.transport ?? USUAL}
            onChange={(next) => choose(next as Transport)} // one of the doors
            data={[...new Set(data.doors.map(({ transport }) => transport))].map((value) => ({
              value,
              label: value.toUpperCase(),
            }))}
          />
        )}
        {data ? <Account phone={phone} sipDomain={data.sipDomain} door={door} /> : <Loader />}
        {data && door && (
          <Codes
            key={`${door.transport} ${phone.password}`}
            {...{ phone, sipDomain: data.sipDomain, door, renew }}
            showsAddress={renewed !== undefined}
          />
        )}
        <Button variant="default" onClick={close}>
          {general_.close}
        </Button>
      </Stack>
    </Dialog>
  );
}

type AccountProps = { phone: Connected; sipDomain: string; door: Door | undefined };

function Account({ phone: { number, password }, sipDomain, door }: AccountProps) {
  const words = useWords(connectTexts);
  const account = useWords(texts);
  const server: [string, string][] = door
    ? [
        [words.server, door.host],
        [words.port, String(door.port)],
        [words.transport, door.transport.toUpperCase()],
      ]
    : [];
  const secret: [string, string][] = password === undefined ? [] : [[account.password, password]];
  return <Facts facts={[[account.user, number], [account.domain, sipDomain], ...secret, ...server]} />;
}

type CodesProps = {
  phone: Connected;
  sipDomain: string;
  door: Door;
  showsAddress: boolean;
  renew(phone: Connected): void;
};

function Codes({ phone: { number, password }, sipDomain, door, showsAddress, renew }: CodesProps) {
  const words = useWords(connectTexts);
  const { time } = useStamps();
  const invite = useDo("extensions.invitePhone");
  const [made, keep] = useState<Reply<"extensions.invitePhone">>();
  const [isGeneric, setGeneric] = useState(showsAddress);
  return (
    <>
      <Divider label={words.scan} />
      {made ? (
        <Code text={made.url} says={words.good(time(made.expiresAt))} testid="linphone" />
      ) : (
        <DoButton
          does="extensions.invitePhone"
          act={() => void invite({ number, transport: door.transport }).then((reply) => reply && keep(reply))}
          loading={invite.isBusy}
          variant="light"
          leftSection={<Icon name="phone" />}
        >
          {words.forLinphone}
        </DoButton>
      )}
      {isGeneric ? (
        <Code text={sipAddress({ number, password, sipDomain, door })} says={words.genericAbout} testid="generic" />
      ) : (
        <Button variant="subtle" onClick={() => setGeneric(true)}>
          {words.generic}
        </Button>
      )}
      {password === undefined && <NewPassword number={number} renew={renew} />}
      <Text size="xs" c="dimmed">
        {words.others}
      </Text>
    </>
  );
}

/** The old one is kept nowhere: a code that holds one needs a new one, which costs the other phones their login. */
function NewPassword({ number, renew }: { number: string; renew(phone: Connected): void }) {
  const words = useWords(connectTexts);
  const make = useDo("extensions.newPassword");
  return (
    <>
      <Alert color="orange" title={words.unknownPassword} icon={<Icon name="key" />}>
        {words.newPasswordAbout}
      </Alert>
      <DoButton
        does="extensions.newPassword"
        act={() => void make({ number }).then((made) => made && renew({ number, password: made.password }))}
        loading={make.isBusy}
        variant="light"
      >
        {words.newPasswordNow}
      </DoButton>
    </>
  );
}

function Code({ text, says, testid }: { text: string; says: string; testid: string }) {
  const words = useWords(connectTexts);
  return (
    <Stack gap="xs">
      <Center p="sm" bg="white" style={{ borderRadius: 8 }}>
        <img
          width={220}
          height={220}
          alt={words.codeAlt}
          data-testid={`code-${testid}`}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(text))}`}
        />
      </Center>
      <Text size="sm" role="status">
        {says}
      </Text>
      <Facts facts={[[words.address, text]]} />
    </Stack>
  );
}
