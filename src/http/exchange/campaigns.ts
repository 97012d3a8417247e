// Campaigns of automatic calls: create, start and stop, delete, and look how far they are.

import { Readable } from "node:stream";
import { type Static, Type } from "typebox";
import { targetExamples } from "../../exchange/plan/target.ts";
import { writeNumbers } from "../../store/campaign-numbers.ts";
import { readReport, reportPieces } from "../../store/campaign-report.ts";
import {
  type CountedCampaign,
  createCampaign as create,
  findCampaign,
  listCampaigns as list,
  deleteCampaign as remove,
  switchCampaign,
  untilNobodyIsDialled,
} from "../../store/campaigns.ts";
import { isRefused, json, OK, refuse, text } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { idInPath, pageParameters, words } from "../parameters/schema.ts";
import { campaignParameters, missingSound, readCampaign } from "./campaign-fields.ts";
import { portions, type ReadNumbers, readNumbers } from "./campaign-numbers.ts";
import { CSV_HEAD, campaignExample, csvLine, lineExample, showCampaign, showLine } from "./campaign-view.ts";
import { paged, pageOf, paginationExample, readId } from "./paging.ts";

const group = "Automatic calls";
const guards = [key, limit("campaigns"), body, schema];
/** A hundred thousand numbers with a sentence each. */
const LONGEST_BODY = 64 * 1024 * 1024;
const Ok = text("Ok");
const id = idInPath({ description: "the campaign's ID", example: "20212" });
type Fields = Static<typeof campaignParameters>;
const unknown = { refused: "campaign-not-found", id: "112" } as const;

export const createCampaign = endpoint({
  group,
  methods: ["POST"],
  paths: ["/ivr_campaigns.json", "/ivr_campaigns"],
  summary: "Create a campaign",
  description:
    "Answers the ID of the campaign, which begins at once, within its dates and hours. Targets: " +
    targetExamples("campaign")
      .map((target) => `\`${target}\``)
      .join(", ") +
    ". Where `webhook_url` is given it must answer an empty POST with 200.",
  parameters: campaignParameters,
  longestBody: LONGEST_BODY,
  guards,
  reply: "text",
  example: "20212",
  refusals: [
    { refused: "blank", field: "name" },
    { refused: "not-one-of", field: "call_type", choices: ["queue", "ivr"] },
    { refused: "blank", field: "phone_list" },
    { refused: "blank", field: "phone" },
    { refused: "misfit", field: "number", value: "abc" },
    { refused: "out-of-range", field: "ring_timeout", least: 25, most: 60 },
    { refused: "out-of-range", field: "digit_timeout", least: 1, most: 10 },
    { refused: "out-of-range", field: "active_days", least: 1, most: 7 },
    { refused: "misfit", field: "time_range_begin", value: "25:00" },
    { refused: "range-reversed" },
    { refused: "no-digit-target" },
    { refused: "misfit", field: "digit_target_1", value: "nowhere" },
    { refused: "misfit", field: "cli", value: "902120000000" },
    { refused: "blank", field: "queue_number" },
    { refused: "queue-not-found", queue: "209" },
    { refused: "announcement-not-found", id: 456 },
    { refused: "blank", field: "iys_recipient_type" },
    { refused: "blank", field: "iys_brand_code" },
    { refused: "url-silent", field: "webhook_url" },
    { refused: "one-line-only" },
  ],
  handle: async (fields, context) => begin(fields, context, await readNumbers(fields.phone_list)),
});

/** One whose numbers come afterwards, out of a file. */
export const createEmptyCampaign = {
  handle: async (fields: Fields, context: Context) => begin(fields, context, await readNumbers([], { orNone: true })),
};

async function begin(fields: Fields, context: Context, numbers: ReadNumbers | Refused) {
  const campaign = await readCampaign(fields, context);
  if (isRefused(campaign)) return campaign;
  if (isRefused(numbers)) return numbers;
  const missing = await missingSound(numbers.sounds, context);
  if (missing) return missing;
  if (campaign.webhookUrl !== null && !(await probed(context, campaign.webhookUrl)))
    return refuse({ refused: "url-silent", field: "webhook_url" });
  const { db, exchangeId, clock } = context;
  const campaignId = await db.transaction(async (db) => {
    const campaignId = await create(db, { ...campaign, createdMs: clock.wall() });
    for (const portion of portions(numbers)) await writeNumbers(db, { exchangeId, campaignId }, portion);
    return campaignId;
  });
  return text(campaignId);
}

/** The documented words, and those of a newer description. */
const meanings: Partial<Record<string, boolean>> = { on: true, start: true, off: false, pause: false, stop: false };

