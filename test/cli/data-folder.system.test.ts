/** What commands beside a database leave in the data folder, which may be none of theirs. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { runProcess, useCommands } from "./use-commands.ts"

const account = "lan@example.vn"

let parent: string
let folder: string
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-cli-"))
  folder = join(parent, "data")
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const commands = useCommands()
const run = (...args: ReadonlyArray<string>) =>
  runProcess(args, { DATABASE_URL: commands.databaseUrl, DATA_DIR: folder })

describe("a command beside a database", () => {
  it("makes no data folder where it seals nothing", async () => {
    assert.strictEqual((await run("account", "create", "--email", account)).status, 0)
    assert.strictEqual((await run("audit")).status, 0)
    assert.isFalse(existsSync(folder))
  })

  it("says so where it can not keep the seal key that it needs", async () => {
    writeFileSync(folder, "")
    assert.deepStrictEqual(await run("key", "create", "--account", account, "--name", "sealed"), {
      status: 1,
      stdout: "",
      stderr: `tollgate: The seal keys can not be used: EEXIST: file already exists, mkdir '${folder}'\n`
    })
  })
})
