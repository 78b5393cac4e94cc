import { assert, describe, it } from "@effect/vitest"
import { problemIn } from "../../src/dashboard/web/operator/invoice-problem.ts"
import { english } from "../../src/dashboard/web/text/operator-en.ts"
import { vietnamese } from "../../src/dashboard/web/text/operator-vi.ts"
import { invoiceProblems } from "../../src/domain/invoice-problems.ts"

describe("why an invoice is not issued", () => {
  it.each(Object.values(invoiceProblems))("is told in both languages where it is ours (%s)", (problem) => {
    const told = [english, vietnamese].map(({ invoices }) => problemIn(invoices.problems, problem))
    assert.lengthOf(new Set([problem, ...told]), 3)
  })

  it("has the provider's words else", () => {
    const words = "422 Ký hiệu hóa đơn không đúng"
    assert.strictEqual(problemIn(english.invoices.problems, words), words)
  })
})
