/** The simulator's reasoning goes on across turns as its provider's does: sealed, its own account's, before what came of it. */
import { assert, describe, it } from "@effect/vitest"
import { useSimulator } from "./ask.ts"

const simulator = useSimulator()

interface Item {
  readonly type: string
  readonly id: string
  readonly call_id: string
}

interface Answered {
  readonly output: ReadonlyArray<Item>
  readonly error: { readonly message: string; readonly code: string | null } | null
}

const tools = [
  { type: "function", name: "f", parameters: { type: "object", properties: {} } },
  { type: "custom", name: "patch" }
]
const question = { role: "user", content: "Use a tool [sim: tools=two thinking=on]" }
const asked = {
  model: "gpt-5.5",
  tools,
  store: false,
  include: ["reasoning.encrypted_content"],
  reasoning: { effort: "low", summary: "auto" }
}

const ask = async (input: ReadonlyArray<object>, account = "sk-test"): Promise<Answered> => {
  const body = { ...asked, input }
  const response = await simulator.post("/v1/responses", body, { authorization: `Bearer ${account}` })
  return (await response.json()) as Answered
}

const refusalOf = async (input: ReadonlyArray<object>, account?: string) =>
  (await ask(input, account)).error?.message ?? "accepted"

/** What a first turn made, and the outputs of its calls. */
const firstTurn = async () => {
  const { output } = await ask([question])
  const [thought, ...calls] = output
  const outputs = calls.map(({ call_id, type }) => ({ type: `${type}_output`, call_id, output: "done" }))
  return { thought: thought!, calls, outputs }
}

describe("reasoning", () => {
  it("comes back to the account whose it is, before the calls that were made of it", async () => {
    const { calls, outputs, thought } = await firstTurn()
    assert.deepStrictEqual(
      calls.map(({ type }) => type),
      ["function_call", "custom_tool_call"]
    )
    assert.strictEqual(await refusalOf([question, thought, ...calls, ...outputs]), "accepted")
    const { id: _, ...nameless } = thought
    assert.strictEqual(await refusalOf([question, nameless, ...calls, ...outputs]), "accepted")
  })

  it("is refused where it was changed, or is another account's or another item's", async () => {
    const { calls, outputs, thought } = await firstTurn()
    const turn = (changed: object) => [question, { ...thought, ...changed }, ...calls, ...outputs]
    const { id } = thought
    assert.strictEqual(
      await refusalOf(turn({ encrypted_content: "gAAAAABforeign" })),
      `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`
    )
    assert.strictEqual(
      await refusalOf(turn({}), "sk-another"),
      `The encrypted content for item ${id} could not be verified. Reason: Encrypted content organization_id did not match the target organization.`
    )
    assert.strictEqual(
      await refusalOf(turn({ id: "rs_other" })),
      "The encrypted content for item rs_other could not be verified. Reason: Encrypted content item_id did not match the target item id."
    )
    assert.strictEqual((await ask(turn({ encrypted_content: "x" }))).error?.code, "invalid_encrypted_content")
  })

  it("is refused without what was made of it behind it", async () => {
    const { calls, outputs, thought } = await firstTurn()
    const message = { role: "assistant", content: "Well." }
    const expected = `Item '${thought.id}' of type 'reasoning' was provided without its required following item.`
    for (const input of [
      [question, thought],
      [question, thought, question],
      [question, thought, message, ...calls, ...outputs],
      [question, thought, ...calls.toReversed(), ...outputs]
    ])
      assert.strictEqual(await refusalOf(input), expected)
  })

  it("that nobody keeps is not found", async () => {
    const { calls, outputs, thought } = await firstTurn()
    const input = [question, { ...thought, encrypted_content: null }, ...calls, ...outputs]
    assert.include(await refusalOf(input), `Item with id '${thought.id}' not found. Items are not persisted`)
  })
})

describe("the settings of a prompt", () => {
  it("name the tool that is called, and what it is called with", async () => {
    const input = Buffer.from("*** Begin Patch").toString("base64url")
    const { output } = await ask([{ role: "user", content: `Go [sim: tool=patch input=${input}]` }])
    assert.deepInclude(output.at(-1) as object, {
      type: "custom_tool_call",
      name: "patch",
      input: "*** Begin Patch"
    })
    const named = await simulator.post("/v1/messages", {
      model: "claude-fable-5",
      max_tokens: 100,
      messages: [{ role: "user", content: `Go [sim: tool=patch input=${input}]` }],
      tools: [
        { name: "f", input_schema: { type: "object" } },
        { name: "patch", input_schema: { type: "object", properties: { text: {} }, required: ["text"] } }
      ]
    })
    const { content } = (await named.json()) as { readonly content: ReadonlyArray<object> }
    assert.deepInclude(content.at(-1)!, { name: "patch", input: { text: "*** Begin Patch" } })
  })
})
