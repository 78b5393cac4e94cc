import { assert, describe, it } from "@effect/vitest"
import { withoutBillingLine, withSteadyBillingLine } from "../../../src/formats/messages/billing-line.ts"
import { convert } from "../bedrock-convert.ts"
import { convert as toChat } from "../convert/messages-requests.ts"

const line = "x-anthropic-billing-header: cc_version=2.1.9.abc; cc_entrypoint=cli;"
const changing = `${line} cch=1a2b3;`
const text = (value: string) => ({ type: "text", text: value })

describe("the line for Anthropic's accounts", () => {
  it("is left out as a block, at the beginning of a block and of a string", () => {
    assert.deepStrictEqual(withoutBillingLine([text(changing), text("a")]), [text("a")])
    assert.deepStrictEqual(withoutBillingLine([{ ...text(`${changing}\n\na`), other: 1 }]), [
      { ...text("a"), other: 1 }
    ])
    assert.strictEqual(withoutBillingLine(`${line}\na`), "a")
    for (const system of [line, [text(line)]]) assert.isUndefined(withoutBillingLine(system))
  })

  it("leaves other prompts as they are", () => {
    for (const system of ["", `Say ${line}`, [], [text("a"), 1, null], null, undefined, 1])
      assert.strictEqual(withoutBillingLine(system), system)
    assert.deepStrictEqual(withSteadyBillingLine([text(line), text("cch=1;")]), [text(line), text("cch=1;")])
  })

  it("is the same in every request to a provider that does not know it", () => {
    const system = [text(changing), text("Be brief.")]
    assert.deepStrictEqual(toChat({ system }).messages, [
      { role: "system", content: `${line}\n\nBe brief.` },
      { role: "user", content: "hi" }
    ])
    assert.deepStrictEqual(convert({ system }).body.system, [{ text: line }, { text: "Be brief." }])
    assert.strictEqual(withSteadyBillingLine(`${changing} x=1;\ncch=2;`), `${line} x=1;\ncch=2;`)
  })
})
