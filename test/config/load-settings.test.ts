import { assert, describe, it } from "@effect/vitest"
import { defaultCodecThreads, defaultGatewayThreads } from "../../src/config/load-settings.ts"
import { Catalogue } from "../../src/domain/catalogue.ts"
import { useSettingsFolder } from "./settings-folder.ts"

const folder = useSettingsFolder()

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")

describe("settings without any configuration", () => {
  it("are those of the contract", () => {
    const settings = folder.load()
    assert.strictEqual(settings.host, "127.0.0.1")
    assert.strictEqual(settings.port, 8787)
    assert.strictEqual(settings.publicUrl, "http://127.0.0.1:8787")
    assert.isFalse(settings.trustProxy)
    assert.isUndefined(settings.databaseUrl)
    assert.strictEqual(settings.dataDir, folder.path("data"))
    assert.isUndefined(settings.sealKeys)
    assert.deepStrictEqual(settings.limits, {
      callTimeoutSeconds: 900,
      drainSeconds: 30,
      handOverSeconds: 12,
      holdOutputTokens: 2048,
      maxBodyBytes: 20_971_520,
      keepAliveSeconds: 15,
      stalledClientSeconds: 300,
      admissionQueueCapacity: 4096,
      maxOpenCalls: 20_000,
      maxBufferedBytes: undefined,
      maxBufferedBytesPerAccount: undefined,
      maxDescriptors: undefined,
      maxConnectionsPerAddress: undefined,
      proxies: undefined
    })
    assert.deepStrictEqual(settings.retention, { callsDays: undefined, archive: undefined })
    assert.isTrue(settings.simulated)
    assert.isTrue(settings.development)
    assert.strictEqual(
      new Catalogue(settings.catalogue, settings.aliases).resolve("opus")?.model.id,
      "claude-opus-5"
    )
  })

  it("reach other threads as they are", () => {
    const settings = folder.load({ OPENAI_API_KEY: "k", TOLLGATE_SEAL_KEY: key(1) })
    assert.deepStrictEqual(structuredClone(settings), settings)
  })

  it("know every provider that the catalogue names", () => {
    const { catalogue, providers } = folder.load()
    for (const { upstream } of new Catalogue(catalogue).models) assert.property(providers, upstream.provider)
  })

  it.each([
    [1, 1, 2],
    [2, 1, 2],
    [4, 3, 2],
    [64, 8, 4]
  ])("on %i cores start %i gateway and %i codec threads", (cores, gateway, codec) => {
    assert.deepStrictEqual([defaultGatewayThreads(cores), defaultCodecThreads(cores)], [gateway, codec])
  })
})

