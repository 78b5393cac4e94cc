/** Changes by command whose commit is done, and whose answer does not come: taken for failed, they would be done twice. */
import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { DatabaseProxy } from "../ledger/DatabaseProxy.ts"
import { runProcess, useCommands } from "./use-commands.ts"

const commands = useCommands(() => ({}))
const account = "lost@example.vn"

/** By a connection that is cut before the answer to the commit of what announces or logs a change. */
const runLosing = async (args: ReadonlyArray<string>) => {
  const proxy = new DatabaseProxy(commands.databaseUrl)
  onTestFinished(() => proxy.stop())
  let isAnnounced = false
  proxy.onRequest = (bytes) => {
    const text = bytes.toString("latin1")
    isAnnounced ||= text.includes("emit_event") || text.includes("insert into audit_log")
    if (!isAnnounced || !text.includes("commit")) return
    isAnnounced = false
    proxy.dropsAnswers = true
    // Until then the server has it.
    setTimeout(() => {
      proxy.cut()
      proxy.dropsAnswers = false
    }, 300)
  }
  return runProcess(args, { DATABASE_URL: await proxy.start() })
}

describe("a change whose answer is lost", () => {
  it("counts once as a credit, repeated under the name that it is told by", async () => {
    await commands.json("account", "create", "--email", account)
    const credit = ["wallet", "credit", "--account", account, "--amount", "1000", "--reason", "gift"]
    const lost = await runLosing(credit)
    assert.strictEqual(lost.status, 1)
    assert.match(
      lost.stderr,
      /^tollgate: .*whether it was done is not known; repeat it with --id \S+, and it counts once\n$/
    )
    const once = { balance_vnd: "1000", held_vnd: "0" }
    assert.deepStrictEqual(await commands.json("wallet", "show", "--account", account), once)
    const [, id] = /--id ([^,]+)/.exec(lost.stderr)!
    for (let turn = 0; turn < 2; turn++)
      assert.deepStrictEqual(await commands.json(...credit, "--id", id!), once)
    const other = await commands.run(
      "wallet",
      "credit",
      "--account",
      account,
      "--amount",
      "2000",
      "--reason",
      "gift",
      "--id",
      id!
    )
    assert.deepStrictEqual([other.status, other.stdout], [1, ""])
  })

  it("is told as a new secret, which is shown instead of made again", async () => {
    await commands.json("account", "create", "--email", "rotates@example.vn")
    const created = await commands.json("key", "create", "--account", "rotates@example.vn", "--name", "k")
    const { key: former, key_id: id } = created as { key: string; key_id: string }
    const { status, stderr } = await runLosing(["key", "rotate", id, "--overlap", "7d"])
    assert.strictEqual(status, 1)
    assert.include(stderr, `whether it was done is not known; look at \`key show ${id}\` first: `)
    const shown = (await commands.json("key", "show", id)) as { key: string }
    assert.notStrictEqual(shown.key, former)
  })

  it("is told as a new key or token, which may be there", async () => {
    const by = ["--account", account, "--name", "k"]
    for (const args of [
      ["key", "create", ...by],
      ["token", "create", ...by, "--scopes", "usage:read", "--days", "1"]
    ]) {
      const { status, stderr } = await runLosing(args)
      assert.strictEqual(status, 1, stderr)
      assert.include(stderr, `whether it was done is not known; look at \`${args[0]} list\` first: `)
      const listed = (await commands.json(args[0]!, "list", "--account", account)) as ReadonlyArray<unknown>
      assert.lengthOf(listed, 1)
    }
  })

  it("is told as a percentage of prices, which repeated is taken of the new ones", async () => {
    const { status, stderr } = await runLosing(["price", "raise", "10", "--models", "claude-sonnet-5"])
    assert.strictEqual(status, 1)
    assert.match(
      stderr,
      /^tollgate: .*whether it was done is not known; look at `price history` first: .*\n$/
    )
  })
})
