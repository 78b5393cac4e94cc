/** The page of the service: what is of one node is not told as what all do. */
import { assert, describe, it } from "@effect/vitest"
import { vietnamese as desk } from "../../src/dashboard/web/text/desk-vi.ts"
import { vietnamese as words } from "../../src/dashboard/web/text/operator-vi.ts"
import { signUpOperator } from "../dashboard/TestPerson.ts"
import { useDashboard } from "./use-dashboard.ts"

const live = {
  openCalls: 6,
  heldMicroVnd: "2048966655",
  callsPerMinute: 12,
  isLedgerReady: true,
  eventLoopDelayMs: 2
}
const site = useDashboard({ live })

describe("the load of the service", () => {
  it("says that it is of the server that answers where there are others", async () => {
    const operator = await signUpOperator(site.dashboard, "dieu-hanh@example.com")
    const registerNode = (token: string) =>
      site.dashboard.sql`select register_node(${token}, '{}', interval '10 minutes')`
    const shown = async () => {
      const { close, page } = await site.openPage("/operator", operator)
      const load = page.getByRole("region", { name: words.service.load })
      await load.waitFor()
      const text = await load.innerText()
      await close()
      return [text.includes(`${words.service.nodes}: `), text.split(desk.service.ofThisServer).length - 1]
    }
    await registerNode("first")
    assert.deepStrictEqual(await shown(), [true, 0])
    await registerNode("second")
    assert.deepStrictEqual(await shown(), [true, 4])
  })
})