describe("settings from the environment", () => {
  it("are taken", () => {
    const settings = folder.load({
      HOST: "0.0.0.0",
      PORT: "0",
      PUBLIC_URL: "https://api.example.com/",
      TRUST_PROXY: "true",
      DATABASE_URL: "postgres://u:p@db/x",
      DATA_DIR: "elsewhere",
      TOLLGATE_SEAL_KEY: `${key(1)}, ${key(2)}`,
      GATEWAY_THREADS: "3",
      CODEC_THREADS: "2",
      LOG_LEVEL: "WARN"
    })
    assert.strictEqual(settings.host, "0.0.0.0")
    assert.strictEqual(settings.port, 0)
    assert.strictEqual(settings.publicUrl, "https://api.example.com")
    assert.isTrue(settings.trustProxy)
    assert.strictEqual(settings.databaseUrl, "postgres://u:p@db/x")
    assert.strictEqual(settings.dataDir, folder.path("elsewhere"))
    assert.deepStrictEqual(settings.sealKeys, [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)])
    assert.deepStrictEqual(
      [settings.gatewayThreads, settings.codecThreads, settings.logLevel],
      [3, 2, "warn"]
    )
  })

  it.each([
    "postgres://u:p@%2Fvar%2Frun%2Fpostgresql/x",
    "postgres://u:p@first,second/x?target_session_attrs=primary",
    "postgres://u:p@first:5432,second:5433/x?target_session_attrs=primary",
    "postgres://u:p,q@db:5432/x",
    "postgres://u:50%25off@db/x"
  ])("name a database as %s", (DATABASE_URL) => {
    assert.strictEqual(folder.load({ DATABASE_URL }).databaseUrl, DATABASE_URL)
  })

  it("that are empty count as not set", () => {
    assert.deepStrictEqual(
      folder.load({ PORT: "", DATABASE_URL: "", OPENAI_API_KEY: "", TOLLGATE_CONFIG: "" }),
      folder.load()
    )
  })

  it.each([
    [{ PORT: "x" }, "PORT: must be a number"],
    [{ PORT: "65536" }, "PORT: must be a whole number from 0 to 65535"],
    [{ PORT: "80.5" }, "PORT: must be an integer"],
    [{ HOST: "a b" }, "HOST: must be a host name or IP address"],
    [{ TRUST_PROXY: "yes" }, 'TRUST_PROXY: must be "true"'],
    [
      { PUBLIC_URL: "ftp://x" },
      "PUBLIC_URL: must be an http or https address without user, query or fragment"
    ],
    [{ PUBLIC_URL: " https://x" }, "PUBLIC_URL: must be an http or https address"],
    [{ DATABASE_URL: "postgres://x/y\n" }, "DATABASE_URL: must be a postgres:// or postgresql:// address"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL: must be a postgres:// or postgresql:// address"],
    [
      { DATABASE_URL: "postgres://a:1,b:x/y" },
      "DATABASE_URL: must be a postgres:// or postgresql:// address"
    ],
    [
      { DATABASE_URL: "postgres://u:50%off@db/x" },
      "DATABASE_URL: must be a postgres:// or postgresql:// address, with %25 for a % in it"
    ],
    [{ TOLLGATE_SEAL_KEY: "c2hvcnQ=" }, "TOLLGATE_SEAL_KEY: must be 32 bytes in base64"],
    [{ GATEWAY_THREADS: "0" }, "GATEWAY_THREADS: must be a whole number from 1 to 256"],
    [{ CODEC_THREADS: "-1" }, "CODEC_THREADS: must be a whole number from 1 to 256"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL: must be debug, info, warn or error"],
    [{ TOLLGATE_CONFIG: "absent.yaml" }, "TOLLGATE_CONFIG: can not read"],
    [{ AWS_ACCESS_KEY_ID: "a" }, "AWS_SECRET_ACCESS_KEY: must be set when AWS_ACCESS_KEY_ID is"],
    [{ TOLLGATE_BANK_BIN: "970422" }, "TOLLGATE_BANK_ACCOUNT: must be set when TOLLGATE_BANK_BIN is"],
    [{ TOLLGATE_BANK_BIN: "97" }, "TOLLGATE_BANK_BIN: must be six digits"],
    [{ SMTP_URL: "smtp://x" }, "SMTP_FROM: must be set when SMTP_URL is"],
    [{ SMTP_URL: "smtp:mail.example.com:587" }, "SMTP_URL: must be an smtp:// or smtps:// address"],
    [{ SMTP_URL: "smtp://x", SMTP_FROM: "Tollgate" }, "SMTP_FROM: must be a mail address"],
    [{ SMTP_URL: "smtp://x", SMTP_FROM: "Tollgate gate@example.com" }, "SMTP_FROM: must be a mail address"],
    [{ SMTP_URL: "smtp://x", SMTP_FROM: "Tollgate <gate>" }, "SMTP_FROM: must be a mail address"],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "nothing" }, "OTEL_EXPORTER_OTLP_HEADERS: must be name=value pairs"]
  ])("that are bad stop the start with one line: %j", (environment, message) => {
    assert.include(folder.refusal(environment), `Bad setting ${message}`)
  })

  it.each([
    "DATABASE_URL",
    "TOLLGATE_SEAL_KEY",
    "OPENAI_API_KEY",
    "AWS_BEARER_TOKEN_BEDROCK",
    "SEPAY_WEBHOOK_SECRET",
    "SMTP_URL",
    "PUBLIC_URL",
    "OTEL_EXPORTER_OTLP_HEADERS"
  ])("are not shown when they are bad: %s", (name) => {
    assert.notInclude(folder.refusal({ [name]: "s e c r e t" }), "s e c r e t")
  })

  it("turn tracing on and off as OpenTelemetry says", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, tenant=a=b",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=gate,zone=a"
    }
    const { telemetry } = folder.load(environment)
    assert.strictEqual(telemetry.otlpTracesUrl, "http://collector:4318/v1/traces")
    assert.deepStrictEqual(telemetry.headers, { authorization: "Bearer x", tenant: "a=b" })
    assert.strictEqual(telemetry.serviceName, "gate")
    assert.isUndefined(folder.load({ ...environment, OTEL_SDK_DISABLED: "true" }).telemetry.otlpTracesUrl)
    const traces = folder.load({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x",
      OTEL_SERVICE_NAME: "s"
    }).telemetry
    assert.deepStrictEqual([traces.otlpTracesUrl, traces.serviceName], ["http://t/x", "s"])
  })

  it("hold the bank account, the bank's webhook and the mail server", () => {
    const { mail, topUp } = folder.load({
      TOLLGATE_BANK_BIN: "970422",
      TOLLGATE_BANK_ACCOUNT: "0123456789",
      TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY A",
      SEPAY_WEBHOOK_SECRET: "w",
      SMTP_URL: "smtps://mail",
      SMTP_FROM: "Gate <gate@example.com>"
    })
    assert.deepStrictEqual(topUp.bank, { bin: "970422", account: "0123456789", accountName: "CONG TY A" })
    assert.deepStrictEqual(topUp.sepay, { webhookSecret: "w", apiKey: undefined, apiToken: undefined })
    assert.deepStrictEqual(mail, { url: "smtps://mail", from: "Gate <gate@example.com>" })
  })

  it("take one messenger of the bank, by whatever secrets it has", () => {
    const { topUp } = folder.load({ CASSO_WEBHOOK_SECRET: "c", CASSO_API_KEY: "k" })
    assert.deepStrictEqual(topUp.casso, { webhookSecret: "c", secureToken: undefined, apiKey: "k" })
    const refusal = folder.refusal({ SEPAY_API_TOKEN: "t", CASSO_SECURE_TOKEN: "c" })
    assert.include(refusal, "Bad setting CASSO_…: must not be set beside SEPAY_…")
  })

  it("take payOS whole or not at all, and alone", () => {
    const payos = { PAYOS_CLIENT_ID: "c", PAYOS_API_KEY: "k", PAYOS_CHECKSUM_KEY: "s" }
    assert.deepStrictEqual(folder.load(payos).topUp.payos, { clientId: "c", apiKey: "k", checksumKey: "s" })
    assert.include(folder.refusal({ ...payos, PAYOS_API_KEY: "" }), "Bad setting PAYOS_API_KEY: must be set")
    assert.include(folder.refusal({ ...payos, CASSO_API_KEY: "c" }), "Bad setting PAYOS_…")
  })

  it("name who issues receipts, from the environment before the file", () => {
    folder.write('issuer: { company: "Công ty A", tax_code: "0101234567-001" }')
    assert.deepStrictEqual(folder.load({ TOLLGATE_COMPANY: "Công ty B" }).issuer, {
      company: "Công ty B",
      taxCode: "0101234567-001",
      address: ""
    })
  })
})
