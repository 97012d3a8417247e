// The doors at which files are brought, each as who brings one sees it: the console's uploads, the interface, and what the
// exchange fetches from an address that somebody gave.

import type { ContactFiles } from "../customer/contact-files.ts";
import type { Visitor } from "../town/console-town.ts";
import type { FileKind } from "./good-files.ts";

/** `wrong`: neither done nor refused in a word that is known. */
export type Came = { is: "taken" | "refused" | "wrong"; words: string };

export type Door = { name: string; send(bytes: Buffer): Promise<Came> };

type Means = { visitor: Visitor; base: string; key: string; web: ContactFiles };

const TO = "902123205072";
const types: Partial<Record<FileKind, string>> = { json: "application/json", cards: "text/vcard", csv: "text/csv" };

export function doorsTo(means: Means): Record<FileKind, readonly Door[]> {
  const tables = (["contacts", "recipients", "consents"] as const).map((kind) => importing(means, kind));
  const documents = [consoleFax(means), faxOfText(means), fetchedFax(means)];
  const sounds = [consoleSound(means), soundOfForm(means), soundOfText(means)];
  return {
    workbook: tables,
    csv: [fetchedContacts(means, "csv"), ...tables],
    json: [fetchedContacts(means, "json")],
    cards: [fetchedContacts(means, "cards")],
    ...{ pdf: documents, tiff: documents, png: documents, jpeg: documents, text: documents },
    ...{ wav: sounds, mp3: sounds, ogg: sounds },
  };
}

function importing({ visitor }: Means, kind: "contacts" | "recipients" | "consents"): Door {
  return {
    name: `an import of ${kind}`,
    async send(bytes) {
      const sent = { kind, fileName: "a", content: bytes.toString("base64") };
      const response = await visitor.post("/console/api/imports.upload", sent);
      if (response.status !== 200) return refusedInJson(response);
      const { id, fields, heading } = (await response.json()) as { id: number; fields: string[]; heading: string[] };
      const settings = { known: "leave", title: "SANTRAL", text: "Merhaba", commercial: false };
      const looked = await visitor.post("/console/api/imports.preview", { id, fields, settings });
      return looked.status === 200 ? { is: "taken", words: heading.join().slice(0, 100) } : refusedInJson(looked);
    },
  };
}

function fetchedContacts({ visitor, web }: Means, kind: "csv" | "json" | "cards"): Door {
  return {
    name: "a file of contacts that is fetched",
    async send(bytes) {
      const url = web.serveFile(`/${kind}`, bytes, types[kind]);
      const response = await visitor.post("/console/api/contactSources.try", {
        name: "x",
        kind: "file",
        url,
        changes: {},
      });
      if (response.status !== 200) return refusedInJson(response);
      const text = await response.text();
      const { failure } = JSON.parse(text) as { failure?: { kind: string } };
      if (!failure) return { is: "taken", words: text.slice(0, 100) };
      return { is: failure.kind === "broken" ? "wrong" : "refused", words: text };
    },
  };
}

const consoleSound = ({ visitor }: Means): Door => ({
  name: "a sound of the console",
  send: async (bytes) => {
    const sent = { name: "a", content: `data:audio/wav;base64,${bytes.toString("base64")}` };
    const response = await visitor.post("/console/api/sounds.upload", sent);
    return response.status === 200 ? { is: "taken", words: await response.text() } : refusedInJson(response);
  },
});

const soundOfForm = (means: Means): Door => ({
  name: "a sound in a form",
  send: (bytes) => {
    const form = new FormData();
    form.set("name", "a");
    form.set("sounddata", new Blob([new Uint8Array(bytes)]), "a.wav");
    return ask(means, "/announcements", form);
  },
});

const soundOfText = (means: Means): Door => ({
  name: "a sound as text",
  send: (bytes) => ask(means, "/announcements", inJson({ name: "a", sounddata: bytes.toString("base64") })),
});

const consoleFax = ({ visitor }: Means): Door => ({
  name: "a fax of the console",
  send: async (bytes) => {
    const response = await visitor.post("/console/api/faxes.send", {
      to: TO,
      from: "",
      content: bytes.toString("base64"),
    });
    return response.status === 200 ? { is: "taken", words: await response.text() } : refusedInJson(response);
  },
});

const faxOfText = (means: Means): Door => ({
  name: "a fax as text",
  send: (bytes) => ask(means, "/fax_orders", inJson({ remote_station_id: TO, filedata: bytes.toString("base64") })),
});

const fetchedFax = (means: Means): Door => ({
  name: "a fax that is fetched",
  send: (bytes) => {
    const url = means.web.serveFile("/document", bytes, "application/octet-stream");
    return ask(means, "/fax_orders", inJson({ destination: TO, document_url: url }));
  },
});

const inJson = (sent: object) => JSON.stringify(sent);
let clients = 0;

/** Each comes from a client of its own, so that the interface's rates are not what is tested. */
async function ask({ base, key }: Means, path: string, body: string | FormData): Promise<Came> {
  clients = (clients % 250) + 1;
  const headers = {
    "x-forwarded-for": `192.0.2.${clients}`,
    ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
  };
  const response = await fetch(`${base}${path}?key=${key}`, { method: "POST", headers, body });
  const words = await response.text();
  if (response.status === 200) return { is: "taken", words };
  const isRefused = response.status >= 400 && response.status < 500 && /^[\w "':;,.()/%-]{3,300}$/.test(words.trim());
  return { is: isRefused ? "refused" : "wrong", words: `${response.status} ${words}` };
}

async function refusedInJson(response: Response): Promise<Came> {
  const text = await response.text();
  const isRefused = response.status < 500 && /^\{.*"refused":"[a-z-]+"/.test(text);
  return { is: isRefused ? "refused" : "wrong", words: `${response.status} ${text}` };
}