export const changeCampaign = endpoint({
  group,
  methods: ["PATCH"],
  paths: ["/ivr_campaigns/:id", "/ivr_campaigns"],
  summary: "Start or stop a campaign",
  description: "Calls that are up go on; from the answer on no new one begins.",
  parameters: Type.Object({ id, status: words({ description: "on or start; off, pause or stop", example: "off" }) }),
  guards,
  reply: "text",
  example: "Ok",
  refusals: [{ refused: "misfit", field: "status", value: "maybe" }, unknown],
  async handle({ id, status }, { db, exchangeId, clock }) {
    const on = Object.hasOwn(meanings, status.toLowerCase()) ? meanings[status.toLowerCase()] : undefined;
    if (on === undefined) return refuse({ refused: "misfit", field: "status", value: status });
    if (!(await switchCampaign(db, { exchangeId, id: readId(id), on }))) return notFound(id);
    if (!on) await untilNobodyIsDialled(db, clock, readId(id));
    return Ok;
  },
});

export const deleteCampaign = endpoint({
  group,
  methods: ["DELETE"],
  paths: ["/ivr_campaigns/:id", "/ivr_campaigns"],
  summary: "Delete a campaign",
  description: "Calls that are up go on; nobody else is called, and its report is gone.",
  parameters: Type.Object({ id }),
  guards,
  reply: "text",
  example: "OK",
  refusals: [unknown],
  async handle({ id }, { db, exchangeId, clock }) {
    if (!(await remove(db, exchangeId, readId(id)))) return notFound(id);
    await untilNobodyIsDialled(db, clock, readId(id));
    return OK;
  },
});

/** Whoever is to be told how calls went must answer a trial request. */
async function probed({ probeUrl, limit }: Context, url: string): Promise<boolean> {
  return probeUrl !== undefined && limit.hold(probeUrl(url, ""));
}

export const listCampaigns = endpoint({
  group,
  methods: ["GET"],
  paths: ["/ivr_campaigns"],
  summary: "List campaigns",
  description: "The newest first, with how far they are.",
  parameters: Type.Object(pageParameters),
  guards,
  reply: "json",
  example: { ivr_campaigns: [campaignExample], pagination: paginationExample },
  refusals: [{ refused: "out-of-range", field: "limit", least: 10, most: 100 }],
  async handle(parameters, { db, exchangeId, tenant }) {
    const page = pageOf(parameters);
    return paged("ivr_campaigns", await list(db, exchangeId, page), page, (it) => showCampaign(it, tenant.timeZone));
  },
});

export const showOneCampaign = endpoint({
  group,
  methods: ["GET"],
  paths: ["/ivr_campaigns/:id"],
  summary: "Read a campaign",
  parameters: Type.Object({ id }),
  guards,
  reply: "json",
  example: campaignExample,
  refusals: [unknown],
  async handle({ id }, context) {
    const campaign = await campaignOf(id, context);
    return isRefused(campaign) ? campaign : json(showCampaign(campaign, context.tenant.timeZone));
  },
});

export const showCampaignReport = endpoint({
  group,
  methods: ["GET"],
  paths: ["/ivr_campaigns/:id/report"],
  summary: "What became of each number",
  description: "In the order in which the numbers were given.",
  parameters: Type.Object({ id, ...pageParameters }),
  guards,
  reply: "json",
  example: { ivr_leads: [lineExample], pagination: paginationExample },
  refusals: [unknown],
  async handle({ id, ...parameters }, context) {
    const campaign = await campaignOf(id, context);
    if (isRefused(campaign)) return campaign;
    const page = pageOf(parameters);
    const lines = await readReport(context.db, campaign.id, page);
    return paged("ivr_leads", lines, page, (line) => showLine(line, context.tenant.timeZone));
  },
});

export const downloadCampaignReport = endpoint({
  group,
  methods: ["GET"],
  paths: ["/ivr_campaigns/:id/report.csv"],
  summary: "What became of each number, as a CSV file",
  parameters: Type.Object({ id }),
  guards,
  reply: "file",
  example: CSV_HEAD,
  refusals: [unknown],
  async handle({ id }, context) {
    const campaign = await campaignOf(id, context);
    if (isRefused(campaign)) return campaign;
    const parts = [Buffer.from(CSV_HEAD)];
    for await (const lines of reportPieces(context.db, campaign.id))
      parts.push(Buffer.from(lines.map((line) => csvLine(line, context.tenant.timeZone)).join("")));
    const file = Buffer.concat(parts);
    return {
      says: "file",
      mediaType: "text/csv; charset=utf-8",
      size: file.length,
      open: async ({ from, to }) => Readable.from([file.subarray(from, to + 1)]),
    };
  },
});

async function campaignOf(id: string, { db, exchangeId }: Context): Promise<CountedCampaign | Refused> {
  return (await findCampaign(db, exchangeId, readId(id))) ?? notFound(id);
}

function notFound(id: string): Refused {
  return refuse({ refused: "campaign-not-found", id });
}
