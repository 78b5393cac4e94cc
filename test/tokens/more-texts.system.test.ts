/** The bound on text lies above what the exact tokenizer counts, whatever the text: of more texts than `text-tokens.test.ts` has. */
import { assert, it } from "@effect/vitest"
import { exactTextTokens } from "../../src/tokens/count-input-tokens.ts"
import { meteredTokensMax } from "../../src/tokens/text-tokens.ts"
import { corpora } from "./corpora.ts"
import { metered, o200k } from "./metered.ts"

it.each([1, 2, 3, 4])("the bound on text is never below the exact count for texts of seed %s", (seed) => {
  for (const { name, text } of corpora(seed)) {
    assert.isAtLeast(meteredTokensMax(metered(text), o200k), exactTextTokens(text), name)
  }
})
