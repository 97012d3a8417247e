// "Changes are not saved": the one question that is asked before something filled in is lost.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { answerQuestion, useQuestion } from "./unsaved.ts";

/** Stands once in the app. It is drawn when it is asked, and so above whatever is open by then. */
export function LeaveQuestion() {
  const words = useWords(general);
  const question = useQuestion();
  if (!question) return null;
  return (
    <Modal
      opened
      onClose={() => answerQuestion(false)}
      title={words.discardTitle}
      closeButtonProps={{ "aria-label": words.close }}
    >
      <Stack>
        <Text>{words.discardAbout}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerQuestion(true)}>
            {words.discard}
          </Button>
          <Button onClick={() => answerQuestion(false)} data-autofocus>
            {words.keepEditing}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
