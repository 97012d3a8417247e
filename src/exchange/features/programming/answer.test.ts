import { describe, expect, test } from "vitest";
import { readAnswer } from "./answer.ts";

describe("an answer of the customer's service", () => {
  test("as .NET services write it: nulls beside, numbers as strings", () => {
    expect(
      readAnswer('{"transfer":{"target":"queue/200","announcement_to_caller":"12"},"prompt":null,"record":null}'),
    ).toEqual({
      do: "transfer",
      target: { to: "queue", number: "200" },
      greeting: undefined,
      language: "tr-TR",
      announcementToCaller: 12,
      announcementToCallee: undefined,
      recordingEnabled: true,
    });
  });

  test("with the commas of the samples", () => {
    const text =
      '{"prompt": {"announcement_id": "123", "min_digits": "1", "max_digits": "1", "retry_count": 0, "param_name": "secim",},}';
    expect(readAnswer(text)).toMatchObject({
      do: "prompt",
      sound: { announcementId: 123 },
      minDigits: 1,
      maxDigits: 1,
      timeoutMs: 6_000,
      digitTimeoutMs: 3_000,
      retries: 0,
      parameter: "secim",
    });
  });

  test("a comma inside a sentence stays", () => {
    expect(readAnswer('{"prompt":{"phrase":"Bir,}","min_digits":1,"max_digits":2,},}')).toMatchObject({
      sound: { phrase: "Bir,}", language: "tr-TR", speed: 1 },
    });
  });

  test("greets by name in the language asked for, and switches recording off", () => {
    expect(
      readAnswer('{"transfer":{"target":"user/1000","greet_name":"Ann","lang":"en-US","recording_enabled":"false"}}'),
    ).toMatchObject({ greeting: "Hello Ann, connecting you.", recordingEnabled: false });
  });

  test("times outside their bounds are brought inside", () => {
    expect(readAnswer('{"speech_to_text":{"recognation_duration":99}}')).toMatchObject({ do: "listen", seconds: 10 });
  });

  test.each([
    "",
    "null",
    "[]",
    "hello",
    "{}",
    '{"transfer":null}',
    '{"transfer":{"target":"user/1000"},"record":{}}',
    '{"transfer":{"target":"restart"}}',
    '{"transfer":{"target":"nowhere"}}',
    '{"prompt":{"min_digits":1,"max_digits":1}}',
    '{"prompt":{"phrase":"a","min_digits":3,"max_digits":2}}',
    "x".repeat(100_000),
  ])("is unusable: %s", (text) => {
    expect(readAnswer(text)).toHaveProperty("unusable");
  });
});
