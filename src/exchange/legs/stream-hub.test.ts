import { expect, test } from "vitest";
import { silentMedia } from "../../../test/town/silent-media.ts";
import type { StreamEvent } from "../../media/engine.ts";
import { openStreamHub } from "./stream-hub.ts";

test("a browser that was heard before anybody listened for it is told to the first who does", async () => {
  const media = silentMedia();
  const hub = openStreamHub(media);
  media.say({ is: "away", stream: "a", on: true });
  media.say({ is: "away", stream: "a", on: false });
  media.say({ is: "digit", stream: "a", digit: "1", durationMs: 100 });
  const heard: StreamEvent[] = [];
  const stop = hub.listen("a", (event) => heard.push(event));
  expect(heard, "not while it is being made").toEqual([]);
  await Promise.resolve();
  expect(heard).toEqual([{ is: "away", stream: "a", on: false }]);
  stop();
  hub.listen("a", (event) => heard.push(event));
  await Promise.resolve();
  expect(heard).toHaveLength(1);
});
