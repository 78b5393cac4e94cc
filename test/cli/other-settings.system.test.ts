/** Commands given with other settings than those of the nodes that live: what they do by them is told, or not what was meant. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { Sql } from "../../src/storage/Database.ts"
import { writeNodeSettings } from "../../src/storage/NodeSettingsStore.ts"
import { registerNode } from "../../src/storage/NodeStore.ts"
import { withSql } from "../storage/with-sql.ts"
import { useCommands } from "./use-commands.ts"

const dataDir = mkdtempSync(join(tmpdir(), "tollgate-cli-"))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const commands = useCommands(() => ({ DATA_DIR: dataDir }))
const { json, run } = commands

let keyId = ""
beforeAll(async () => {
  await json("account", "create", "--email", "lan@example.vn")
  keyId = String((await json("key", "create", "--account", "lan@example.vn", "--name", "one"))["key_id"])
  await withSql(commands.databaseUrl, async (sql: Sql) => {
    const { id } = await registerNode(sql, crypto.randomUUID(), [])
    // It lives, and has heard all that it is to hear.
    await sql`update nodes set lease_until = now() + interval '1 hour', seen_event_id = 1000000000 where id = ${id}`
    await writeNodeSettings(sql, id, { models: "others", seal_key: "another" })
  })
})

describe("a command whose settings are not those of a node", () => {
  it.each([[["key", "create", "--account", "lan@example.vn", "--name", "two"]], [["key", "rotate", "KEY"]]])(
    "says that the secret can not be shown there: %j",
    async (args) => {
      const { status, stderr } = await run(...args.map((arg) => (arg === "KEY" ? keyId : arg)))
      assert.strictEqual(status, 0)
      assert.match(
        stderr,
        /TOLLGATE_SEAL_KEY is not the one that a node that runs seals with: unless that has it behind its own, this secret can not be shown there/
      )
    }
  )

  it.each([
    [["models"]],
    [["price", "list", "claude-opus-5"]],
    [["price", "raise", "10", "--models", "claude-opus-5", "--preview"]],
    [["price", "set", "claude-opus-5", "7000"]]
  ])("says that prices may be others there: %j", async (args) => {
    const { status, stderr } = await run(...args)
    assert.strictEqual(status, 0)
    assert.match(
      stderr,
      /The catalogue or aliases here are not those of a node that runs \(TOLLGATE_CONFIG\)/
    )
  })

  it("says nothing where it does nothing by them", async () => {
    await json("key", "pause", keyId)
    await json("price", "history")
  })
})
