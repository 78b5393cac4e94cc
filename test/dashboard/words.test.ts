/** What the pages say, as people of either language write it. */
import { assert, describe, it } from "@effect/vitest"
import { english as docs } from "../../src/dashboard/web/text/docs-en.ts"
import { english as main } from "../../src/dashboard/web/text/en.ts"
import { english as margin } from "../../src/dashboard/web/text/margin-en.ts"
import { english as operator } from "../../src/dashboard/web/text/operator-en.ts"
import { english as outlook } from "../../src/dashboard/web/text/outlook-en.ts"
import { english as statement } from "../../src/dashboard/web/text/statement-en.ts"
import { english as team } from "../../src/dashboard/web/text/team-en.ts"
import { english as usage } from "../../src/dashboard/web/text/usage-en.ts"

describe("the pages in English", () => {
  it("speak of one in the singular", () => {
    const sayings = [
      docs.tokens("1"),
      main.overview.calls("1"),
      main.models.count(1),
      margin.margin.unpricedNote("1"),
      margin.margin.uses("1"),
      margin.bulk.title("1"),
      operator.service.activeKeys("1"),
      outlook.refusedTitle("1"),
      statement.calls("1", "1"),
      team.revokeKeys("1"),
      usage.dropped("1", "01/11/2026")
    ]
    for (const saying of sayings)
      assert.notMatch(saying, /\b(?:calls|tokens|uses|models|prices|keys)\b/, saying)
  })
})
