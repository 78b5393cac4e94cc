import { assert, describe, it } from "@effect/vitest"
import { gunzipSync, brotliDecompressSync } from "node:zlib"
import { get } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { ensureBuilt } from "../../src/dashboard/ensure-built.ts"
import { preferredLanguage } from "../../src/dashboard/static-files.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { TestPerson } from "./TestPerson.ts"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

/** As it goes over the wire; `fetch` would unpack it. */
const fetchRaw = (path: string, headers: Record<string, string> = {}) =>
  new Promise<Raw>((resolve, reject) => {
    get(`${dashboard.url}${path}`, { headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      )
    }).on("error", reject)
  })

const assetsOf = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path!)

describe("the front end", () => {
  it("is under 40 kB for the first load, compressed", async () => {
    const page = await fetchRaw("/dashboard")
    const assets = await Promise.all(
      assetsOf(page.body.toString()).map((path) => fetchRaw(path, { "accept-encoding": "gzip" }))
    )
    assert.isAtLeast(assets.length, 2)
    const bytes = [page, ...assets].reduce((total, { body }) => total + body.length, 0)
    assert.isBelow(bytes, 40_000)
  })

  it("has no paths of this machine in it", async () => {
    for (const path of assetsOf((await fetchRaw("/dashboard")).body.toString())) {
      assert.notInclude((await fetchRaw(path)).body.toString(), import.meta.dirname.split("/test/")[0]!)
    }
  })

  it("is compressed as the browser likes, and cached for ever under its hashed names", async () => {
    for (const path of assetsOf((await fetchRaw("/dashboard")).body.toString())) {
      const plain = await fetchRaw(path)
      const gzip = await fetchRaw(path, { "accept-encoding": "gzip, deflate" })
      const brotli = await fetchRaw(path, { "accept-encoding": "gzip, br" })
      assert.deepStrictEqual(gunzipSync(gzip.body), plain.body)
      assert.deepStrictEqual(brotliDecompressSync(brotli.body), plain.body)
      assert.strictEqual(brotli.headers["content-encoding"], "br")
      assert.strictEqual(brotli.headers["cache-control"], "public, max-age=31536000, immutable")
    }
  })

  it("asks again for the page itself, which costs nothing while it is the same", async () => {
    const page = await fetchRaw("/dashboard/keys")
    assert.strictEqual(page.headers["cache-control"], "no-cache")
    const again = await fetchRaw("/dashboard/keys", { "if-none-match": String(page.headers["etag"]) })
    assert.deepStrictEqual([again.status, again.body.length], [304, 0])
  })

  it("comes in the language and theme that were chosen, and never with a cookie's own text", async () => {
    const page = await fetchRaw("/dashboard", { cookie: "tollgate_language=en; tollgate_theme=dark" })
    assert.include(page.body.toString(), '<html lang="en" data-theme="dark">')
    const evil = await fetchRaw("/dashboard", { cookie: 'tollgate_theme="><script>; tollgate_language=xx' })
    assert.include(evil.body.toString(), '<html lang="vi">')
  })

  it.each([
    ["en-GB,en;q=0.9", "en"],
    ["en;q=0.8, vi;q=0.9", "vi"],
    ["vi-VN,vi;q=0.9,en-US;q=0.8", "vi"],
    ["fr-FR, en;q=0.3", "en"],
    ["fr-FR", "vi"],
    ["", "vi"]
  ])(
    "comes in the language that the browser likes best where none was chosen: %s",
    async (liked, language) => {
      const page = await fetchRaw("/dashboard", { "accept-language": liked })
      assert.include(page.body.toString(), `<html lang="${language}"`)
      assert.include(String(page.headers["vary"]), "accept-language")
    }
  )

  it("is there at once, however many blanks stand in what the browser likes", () => {
    const blanks = " ".repeat(300_000)
    assert.strictEqual(preferredLanguage(`en${blanks};${blanks}q=0.9${blanks}`), "en")
    assert.strictEqual(preferredLanguage(`en${blanks}x`), "vi")
  })

  it("may run nothing inline, be framed by nobody, and talk to nobody else", async () => {
    const { headers } = await fetchRaw("/dashboard")
    const policy = String(headers["content-security-policy"])
    assert.include(policy, "default-src 'none'")
    assert.include(policy, "frame-ancestors 'none'")
    assert.notInclude(policy, "unsafe")
    assert.isUndefined(headers["strict-transport-security"])
  })

  it("answers missing files with 404 and other methods with 405", async () => {
    assert.strictEqual((await fetchRaw("/dashboard/assets/none-12345678.js")).status, 404)
    for (const path of ["/dashboard/../package.json", "/dashboard/assets/..%2f..%2f..%2fpackage.json"]) {
      assert.notInclude((await fetchRaw(path)).body.toString(), "dependencies")
    }
    assert.strictEqual((await new TestPerson(dashboard).post("/dashboard/keys")).status, 405)
  })

  it("is built once: with the same sources there is nothing to do", async () => {
    let builds = 0
    await ensureBuilt(() => (builds += 1))
    assert.strictEqual(builds, 0)
  })
})
