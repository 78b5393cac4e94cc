/** Every case of ../shared/oracle-responses against a running gateway whose providers are a script. */
import { afterAll, beforeAll, it } from "vitest"
import { routesTo, startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { readCases } from "./responses/case.ts"
import { runCase } from "./responses/run-case.ts"
import { ScriptedUpstream } from "./responses/ScriptedUpstream.ts"
import { describeWith } from "../shared-folder.ts"

const cases = readCases()
const upstream = new ScriptedUpstream()
let gateway: TestGateway

describeWith("oracle-responses", "oracle of Responses", () => {
  beforeAll(async () => {
    await upstream.start()
    gateway = await startGateway({ yaml: { providers: routesTo(upstream.url) } })
  })
  afterAll(async () => {
    await gateway.stop()
    upstream.stop()
  })

  for (const one of cases) {
    it(`${one.id} ${one.slug}`, () => runCase(gateway, upstream, one))
  }
})
