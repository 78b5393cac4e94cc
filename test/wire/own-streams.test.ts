/** Every stream of test/fixtures, as it stands and converted for the clients of every other protocol. */
import { assert, describe, it } from "@effect/vitest"
import { ownStreams } from "../fixtures/read-fixtures.ts"
import { cut } from "../fuzz/mutate.ts"
import { Random } from "../Random.ts"
import { expected, expectCharge, isRelayed, ownWays, type OwnWay } from "./own-ways.ts"
import { responsesStreamFault } from "./responses/legal-responses.ts"
import { readClient } from "./responses/read-client.ts"
import { runCodec } from "./stream-runner.ts"

const random = new Random(24)
const ways = ownWays(ownStreams())

/** The only thing in it that is not of the stream itself. */
const withoutTime = (text: string) => text.replace(/"completed_at":\d+/, "")

const expectLegal = (text: string) =>
  assert.isUndefined(responsesStreamFault(readClient("responses", "text/event-stream", text).events))

const endings = ["[DONE]", '"message_stop"', '"response.completed"', '"response.incomplete"']

const expectFailure = async ({ client, fixture, make }: OwnWay, text: string) => {
  const codec = make()
  codec.push(fixture.bytes)
  codec.end()
  assert.strictEqual(codec.failure?.type, fixture.fails)
  assert.isFalse(codec.finished)
  for (const end of endings) assert.notInclude(text, end)
  const read = await client.read(text).catch(() => undefined)
  // Of Responses a failed answer is an answer, too.
  if (read === undefined) return
  assert.strictEqual(read.end, "failed")
  assert.isUndefined(read.answer.output)
}

describe("a documented stream", () => {
  it.each(ways)("$name is the same wherever it is cut", ({ client, fixture: { bytes }, make }) => {
    const run = (pieces: ReadonlyArray<Buffer>) => withoutTime(runCodec(make(), pieces, client.family))
    const whole = run([bytes])
    for (let turn = 0; turn < 3; turn++) assert.strictEqual(run(cut(random, bytes)), whole)
  })

  it.each(ways.filter(({ fixture }) => fixture.fails !== undefined))(
    "$name ends as an error",
    async (way) => {
      const text = runCodec(way.make(), [way.fixture.bytes], way.client.family)
      await expectFailure(way, text)
    }
  )

  const whole = ways.filter(({ fixture }) => fixture.fails === undefined)

  it.each(whole)("$name costs what it says", ({ client, fixture, make }) => {
    const codec = make()
    runCodec(codec, [fixture.bytes], client.family)
    expectCharge({ usage: codec.usage!, particulars: codec.particulars }, fixture)
  })

  it.each(whole.filter(isRelayed))("$name stays as it is", ({ client, fixture, make }) => {
    for (const bytes of [fixture.bytes, Buffer.from(fixture.bytes.toString().replaceAll("\n", "\r\n"))])
      assert.strictEqual(runCodec(make(), [bytes], client.family), bytes.toString())
  })

  it.each(whole.filter((way) => !isRelayed(way) && way.fixture.ends[way.endpoint] !== undefined))(
    "$name reaches its client whole",
    async (way) => {
      const { client, endpoint, fixture, make } = way
      const text = runCodec(make(), [fixture.bytes], client.family)
      if (endpoint === "responses") expectLegal(text)
      const { answer, end } = await client.read(text)
      assert.deepStrictEqual(answer, expected(way))
      assert.strictEqual(end, fixture.ends[endpoint])
    }
  )
})
