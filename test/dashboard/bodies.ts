/** Bodies that each endpoint which takes one would accept, by its path. */
import { testPassword } from "./TestPerson.ts"

export const bodies: Readonly<Record<string, unknown>> = {
  "/keys": { name: "a", rate_limit_per_minute: 0 },
  "/keys/:id": { name: "b" },
  "/keys/:id/reveal": { password: testPassword },
  "/keys/:id/rotate": { password: testPassword, overlap_days: 1 },
  "/top-ups": { amount: 50_000 },
  "/alerts": { balance_below_vnd: null, days_left: null, mail: [], email: "", language: "vi" },
  "/alerts/webhooks": { url: "https://minh.example/hook", kinds: [] },
  "/alerts/webhooks/:id": { paused: true },
  "/alerts/webhooks/:id/rotate": { overlap_hours: 0 },
  "/billing": { company: "a", tax_code: "", address: "a", email: "" },
  "/tokens": {
    name: "a",
    scopes: ["usage:read"],
    expires_at: Date.now() + 86_400_000,
    password: testPassword
  },
  "/person/name": { name: "Minh" },
  "/person/email": { email: "minh@example.com", password: testPassword },
  // With the right one its account would be closed to the tests that follow.
  "/person/sign-ins/:provider/remove": { password: "not the password" },
  "/person/close": { password: "not the password" },
  "/members/:id": { role: "admin" },
  "/members/:id/budget": { budget_vnd: "500000", budget_period: "month" },
  "/members/:id/remove": { revoke_keys: false },
  "/invitations": { email: "invited@example.com", role: "member" },
  "/invitations/look": { token: "0".repeat(40) },
  "/invitations/accept": { token: "0".repeat(40) },
  "/operator/accounts/:id/credit": { amount_vnd: "1000", reason: "a", id: crypto.randomUUID() },
  "/operator/accounts/:id/status": { status: "disabled" },
  "/operator/accounts/:id/keys/:key/pause": { paused: true },
  "/operator/accounts/:id/notes": { text: "a" },
  "/operator/accounts/:id/role": { role: null },
  "/operator/transfers/:id/assign": { account: "minh@example.com", reason: "a" },
  "/operator/transfers/:id/take-back": { account_id: "acc_1", reason: "a" },
  "/operator/margin/floor": { percent: "5" },
  "/operator/purchase-prices": {
    route: "*",
    model: "gpt-5.5",
    currency: "USD",
    input: "1.25",
    cache_read: "0.125",
    cache_write: null,
    output: "10",
    per_request: "0",
    tools: { web_search: "0.01" },
    from: "2026-11-24"
  },
  "/operator/exchange-rates": { currency: "USD", vnd: "26350.5", from: "2026-11-24" },
  "/operator/transfers/:id/return": { reason: "a", reference: "" },
  "/operator/transfers/:id/dismiss": { reason: "a" },
  "/operator/transfers/:id/reopen": { reason: "a" },
  "/operator/price-changes/preview": { models: ["gpt-5.5"], percent: "10", from: null },
  "/operator/price-changes": {
    changes: [{ model: "gpt-5.5", former_vnd: 2_400, price_vnd: 2_640 }],
    from: Date.now() + 86_400_000
  },
  "/operator/maintenance": { on: true, notice: { vi: "a", en: "b", until: null } },
  "/operator/notice": { notice: { vi: "a", en: null, until: Date.now() + 86_400_000 } },
  "/operator/routes": {
    provider: "anthropic",
    base_url: "https://example.com",
    key: "k",
    models: [],
    priority: 1
  },
  "/operator/routes/change": {
    route: "anthropic+1",
    base_url: "https://example.com",
    key: "k",
    models: [],
    priority: 1
  },
  "/operator/routes/remove": { route: "anthropic+1" },
  "/operator/routes/test": { route: "anthropic#0" },
  "/operator/routes/set": { route: "anthropic#0", paused: true, weight: 2 },
  "/operator/models": { model: "gpt-5.5", price_vnd: 1, disabled: false }
}
