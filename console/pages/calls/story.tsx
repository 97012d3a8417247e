// What was told of a call, line by line, in the language of the page.

import { Text, Timeline } from "@mantine/core";
import { storyInWords } from "../../../src/words/story/story.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { Surface } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function Story({ story }: { story: Reply<"calls.show">["story"] }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { time } = useStamps();
  return (
    <Surface title={words.story}>
      {story.length === 0 ? (
        <Empty icon="audit" says={words.noStory} />
      ) : (
        <Timeline bulletSize={14} lineWidth={2} active={story.length} p="md">
          {story.map((line) => (
            <Timeline.Item key={JSON.stringify(line)} title={<Text size="sm">{storyInWords(line, language)}</Text>}>
              <Text size="xs" c="dimmed">
                {time(line.atMs)}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Surface>
  );
}
