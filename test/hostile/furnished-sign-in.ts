// How people of a furnished exchange come in: sessions, recovery codes, and the exchange's own provider.

import { type Furnished, ISSUER, type Put, SOON, sha256 } from "./handles.ts";

export async function furnishSignIn(put: Put, it: Furnished): Promise<void> {
  const { exchangeId: exchange_id, marker, id } = it;
  const at = { created_at: new Date(), last_seen_at: new Date(), expires_at: SOON };
  const session = { id, staff_id: id, token_hash: sha256(it.sessionToken), address: marker, browser: marker };
  await put("staff_sessions", { ...session, ...at, log_out_url: `https://example.com/${marker}` });
  await put("push_keys", { exchange_id, private_key: marker });
  const browser = { endpoint_hash: sha256(marker), sealed: JSON.stringify({ endpoint: marker }), language: "tr" };
  await put("push_subscriptions", { id, exchange_id, session_id: id, ...browser });
  await put("staff_recovery_codes", { exchange_id, staff_id: id, code_hash: sha256(marker) });
  const client = { client_id: marker, client_secret: marker, label: marker };
  await put("single_sign_on", { id, exchange_id, issuer: ISSUER, ...client, break_glass: it.email });
  await put("sign_in_attempts", {
    id,
    exchange_id,
    token_hash: sha256(it.attemptToken),
    issuer: ISSUER,
    state: marker,
    nonce: marker,
    verifier: marker,
    redirect_uri: `https://example.com/${marker}`,
    back: "",
    expires_at: SOON,
  });
  const line = { exchange_id, doer: "staff", who: it.email };
  await put("audit_lines", { ...line, id: id + 2, did: "recording-heard", details: { call: it.uuid } });
  await put("audit_lines", { ...line, id: id + 3, did: "signed-in", details: { door: "oidc", address: marker } });
}
