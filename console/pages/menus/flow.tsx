// The picture of the call flow: from every number the ways its calls take, station by station. Each way is a button
// that changes it, each station one that opens it; the whole is a list of lists, which is how it is read aloud.

import { Text, Tooltip, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { splitTarget } from "../../../src/words/targets.ts";
import { useWhyNot } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { Scroller } from "../../ui/scroller.tsx";
import { Empty, Fault, Loading } from "../../ui/states.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import { changing, type Editing, ExitEditor, useSlotWords, useStationName } from "./exit-editor.tsx";
import { type Drawn, drawFlow, type Exit, type Slot, type Station, stationsOf, writtenAs } from "./flow-graph.ts";
import { texts } from "./texts.ts";

/** Where a click on a place leads: a menu is changed right here, the others have pages of their own. */
const homes: Partial<Record<string, string>> = {
  number: "/numbers",
  user: "/extensions",
  queue: "/queues",
  group: "/groups",
  voicemail: "/voicemail",
  announcement: "/announcements",
  fax: "/faxes",
  programmed: "/settings",
};

const icons: Partial<Record<string, IconName>> = {
  number: "number",
  user: "phone",
  queue: "queue",
  group: "group",
  ivr: "menu",
  voicemail: "voicemail",
  external: "out",
  announcement: "sound",
  tts: "sound",
  hangup: "hangup",
  restart: "refresh",
  fax: "audit",
};

type Hands = {
  /** Whose extension a target is. */
  nameOf(target: string): string | undefined;
  openMenu(number: string): void;
  edit(editing: Editing): void;
};

export function Flow({ openMenu }: { openMenu(number: string): void }) {
  const words = useWords(texts);
  const [editing, edit] = useState<Editing>();
  const numbers = useAsk("numbers.list", {});
  const menus = useAsk("menus.list", {});
  const queues = useAsk("queues.list", {});
  const groups = useAsk("groups.list", {});
  const extensions = useAsk("extensions.list", {});
  const failed = [numbers, menus, queues, groups].find(({ error }) => error);
  if (failed) return <Fault fault={failed.error} again={() => void failed.refetch()} />;
  if (!numbers.data || !menus.data || !queues.data || !groups.data) return <Loading />;
  const flow = drawFlow(
    stationsOf({ numbers: numbers.data, menus: menus.data, queues: queues.data, groups: groups.data }),
  );
  const people = new Map(extensions.data?.map(({ number, name }) => [number, name]));
  const nameOf = (target: string) => {
    const { kind, rest } = splitTarget(target);
    return kind === "user" || kind === "voicemail" ? people.get(rest) : undefined;
  };
  return (
    <Surface title={words.flow}>
      <Text size="sm" c="dimmed" px="md">
        {words.flowAbout}
      </Text>
      {flow.length === 0 ? (
        <Empty icon="number" says={words.noNumbers} />
      ) : (
        <Scroller className="flow" label={words.flow}>
          <ul>
            {flow.map((drawn) => (
              <li key={writtenAs(drawn.station)}>
                <StationBox drawn={drawn} hands={{ nameOf, openMenu, edit }} />
              </li>
            ))}
          </ul>
        </Scroller>
      )}
      {editing && <ExitEditor editing={editing} close={() => edit(undefined)} />}
    </Surface>
  );
}

function StationBox({ drawn, hands }: { drawn: Drawn; hands: Hands }) {
  const words = useWords(texts);
  const { station, ways, isAgain, isReached } = drawn;
  const name = useStationName(station);
  const remark = isAgain ? words.again : isReached ? undefined : words.unreached;
  const canGrow = !isAgain && station.free.length > 0;
  return (
    <div className="station">
      <Place
        kind={station.kind}
        title={`${words[station.kind]} ${station.number}`}
        about={[station.name, remark].filter(Boolean).join(" · ")}
        open={() => hands.openMenu(station.number)}
      />
      {(ways.length > 0 || canGrow) && (
        <ul>
          {ways.map(({ way, next }) => (
            <li key={JSON.stringify(way.slot)}>
              <ExitLine {...{ station, way, next, hands }} />
            </li>
          ))}
          {canGrow && (
            <li>
              <ExitButton station={station} label={words.addWay} about={`${words.addWay}: ${name}`} hands={hands} />
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

type WayProps = { station: Station; way: Exit; next: Drawn | undefined; hands: Hands };

function ExitLine({ station, way, next, hands }: WayProps) {
  const words = useWords(texts);
  const slotWords = useSlotWords();
  const targetWords = useTargetWords();
  const title = targetWords(way.target);
  return (
    <div className="way">
      <ExitButton
        {...{ station, way, hands }}
        label={keyOf(way.slot) ?? slotWords(way.slot)}
        about={`${words.changeWay}: ${slotWords(way.slot)}, ${title}`}
      />
      {next ? (
        <StationBox drawn={next} hands={hands} />
      ) : (
        <Place kind={splitTarget(way.target).kind ?? ""} title={title} about={hands.nameOf(way.target)} />
      )}
    </div>
  );
}

const keyOf = (slot: Slot) => ("key" in slot ? slot.key : undefined);

type WayButtonProps = { station: Station; way?: Exit; label: string; about: string; hands: Hands };

/** Grey, with the reason, for whoever may not change it. */
function ExitButton({ station, way, label, about, hands }: WayButtonProps) {
  const whyNot = useWhyNot(changing[station.kind]);
  return (
    <Tooltip label={whyNot ?? about} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton
        className="way-button"
        data-new={way === undefined || undefined}
        aria-label={about}
        aria-haspopup="dialog"
        aria-disabled={whyNot !== undefined}
        onClick={whyNot ? undefined : () => hands.edit(way ? { station, way } : { station })}
      >
        {!way && <Icon name="plus" size={14} />}
        {label}
        {way && <Icon name="edit" size={13} />}
      </UnstyledButton>
    </Tooltip>
  );
}

function Place({ kind, title, about, open }: { kind: string; title: string; about?: string; open?: () => void }) {
  const words = useWords(texts);
  const home = homes[kind];
  const inside: ReactNode = (
    <>
      <Icon name={icons[kind] ?? "more"} />
      <span>
        <strong>{title}</strong>
        {about && <small>{about}</small>}
      </span>
    </>
  );
  if (kind === "ivr" && open)
    return (
      <UnstyledButton className="place" onClick={open} aria-haspopup="dialog" title={words.edit}>
        {inside}
      </UnstyledButton>
    );
  if (!home) return <div className="place">{inside}</div>;
  return (
    <Link className="place" href={home} title={words.follow}>
      {inside}
    </Link>
  );
}
