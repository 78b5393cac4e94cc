/** The maintenance commands, and what they tell customers, as people and programs run them. */
import { assert, describe, it } from "@effect/vitest"
import { useCommands } from "./use-commands.ts"

const commands = useCommands()
const run = (...args: ReadonlyArray<string>) => commands.run("maintenance", ...args)
const json = (...args: ReadonlyArray<string>): Promise<unknown> => commands.json("maintenance", ...args)

describe("tollgate maintenance", () => {
  it("tells customers before it is on, while it is, and no more when it is off", async () => {
    const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString()
    const said = { message: "Bảo trì tối nay", message_en: "Maintenance tonight", until }
    const flags = ["--message", said.message, "--message-en", said.message_en, "--until"]
    const announced = await json("announce", ...flags, until.replace(".000", ""))
    assert.deepStrictEqual(announced, { maintenance: false, ...said })
    assert.deepStrictEqual(await json("on"), { maintenance: true, ...said })

    const next = { message: "Đang bảo trì", message_en: null, until: null }
    assert.deepStrictEqual(await json("on", "--message", next.message), { maintenance: true, ...next })
    assert.strictEqual((await run("status")).stdout, "Maintenance is on\nMessage: Đang bảo trì\n")
    assert.deepStrictEqual(await json("off"), { maintenance: false })
    assert.deepStrictEqual(await json("status"), { maintenance: false })
  })

  it("refuses what is no message, and an end or English without one", async () => {
    for (const besides of [
      ["--message-en", "a"],
      ["--until", "2026-12-31T23:59:59+07:00"]
    ]) {
      const { status, stderr } = await run("on", ...besides)
      assert.deepStrictEqual([status, stderr], [1, "tollgate: The message must not be empty\n"])
    }
    assert.strictEqual((await run("announce")).status, 2)
    assert.strictEqual((await run("announce", "--message", "a", "--until", "tonight")).status, 2)
    const long = await run("announce", "--message", "a".repeat(301))
    assert.deepStrictEqual(
      [long.status, long.stderr],
      [1, "tollgate: The message must not be longer than 300 characters\n"]
    )
    const over = await run("on", "--message", "a", "--until", "2020-01-01T00:00:00Z")
    assert.deepStrictEqual(
      [over.status, over.stderr],
      [1, "tollgate: The planned end must be within the coming year\n"]
    )
    assert.deepStrictEqual(await json("status"), { maintenance: false })
  })
})
