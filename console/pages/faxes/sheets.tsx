// The pages of a fax as pictures, one at a time: turned, larger, smaller, next. The server draws them; a browser never
// gets to see what the sender sent.

import { ActionIcon, Alert, Button, Group, Text, Tooltip } from "@mantine/core";
import { useState } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Scroller } from "../../ui/scroller.tsx";
import { Loading } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { sheetTexts } from "./texts.ts";

const ZOOMS = [50, 75, 100, 150, 200, 300];
const AS_WIDE_AS_THE_WINDOW = ZOOMS.indexOf(100);

/** `place`: where its pages and documents are, below /console. */
export function Sheets({ place, pages }: { place: string; pages: number }) {
  const words = useWords(sheetTexts);
  const [page, turnTo] = useState(1);
  const [turn, setTurn] = useState(0);
  const [zoom, setZoom] = useState(AS_WIDE_AS_THE_WINDOW);
  const label = words.page(page, pages);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap={4}>
          <Tool icon="left" label={words.previous} act={() => turnTo(page - 1)} isOff={page <= 1} />
          <Text size="sm" aria-live="polite">
            {label}
          </Text>
          <Tool icon="right" label={words.next} act={() => turnTo(page + 1)} isOff={page >= pages} />
        </Group>
        <Group gap={4}>
          <Tool icon="refresh" label={words.turn} act={() => setTurn((turn + 90) % 360)} />
          <Tool icon="minus" label={words.smaller} act={() => setZoom(zoom - 1)} isOff={zoom === 0} />
          <Tool icon="plus" label={words.larger} act={() => setZoom(zoom + 1)} isOff={zoom === ZOOMS.length - 1} />
        </Group>
      </Group>
      <Scroller className="sheets" label={label}>
        <Sheet key={page} url={`/console/${place}/pages/${page}`} label={label} turn={turn} zoom={ZOOMS[zoom] ?? 100} />
      </Scroller>
      <Group gap="xs">
        <Carry href={`/console/${place}/document.pdf`} label={words.pdf} />
        <Carry href={`/console/${place}/document.tif`} label={words.tiff} />
      </Group>
    </>
  );
}

function Tool({ icon, label, act, isOff = false }: { icon: IconName; label: string; act(): void; isOff?: boolean }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={act} disabled={isOff}>
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

function Carry({ href, label }: { href: string; label: string }) {
  return (
    <Button component="a" href={href} download variant="light" leftSection={<Icon name="download" />}>
      {label}
    </Button>
  );
}

/** What is turned on its side is as wide as it was high, which only its picture knows. */
function Sheet({ url, label, turn, zoom }: { url: string; label: string; turn: number; zoom: number }) {
  const words = useWords(sheetTexts);
  const [size, setSize] = useState<{ wide: number; high: number }>();
  const [hasFailed, fail] = useState(false);
  const { wide, high } = size ?? { wide: 210, high: 297 };
  const isOnItsSide = turn % 180 !== 0;
  if (hasFailed) return <Alert color="red">{words.failed}</Alert>;
  return (
    <div
      className="sheet"
      style={{ width: `${zoom}%`, aspectRatio: isOnItsSide ? `${high} / ${wide}` : `${wide} / ${high}` }}
    >
      {!size && <Loading />}
      <img
        src={url}
        alt={label}
        hidden={!size}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ wide: naturalWidth, high: naturalHeight })
        }
        onError={() => fail(true)}
        style={{
          width: isOnItsSide ? `${(100 * wide) / high}%` : "100%",
          transform: `translate(-50%, -50%) rotate(${turn}deg)`,
        }}
      />
    </div>
  );
}
