/**
 * Gateways that npm does not have. Each takes part where its program is named:
 *
 * - `BENCH_LITELLM_RS`: `gateway` of the crate litellm-rs 0.9.0 (Rust), built with `--no-default-features --features gateway,postgres`.
 * - `BENCH_LITELLM`: `litellm` of PyPI's `litellm[proxy]` 1.108.7 (Python), one worker.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { leanModel } from "../questions/bodies.ts"
import { type Contender, somePort } from "./contenders.ts"
import { startProcess, type Started } from "./start-process.ts"
import type { Tollgate } from "./Tollgate.ts"

export interface OtherGateway {
  readonly contender: Contender
  readonly stop: () => Promise<void>
}

const provider = (upstreamUrl: string) => `${upstreamUrl}/v1`
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** A folder with its configuration, and the program running with it until `stop`. */
const startWith = async (
  configuration: unknown,
  start: (path: string) => Promise<Started>
): Promise<Started> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const path = join(folder, "config.yaml")
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(configuration))
  try {
    const started = await start(path)
    return { ...started, stop: () => started.stop().finally(remove) }
  } catch (cause) {
    remove()
    throw cause
  }
}

/** With a master key alone: the engine by which it speaks to a database comes from no registry of packages. */
export const startLiteLlm = async (program: string, upstreamUrl: string): Promise<OtherGateway> => {
  const key = "sk-bench-0123456789abcdef0123456789abcdef"
  const model = { model: `openai/${leanModel}`, api_base: provider(upstreamUrl), api_key: "simulated" }
  const configuration = {
    model_list: [{ model_name: leanModel, litellm_params: model }],
    general_settings: { master_key: key },
    litellm_settings: { telemetry: false }
  }
  const port = somePort()
  const url = `http://127.0.0.1:${port}`
  const started = await startWith(configuration, (path) =>
    startProcess({
      program,
      args: ["--config", path, "--host", "127.0.0.1", "--port", String(port), "--num_workers", "1"],
      ready: `${url}/health/liveliness`,
      hears: "stderr",
      env: { LITELLM_LOG: "ERROR", LITELLM_LOCAL_MODEL_COST_MAP: "True" }
    })
  )
  return { contender: { name: "LiteLLM", url, headers: bearer(key), pid: started.pid }, stop: started.stop }
}

/**
 * With keys in a database of our PostgreSQL and a price for each call; what a key has spent is in memory alone. `writesCalls`: a
 * row for each plain call, too (`request_ledger`), which fails the call when it can not be written.
 */
export const startLiteLlmRs = async (
  program: string,
  upstreamUrl: string,
  tollgate: Tollgate,
  writesCalls: boolean
): Promise<OtherGateway> => {
  const port = somePort()
  const url = `http://127.0.0.1:${port}`
  const databaseUrl = new URL(tollgate.databaseUrl)
  databaseUrl.pathname = `/litellm_rs_${port}`
  await tollgate.sql((sql) => sql.unsafe(`create database litellm_rs_${port}`))
  const started = await startWith(
    liteLlmRsConfiguration(upstreamUrl, databaseUrl.href, writesCalls),
    (path) =>
      startProcess({
        program,
        args: [
          "--config",
          path,
          "--host",
          "127.0.0.1",
          "--port",
          String(port),
          "--log-level",
          "error",
          "serve"
        ],
        ready: `${url}/health`,
        hears: "stdout"
      })
  )
  const key = await makeKey(url, databaseUrl.href)
  const contender = {
    name: writesCalls ? "litellm-rs, each call written" : "litellm-rs",
    url,
    headers: { authorization: `ApiKey ${key}` },
    pid: started.pid,
    postgresOf: tollgate.started.pid
  }
  return { contender, stop: started.stop }
}

const unlimited = 2_000_000_000

const liteLlmRsConfiguration = (upstreamUrl: string, databaseUrl: string, writesCalls: boolean) => ({
  schema_version: "1.0",
  server: { host: "127.0.0.1", port: 8080, workers: 1, max_connections: 1_000 },
  providers: [
    {
      name: "lean",
      provider_type: "openai_compatible",
      api_key: "simulated",
      base_url: provider(upstreamUrl),
      endpoint_access: "private_network",
      rpm: unlimited,
      tpm: unlimited,
      max_concurrent_requests: 1_000,
      models: [leanModel]
    }
  ],
  router: {
    strategy: "round_robin",
    circuit_breaker: { failure_threshold: 5, recovery_timeout: 60, min_requests: 10, success_threshold: 3 },
    load_balancer: { health_check_enabled: false }
  },
  storage: {
    database: {
      url: databaseUrl,
      enabled: true,
      auto_migrate: true,
      max_connections: 10,
      connection_timeout: 5,
      ssl: false
    },
    redis: {
      url: "redis://127.0.0.1",
      enabled: false,
      max_connections: 1,
      connection_timeout: 5,
      cluster: false
    },
    request_ledger: { enabled: writesCalls, write_failure: "fail" }
  },
  auth: {
    enable_jwt: true,
    enable_api_key: true,
    jwt_secret: randomBytes(32).toString("base64"),
    jwt_expiration: 86_400,
    api_key_header: "Authorization",
    rbac: { enabled: false, default_role: "user", admin_roles: ["admin", "super_admin"] }
  },
  monitoring: {
    metrics: { enabled: false, port: 9090, path: "/metrics", interval_seconds: 15 },
    tracing: { enabled: false, endpoint: null, service_name: "litellm-rs", sampling_rate: 0.1, jaeger: null },
    health: { path: "/health", detailed: true },
    logging: null
  },
  guardrails: { enabled: false },
  pricing: {
    source: "embedded://model_prices_extended",
    allow_degraded: false,
    unpriced_model_policy: "allow_unpriced",
    unpriced_fallback_cost_per_1k_tokens: 0.001
  },
  rate_limit: { enabled: false, strategy: "token_bucket", default_rpm: unlimited, default_tpm: unlimited },
  cache: { enabled: false, ttl: 3_600, max_size: 1_000 }
})

/** Of its first user, whom only its database makes an administrator. */
const makeKey = async (url: string, databaseUrl: string): Promise<string> => {
  const person = { username: "bench", email: "bench@example.com", password: "Correct-Horse-9-Battery" }
  await post(`${url}/auth/register`, person)
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`update users set role = 'super_admin', status = 'active', email_verified = true`
  await sql.end()
  const signedIn = await post(`${url}/auth/login`, person)
  const made = await post(`${url}/v1/keys`, { name: "bench" }, bearer(signedIn["access_token"] as string))
  return made["key"] as string
}

const post = async (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`)
  return (JSON.parse(text) as { data: Record<string, unknown> }).data
}
