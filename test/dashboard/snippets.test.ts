/** Each client that the documentation names has a piece to copy, with the base address that this client takes. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { shells } from "../../src/dashboard/web/snippet-forms.ts"
import { popular, snippets } from "../../src/dashboard/web/snippets.ts"

const named = [...readFileSync("docs/clients.md", "utf8").matchAll(/^\| ([^|]+?) +\|/gm)]
  .map(([, cell]) => cell!)
  .filter((cell) => cell !== "client" && !cell.startsWith("-"))
  .flatMap((cell) => cell.split(":")[0]!.split(", "))
const names = snippets.map(({ name }) => name).join(", ")
const every = snippets.flatMap((snippet) =>
  shells.map((shell) => ({
    snippet,
    shell,
    code: snippet.code({ baseUrl: "https://api.example.vn", key: "sk-tg-key", model: "some-model", shell })
  }))
)

describe("the pieces that connect clients", () => {
  it.each(named)("has one for %s", (name) => {
    assert.include(names.toLowerCase(), name.toLowerCase())
  })

  it("have an id of their own", () => {
    assert.strictEqual(new Set(snippets.map(({ id }) => id)).size, snippets.length)
    assert.isBelow(popular, snippets.length)
  })

  it.each(every.map((each) => [each.snippet.id, each.shell, each] as const))(
    "name the address and the model that were chosen: %s in %s",
    (_, __, { code }) => {
      assert.include(code, "https://api.example.vn")
      assert.include(code, "some-model")
      assert.notMatch(code, /undefined|NaN|\[object/)
    }
  )

  it.each(every.map((each) => [each.snippet.id, each.shell, each] as const))(
    "give %s the base address that its protocol takes, in %s",
    (id, _, { code }) => {
      const takesVersion = !["curl", "anthropic", "claude-code", "claude-agent"].includes(id)
      const bases = [...code.matchAll(/https:\/\/api\.example\.vn([\w/]*)/g)].map(([, path]) => path)
      assert.deepStrictEqual(
        new Set(bases),
        new Set([id === "curl" ? "/v1/messages" : takesVersion ? "/v1" : ""])
      )
    }
  )

  it("are the same for every shell unless they say otherwise, and never mix the two", () => {
    for (const { code, shell, snippet } of every) {
      if (shell === "powershell") assert.notMatch(code, /\bexport |\\$/m, snippet.id)
      else assert.notMatch(code, /\$env:/, snippet.id)
    }
    for (const snippet of snippets.filter(({ isShell }) => !isShell)) {
      const [one, two] = every.filter((each) => each.snippet === snippet)
      assert.strictEqual(one!.code, two!.code)
    }
  })
})
