// A customer's own programs on one HTTP server: the service that is asked what to do with calls, a voice and a
// recogniser. The voice says every sentence as a tone, so that a test hears which one it was.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { wavHeader } from "../../src/media/wav.ts";
import { whenOver } from "../ground/when-over.ts";

export type Question = { path: string; fields: Record<string, string> };

export type ProgramService = {
  url: string;
  /** What the exchange must be told so that it speaks and understands by us. */
  env: Record<string, string>;
  /** What was asked, in order. */
  questions: Question[];
  /** WAV files that were sent to be understood. */
  heard: Buffer[];
  /** What it says to a question; by default that it knows no such call. */
  answers: (question: Question, response: ServerResponse) => void;
  understands: string;
};

/** By a part of the sentence: the tone it is spoken as. Every other sentence is a short one of 300 Hz. */
export type Tones = Record<string, number>;

const OTHER_HZ = 300;
const RATE = 8_000;

export async function openProgramService(tones: Tones): Promise<ProgramService> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service.example");
    if (pathname === "/voice") return void response.end(spoken(tones, await bodyOf(request)));
    if (pathname === "/recognise") {
      service.heard.push(await bodyOf(request));
      return void response.end(service.understands);
    }
    const question = { path: pathname, fields: Object.fromEntries(searchParams) };
    service.questions.push(question);
    return service.answers(question, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: ProgramService = {
    url: `${origin}/program?customer=7`,
    env: { SANTRAL_VOICE_URL: `${origin}/voice`, SANTRAL_RECOGNISER_URL: `${origin}/recognise` },
    questions: [],
    heard: [],
    understands: "",
    answers: (_, response) => void response.writeHead(404).end(),
  };
  return service;
}

/** Those that are waited for last long enough to be heard by a busy machine. */
function spoken(tones: Tones, asked: Buffer): Buffer {
  const { text } = JSON.parse(asked.toString()) as { text: string };
  const known = Object.entries(tones).find(([part]) => text.includes(part));
  const hz = known?.[1] ?? OTHER_HZ;
  const length = (known ? 2 : 0.3) * RATE;
  const samples = Int16Array.from({ length }, (_, at) => 8_000 * Math.sin((2 * Math.PI * hz * at) / RATE));
  const bytes = new Uint8Array(samples.buffer);
  return Buffer.concat([wavHeader({ rate: RATE, channels: 1, dataBytes: bytes.length }), bytes]);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
