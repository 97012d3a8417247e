export class Refused extends Error {
  status;
  /** Seconds to wait before asking again, where it was asked too often. */
  retryAfterSeconds;
  constructor(status, sentence, retryAfter) {
    super(sentence);
    this.name = "Refused";
    this.status = status;
    this.retryAfterSeconds = retryAfter === null ? void 0 : Number(retryAfter);
  }
}
export class Line {
  #options;
  constructor(options) {
    this.#options = options;
  }
  async ask(method, path, parameters, kind) {
    const { url, key, fetch: go = fetch } = this.#options;
    const left = new Map(Object.entries(parameters).filter(([, value]) => value !== void 0));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = encodeURIComponent(String(left.get(name)));
      left.delete(name);
      return value;
    });
    if (key !== void 0 && !path.startsWith("/v2/")) left.set("key", key);
    const hasBody = method !== "GET" && method !== "HEAD";
    const query = hasBody ? "" : queryOf(left);
    const answer = await go(new URL(filled + query, url), { method, ...hasBody ? bodyOf(left) : {} });
    if (!answer.ok) throw new Refused(answer.status, await answer.text(), answer.headers.get("retry-after"));
    if (kind === "file") return answer.blob();
    return kind === "json" ? answer.json() : answer.text();
  }
}
function queryOf(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of parameters)
    for (const one of Array.isArray(value) ? value : [value])
      query.append(Array.isArray(value) ? `${name}[]` : name, String(one));
  return query.size === 0 ? "" : `?${query}`;
}
function bodyOf(parameters) {
  if (![...parameters.values()].some((value) => value instanceof Blob))
    return { body: JSON.stringify(Object.fromEntries(parameters)), headers: { "content-type": "application/json" } };
  const form = new FormData();
  for (const [name, value] of parameters) form.append(name, value instanceof Blob ? value : String(value));
  return { body: form };
}
export class Santral extends Line {
  /**
   * Connect an extension with a number.
   *
   * Rings the extension first; when it picks up, the destination is dialled. Without `manual_answer` the phone is asked to answer by itself. Answers the call's UUID at once. Rate limit: 3 per second, 100 at once
   */
  getOriginate(parameters) {
    return this.ask("GET", "/originate", parameters, "text");
  }
  /**
   * Connect an extension with a number.
   *
   * Rings the extension first; when it picks up, the destination is dialled. Without `manual_answer` the phone is asked to answer by itself. Answers the call's UUID at once. Rate limit: 3 per second, 100 at once
   */
  postOriginate(parameters) {
    return this.ask("POST", "/originate", parameters, "text");
  }
  /**
   * Connect two outside numbers.
   *
   * Dials the source, then the destination; both see only the exchange's number. The answer is held until the source has answered or failed. Rate limit: 3 per second, 100 at once
   */
  getBridge(parameters) {
    return this.ask("GET", "/bridge", parameters, "text");
  }
  /**
   * Connect two outside numbers.
   *
   * Dials the source, then the destination; both see only the exchange's number. The answer is held until the source has answered or failed. Rate limit: 3 per second, 100 at once
   */
  postBridge(parameters) {
    return this.ask("POST", "/bridge", parameters, "text");
  }
  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getHangupId(parameters) {
    return this.ask("GET", "/hangup/{id}", parameters, "text");
  }
  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postHangupId(parameters) {
    return this.ask("POST", "/hangup/{id}", parameters, "text");
  }
  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getHangup(parameters) {
    return this.ask("GET", "/hangup", parameters, "text");
  }
  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postHangup(parameters) {
    return this.ask("POST", "/hangup", parameters, "text");
  }
  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnswerId(parameters) {
    return this.ask("GET", "/answer/{id}", parameters, "text");
  }
  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postAnswerId(parameters) {
    return this.ask("POST", "/answer/{id}", parameters, "text");
  }
  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnswer(parameters) {
    return this.ask("GET", "/answer", parameters, "text");
  }
  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postAnswer(parameters) {
    return this.ask("POST", "/answer", parameters, "text");
  }
  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  getTransferId(parameters) {
    return this.ask("GET", "/transfer/{id}", parameters, "text");
  }
  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  postTransferId(parameters) {
    return this.ask("POST", "/transfer/{id}", parameters, "text");
  }
  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  getTransfer(parameters) {
    return this.ask("GET", "/transfer", parameters, "text");
  }
  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  postTransfer(parameters) {
    return this.ask("POST", "/transfer", parameters, "text");
  }
  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getMuteId(parameters) {
    return this.ask("GET", "/mute/{id}", parameters, "text");
  }
  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postMuteId(parameters) {
    return this.ask("POST", "/mute/{id}", parameters, "text");
  }
  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getMute(parameters) {
    return this.ask("GET", "/mute", parameters, "text");
  }
  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postMute(parameters) {
    return this.ask("POST", "/mute", parameters, "text");
  }
  /**
   * Callers who wait, the next one first.
   *
   * `joined_at` is in Unix seconds. Whoever hung up to be called back stands in line like everybody else. Rate limit: 10 per minute
   */
  getQueuesPending() {
    return this.ask("GET", "/queues/pending", {}, "json");
  }
  /**
   * Numbers the exchange may show when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getCallerIds() {
    return this.ask("GET", "/caller_ids", {}, "json");
  }
  /**
   * Choose the number an extension shows when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getUpdateOutboundCallerId(parameters) {
    return this.ask("GET", "/update_outbound_caller_id", parameters, "text");
  }
  /**
   * Choose the number an extension shows when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postUpdateOutboundCallerId(parameters) {
    return this.ask("POST", "/update_outbound_caller_id", parameters, "text");
  }
  /**
   * List extensions.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getExtensions() {
    return this.ask("GET", "/extensions", {}, "json");
  }
  /**
   * One extension.
   *
   * `password` is the SIP password: only where the provider has switched `show-sip-passwords` on, and of extensions whose password was made since then. Rate limit: 2 per second, 10 at once
   */
  getExtensionsId(parameters) {
    return this.ask("GET", "/extensions/{id}", parameters, "json");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  getDndId(parameters) {
    return this.ask("GET", "/dnd/{id}", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  postDndId(parameters) {
    return this.ask("POST", "/dnd/{id}", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  putDndId(parameters) {
    return this.ask("PUT", "/dnd/{id}", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  patchDndId(parameters) {
    return this.ask("PATCH", "/dnd/{id}", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  getDnd(parameters) {
    return this.ask("GET", "/dnd", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  postDnd(parameters) {
    return this.ask("POST", "/dnd", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  putDnd(parameters) {
    return this.ask("PUT", "/dnd", parameters, "text");
  }
  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  patchDnd(parameters) {
    return this.ask("PATCH", "/dnd", parameters, "text");
  }
  /**
   * Fetch a phone's settings.
   *
   * Needs no key: the ticket of a QR code is the protection. It opens once, for ten minutes. Rate limit: 20 per second, 200 at once
   */
  getPhoneSettingsTicket(parameters) {
    return this.ask("GET", "/phone_settings/{ticket}", parameters, "file");
  }
  /**
   * What each extension is doing.
   *
   * Shares its rate limit with the agent statuses. Rate limit: 2 per minute
   */
  getUserStatuses(parameters = {}) {
    return this.ask("GET", "/user_statuses", parameters, "json");
  }
  /**
   * What each queue agent is doing.
   *
   * Shares its rate limit with the extension statuses. `break_description` comes with ON_BREAK only. Rate limit: 2 per minute
   */
  getAgentStatuses(parameters = {}) {
    return this.ask("GET", "/agent_statuses", parameters, "json");
  }
  /**
   * Whether the office is open.
   *
   * `open` is what hours and switch say together; holidays and hours of single numbers are not in it. Rate limit: 2 per second, 10 at once
   */
  getOffice() {
    return this.ask("GET", "/office", {}, "json");
  }
  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  postOffice(parameters) {
    return this.ask("POST", "/office", parameters, "text");
  }
  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  putOffice(parameters) {
    return this.ask("PUT", "/office", parameters, "text");
  }
  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  patchOffice(parameters) {
    return this.ask("PATCH", "/office", parameters, "text");
  }
  /**
   * List queues.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getQueues() {
    return this.ask("GET", "/queues", {}, "json");
  }
  /**
   * Members of a queue, in order.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getQueueUserList(parameters = {}) {
    return this.ask("GET", "/queue/user_list", parameters, "json");
  }
  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  getQueueManageUsers(parameters = {}) {
    return this.ask("GET", "/queue/manage_users", parameters, "text");
  }
  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  postQueueManageUsers(parameters = {}) {
    return this.ask("POST", "/queue/manage_users", parameters, "text");
  }
  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  putQueueManageUsers(parameters = {}) {
    return this.ask("PUT", "/queue/manage_users", parameters, "text");
  }
  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  patchQueueManageUsers(parameters = {}) {
    return this.ask("PATCH", "/queue/manage_users", parameters, "text");
  }
  /**
   * List call records, newest first.
   *
   * Rate limit: 6 per minute
   */
  getCdrs(parameters = {}) {
    return this.ask("GET", "/cdrs", parameters, "json");
  }
  /**
   * One call record and the way the call took.
   *
   * Rate limit: 6 per minute
   */
  getCdrsId(parameters) {
    return this.ask("GET", "/cdrs/{id}", parameters, "json");
  }
  /**
   * A temporary URL of a call's recording.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Rate limit: 5 per minute
   */
  postRecordingUrl(parameters) {
    return this.ask("POST", "/recording_url", parameters, "text");
  }
  /**
   * A temporary URL of a call's recording.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Rate limit: 5 per minute
   */
  getRecordingUrl(parameters) {
    return this.ask("GET", "/recording_url", parameters, "text");
  }
  /**
   * Fetch a recording or a voicemail message.
   *
   * Needs no key: the ticket is the protection. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  getRecordingTicket(parameters) {
    return this.ask("GET", "/recording/{ticket}", parameters, "file");
  }
  /**
   * Fetch a recording or a voicemail message.
   *
   * Needs no key: the ticket is the protection. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  headRecordingTicket(parameters) {
    return this.ask("HEAD", "/recording/{ticket}", parameters, "file");
  }
  /**
   * List voicemail messages, newest first.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getVoicemailMessages(parameters = {}) {
    return this.ask("GET", "/voicemail_messages", parameters, "json");
  }
  /**
   * A temporary URL of a voicemail message.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Fetching it marks the message as read. Rate limit: 2 per second, 10 at once
   */
  postVoicemailRecordingUrl(parameters = {}) {
    return this.ask("POST", "/voicemail_recording_url", parameters, "text");
  }
  /**
   * A temporary URL of a voicemail message.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Fetching it marks the message as read. Rate limit: 2 per second, 10 at once
   */
  getVoicemailRecordingUrl(parameters = {}) {
    return this.ask("GET", "/voicemail_recording_url", parameters, "text");
  }
  /**
   * List sound files.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnnouncements() {
    return this.ask("GET", "/announcements", {}, "json");
  }
  /**
   * Upload a sound file.
   *
   * Answers the new sound's ID. A multipart form may carry the file itself. Rate limit: 2 per second, 10 at once
   */
  postAnnouncements(parameters) {
    return this.ask("POST", "/announcements", parameters, "text");
  }
  /**
   * Rename or replace a sound file.
   *
   * Without a sound only the name changes. Nothing changes when the sound is refused. Rate limit: 2 per second, 10 at once
   */
  patchAnnouncementsId(parameters) {
    return this.ask("PATCH", "/announcements/{id}", parameters, "text");
  }
  /**
   * Rename or replace a sound file.
   *
   * Without a sound only the name changes. Nothing changes when the sound is refused. Rate limit: 2 per second, 10 at once
   */
  putAnnouncementsId(parameters) {
    return this.ask("PUT", "/announcements/{id}", parameters, "text");
  }
  /**
   * Delete a sound file.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteAnnouncementsId(parameters) {
    return this.ask("DELETE", "/announcements/{id}", parameters, "text");
  }
  /**
   * List blocked numbers.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getBlockedNumbers(parameters = {}) {
    return this.ask("GET", "/blocked_numbers", parameters, "json");
  }
  /**
   * Block a number.
   *
   * Answers the ID of the record. The number is normalised before it is stored. Rate limit: 2 per second, 10 at once
   */
  postBlockedNumbers(parameters) {
    return this.ask("POST", "/blocked_numbers", parameters, "text");
  }
  /**
   * Unblock a number.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteBlockedNumbers(parameters) {
    return this.ask("DELETE", "/blocked_numbers", parameters, "text");
  }
  /**
   * Unblock a number.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteBlockedNumbersDelete(parameters) {
    return this.ask("DELETE", "/blocked_numbers/delete", parameters, "text");
  }
  /**
   * List contact groups.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getContactGroups() {
    return this.ask("GET", "/contact_groups", {}, "json");
  }
  /**
   * Create a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postContactGroups(parameters) {
    return this.ask("POST", "/contact_groups", parameters, "text");
  }
  /**
   * Rename a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  patchContactGroupsId(parameters) {
    return this.ask("PATCH", "/contact_groups/{id}", parameters, "text");
  }
  /**
   * Rename a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  putContactGroupsId(parameters) {
    return this.ask("PUT", "/contact_groups/{id}", parameters, "text");
  }
  /**
   * Delete a contact group.
   *
   * Its contacts stay; the group leaves their `group_ids`. Rate limit: 2 per second, 10 at once
   */
  deleteContactGroupsId(parameters) {
    return this.ask("DELETE", "/contact_groups/{id}", parameters, "text");
  }
  /**
   * List contacts.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getContacts(parameters = {}) {
    return this.ask("GET", "/contacts", parameters, "json");
  }
  /**
   * Create a contact.
   *
   * Answers the new contact's ID. Booleans, integers and `group_ids` may come in any spelling. Rate limit: 2 per second, 10 at once
   */
  postContacts(parameters) {
    return this.ask("POST", "/contacts", parameters, "text");
  }
  /**
   * Change a contact.
   *
   * What is left out stays as it is. `group_ids` names all groups of the contact; an empty JSON list leaves them. Rate limit: 2 per second, 10 at once
   */
  patchContactsId(parameters) {
    return this.ask("PATCH", "/contacts/{id}", parameters, "text");
  }
  /**
   * Change a contact.
   *
   * What is left out stays as it is. `group_ids` names all groups of the contact; an empty JSON list leaves them. Rate limit: 2 per second, 10 at once
   */
  putContactsId(parameters) {
    return this.ask("PUT", "/contacts/{id}", parameters, "text");
  }
  /**
   * Delete a contact.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteContactsId(parameters) {
    return this.ask("DELETE", "/contacts/{id}", parameters, "text");
  }
  /**
   * Create a campaign.
   *
   * Answers the ID of the campaign, which begins at once, within its dates and hours. Targets: `user/1000`, `queue/200`, `group/700`, `ivr/10`, `voicemail/1000`, `external/05321234567`, `announcement/456`, `tts/tr-TR/sentence`, `fax`, `hangup/hangup`, `hangup/busy`, `restart`, `optout`. Where `webhook_url` is given it must answer an empty POST with 200. Rate limit: 2 per second, 50 at once
   */
  postIvrCampaignsJson(parameters) {
    return this.ask("POST", "/ivr_campaigns.json", parameters, "text");
  }
  /**
   * Create a campaign.
   *
   * Answers the ID of the campaign, which begins at once, within its dates and hours. Targets: `user/1000`, `queue/200`, `group/700`, `ivr/10`, `voicemail/1000`, `external/05321234567`, `announcement/456`, `tts/tr-TR/sentence`, `fax`, `hangup/hangup`, `hangup/busy`, `restart`, `optout`. Where `webhook_url` is given it must answer an empty POST with 200. Rate limit: 2 per second, 50 at once
   */
  postIvrCampaigns(parameters) {
    return this.ask("POST", "/ivr_campaigns", parameters, "text");
  }
  /**
   * Start or stop a campaign.
   *
   * Calls that are up go on; from the answer on no new one begins. Rate limit: 2 per second, 50 at once
   */
  patchIvrCampaigns(parameters) {
    return this.ask("PATCH", "/ivr_campaigns", parameters, "text");
  }
  /**
   * Delete a campaign.
   *
   * Calls that are up go on; nobody else is called, and its report is gone. Rate limit: 2 per second, 50 at once
   */
  deleteIvrCampaigns(parameters) {
    return this.ask("DELETE", "/ivr_campaigns", parameters, "text");
  }
  /**
   * List campaigns.
   *
   * The newest first, with how far they are. Rate limit: 2 per second, 50 at once
   */
  getIvrCampaigns(parameters = {}) {
    return this.ask("GET", "/ivr_campaigns", parameters, "json");
  }
  /**
   * Start or stop a campaign.
   *
   * Calls that are up go on; from the answer on no new one begins. Rate limit: 2 per second, 50 at once
   */
  patchIvrCampaignsId(parameters) {
    return this.ask("PATCH", "/ivr_campaigns/{id}", parameters, "text");
  }
  /**
   * Delete a campaign.
   *
   * Calls that are up go on; nobody else is called, and its report is gone. Rate limit: 2 per second, 50 at once
   */
  deleteIvrCampaignsId(parameters) {
    return this.ask("DELETE", "/ivr_campaigns/{id}", parameters, "text");
  }
  /**
   * Read a campaign.
   *
   * Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsId(parameters) {
    return this.ask("GET", "/ivr_campaigns/{id}", parameters, "json");
  }
  /**
   * What became of each number.
   *
   * In the order in which the numbers were given. Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsIdReport(parameters) {
    return this.ask("GET", "/ivr_campaigns/{id}/report", parameters, "json");
  }
  /**
   * What became of each number, as a CSV file.
   *
   * Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsIdReportCsv(parameters) {
    return this.ask("GET", "/ivr_campaigns/{id}/report.csv", parameters, "file");
  }
  /**
   * Read the CRM settings.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getCrmIntegrations() {
    return this.ask("GET", "/crm_integrations", {}, "json");
  }
  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  postCrmIntegrations(parameters = {}) {
    return this.ask("POST", "/crm_integrations", parameters, "text");
  }
  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  putCrmIntegrations(parameters = {}) {
    return this.ask("PUT", "/crm_integrations", parameters, "text");
  }
  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  patchCrmIntegrations(parameters = {}) {
    return this.ask("PATCH", "/crm_integrations", parameters, "text");
  }
  /**
   * A token that opens an extension's web phone.
   *
   * Valid for one day; every opening needs its own. The extension needs a staff account linked to it. Rate limit: 2 per second, 10 at once
   */
  postWebphoneTokens(parameters) {
    return this.ask("POST", "/webphone_tokens", parameters, "text");
  }
  /**
   * Send a fax.
   *
   * The document is a PDF, a PNG or JPEG picture, a TIFF with all its pages, or plain text; at most 20 MB and 100 pages. It comes as `filedata` with `remote_station_id`, or as `document_url` with `destination`: then it is fetched at once, without following redirects. Answers the order's ID when the pages are drawn. A number that is busy or does not answer is tried again; pages that have arrived are not sent twice. Rate limit: 2 per second, 10 at once
   */
  postFaxOrders(parameters = {}) {
    return this.ask("POST", "/fax_orders", parameters, "text");
  }
  /**
   * List faxes that are still to be sent, newest first.
   *
   * A fax that was sent or given up leaves this list; its calls are among the fax records. Rate limit: 2 per second, 10 at once
   */
  getFaxOrders(parameters = {}) {
    return this.ask("GET", "/fax_orders", parameters, "json");
  }
  /**
   * List fax records, newest first.
   *
   * One record a call. `pages_count` is how many pages arrived and how many were to be sent in this call. Rate limit: 2 per second, 10 at once
   */
  getFdrs(parameters = {}) {
    return this.ask("GET", "/fdrs", parameters, "json");
  }
  /**
   * A temporary URL of a fax's pages.
   *
   * Of a fax that was transferred well, in either direction. The URL lives for one hour. The answer is the URL as text, whatever the Accept header says. Rate limit: 2 per second, 10 at once
   */
  postFaxDocumentUrl(parameters = {}) {
    return this.ask("POST", "/fax_document_url", parameters, "text");
  }
  /**
   * A temporary URL of a fax's pages.
   *
   * Of a fax that was transferred well, in either direction. The URL lives for one hour. The answer is the URL as text, whatever the Accept header says. Rate limit: 2 per second, 10 at once
   */
  getFaxDocumentUrl(parameters = {}) {
    return this.ask("GET", "/fax_document_url", parameters, "text");
  }
  /**
   * Fetch a fax's pages.
   *
   * Needs no key: the ticket is the protection, for one hour. PDF; `format=tiff` gives the pages as they were sent, `format=png` a picture of one page. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  getFaxDocumentTicket(parameters) {
    return this.ask("GET", "/fax_document/{ticket}", parameters, "file");
  }
  /**
   * Fetch a fax's pages.
   *
   * Needs no key: the ticket is the protection, for one hour. PDF; `format=tiff` gives the pages as they were sent, `format=png` a picture of one page. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  headFaxDocumentTicket(parameters) {
    return this.ask("HEAD", "/fax_document/{ticket}", parameters, "file");
  }
  /**
   * Send messages (documented as /v2/send.json).
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2SendJson(parameters) {
    return this.ask("POST", "/v2/send.json", parameters, "text");
  }
  /**
   * Send one text.
   *
   * Rate limit: 240 per minute, 80 at once
   */
  getV2Send(parameters) {
    return this.ask("GET", "/v2/send", parameters, "text");
  }
  /**
   * Cancel a scheduled campaign.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  postV2CancelId(parameters) {
    return this.ask("POST", "/v2/cancel/{id}", parameters, "text");
  }
  /**
   * What became of a campaign's messages, 100 at a time.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Status(parameters) {
    return this.ask("GET", "/v2/status", parameters, "json");
  }
  /**
   * Messages that came in, 100 at a time.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2InboundMessages(parameters) {
    return this.ask("GET", "/v2/inbound_messages", parameters, "json");
  }
  /**
   * The account's sender titles.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Headers(parameters) {
    return this.ask("GET", "/v2/headers", parameters, "json");
  }
  /**
   * Credits left, without those set aside for messages on their way.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Balance(parameters) {
    return this.ask("GET", "/v2/balance", parameters, "text");
  }
  /**
   * Numbers that get no messages.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Blacklists(parameters) {
    return this.ask("GET", "/v2/blacklists", parameters, "json");
  }
  /**
   * Add numbers to the blacklist.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  postV2Blacklists(parameters) {
    return this.ask("POST", "/v2/blacklists", parameters, "text");
  }
  /**
   * Take numbers off the blacklist (comma-separated, in the path).
   *
   * Rate limit: 20 per minute, 10 at once
   */
  deleteV2BlacklistsPhones(parameters) {
    return this.ask("DELETE", "/v2/blacklists/{phones}", parameters, "text");
  }
  /**
   * Hand in consents (documented as /v2/iys_consents.json).
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2IysConsentsJson(parameters) {
    return this.ask("POST", "/v2/iys_consents.json", parameters, "text");
  }
  /**
   * Consent uploads and daily reports, newest first.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2IysCampaigns(parameters) {
    return this.ask("GET", "/v2/iys/campaigns", parameters, "json");
  }
  /**
   * The consents of one upload, and what the registry said of each.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2IysCampaignsIdConsents(parameters) {
    return this.ask("GET", "/v2/iys/campaigns/{id}/consents", parameters, "json");
  }
  /**
   * Send a one-time code to one number.
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2Otp(parameters) {
    return this.ask("POST", "/v2/otp", parameters, "text");
  }
}
