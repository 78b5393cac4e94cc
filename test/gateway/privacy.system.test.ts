/** Nothing of what callers say or are told is kept: a marker is looked for wherever the program writes. */
import { assert } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, messagesCall, replay, responsesCall } from "./ask.ts"
import { openStream } from "./open-stream.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { LOG_LEVEL: "debug" } })
})
afterAll(() => gateway.stop())

const marker = "Zqx7Marker93"

/** Every row of every table, as text. */
const database = () =>
  gateway.sql(async (sql) => {
    const tables = await sql<Array<{ name: string }>>`
      select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`
    let text = ""
    for (const { name } of tables) {
      const rows = await sql.unsafe<Array<{ row: string }>>(`select t::text as row from ${name} t`)
      text += rows.map(({ row }) => row).join("\n")
    }
    return text
  })

const files = () =>
  readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n")

describe("what callers say", () => {
  it("and what they are told is in no table, log, file or metric", async () => {
    const { accountId, key } = await gateway.account()
    const foreign = `sk-${marker}-foreign`
    for (const stream of [false, true]) {
      await ask(
        gateway,
        key,
        "/v1/messages",
        messagesCall(marker, { stream, system: marker, metadata: { user_id: marker } })
      )
      await ask(gateway, key, "/v1/chat/completions", chatCall(marker, { stream, user: marker }))
      await ask(gateway, key, "/v1/responses", responsesCall(marker, { stream, instructions: marker }))
      await ask(gateway, key, "/v1/messages", { ...messagesCall(marker, { stream }), model: "gpt-5.5" })
      await ask(
        gateway,
        key,
        "/v1/messages",
        messagesCall(`${marker} [sim: fail_after=4 tokens=20]`, { stream })
      )
      await ask(gateway, key, "/v1/messages", messagesCall(`${marker} [sim: rubbish_after=2]`, { stream }))
      for (const status of [200, 400, 500]) {
        const body = JSON.stringify({
          error: { type: "invalid_request_error", message: marker },
          content: marker
        })
        await replay(gateway, { path: "/v1/messages", status, body })
        await ask(gateway, key, "/v1/messages", messagesCall(marker, { stream }))
      }
    }
    await ask(gateway, key, "/v1/messages", `{"model":"claude-sonnet-5","messages":"${marker}`)
    await ask(gateway, key, "/v1/messages", messagesCall(marker, { max_tokens: marker }))
    await ask(gateway, key, `/v1/messages?prompt=${marker}`, messagesCall(marker), {
      "anthropic-beta": marker
    })
    await ask(gateway, foreign, "/v1/messages", messagesCall(marker))
    await ask(gateway, "", `/v1/${marker}`, messagesCall(marker))
    await ask(gateway, key, "/v1/messages/count_tokens", messagesCall(marker))
    await ask(gateway, key, "/v1/audio/speech", {
      model: "req/gpt-4o-mini-tts",
      input: marker,
      voice: "alloy"
    })
    await ask(gateway, key, "/v1/images/generations", { model: "req/gpt-image-2", prompt: marker })
    const left = await openStream(
      gateway,
      key,
      "/v1/messages",
      messagesCall(`${marker} [sim: tokens=900 interval=5]`, { stream: true, max_tokens: 1000 })
    )
    await left.until("text_delta")
    left.leave()
    await gateway.calls(accountId, 25)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const tables = await database()
    assert.include(tables, accountId)
    assert.include(gateway.output, accountId)
    assert.include(metrics, "tollgate_")
    for (const text of [tables, gateway.output, files(), metrics]) {
      assert.notInclude(text, marker)
      assert.notInclude(text, Buffer.from(marker).toString("base64").slice(0, 14))
      assert.notInclude(text, key)
      assert.notInclude(text, key.slice(6, 38))
    }
  })
})
