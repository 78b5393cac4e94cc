/** What a chat client says of its user and its images, where Claude's service looks at it more closely. */
import { assert, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convert, image, messagesOf, text, user } from "../chat-requests.ts"

const userIdOf = (name: string) => (convert({ user: name }).metadata as { user_id: string }).user_id

it("a user's name goes up as it is, but as a hash where it is an address, a phone number or too long", () => {
  for (const name of ["user-123", "84912345678", "a@b", "x".repeat(256)])
    assert.strictEqual(userIdOf(name), name)
  const hidden = ["lan@example.vn", "user lan@example.vn", "+84 91 234 56 78", "x".repeat(257)]
  for (const name of hidden) assert.match(userIdOf(name), /^[0-9a-f]{64}$/)
  assert.strictEqual(new Set(hidden.map(userIdOf)).size, hidden.length)
})

it("an image is of the type that its bytes tell, and of the type it is said to be where they tell none", () => {
  const typeOf = (said: string, bytes: ReadonlyArray<number>) => {
    const url = `data:${said};base64,${Buffer.from(bytes).toString("base64")}`
    const [turn] = messagesOf(user({ type: "image_url", image_url: { url } })) as ReadonlyArray<{
      content: ReadonlyArray<{ type: string; source: { media_type: string } }>
    }>
    const { type, source } = turn!.content[0]!
    return `${type} ${source.media_type}`
  }
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  assert.strictEqual(typeOf("image/jpeg", png), "image image/png")
  assert.strictEqual(typeOf("application/octet-stream", [0xff, 0xd8, 0xff, 0xe0]), "image image/jpeg")
  assert.strictEqual(typeOf("image/webp", [1, 2, 3]), "image image/webp")
  assert.strictEqual(typeOf("application/pdf", [0x25, 0x50, 0x44, 0x46]), "document application/pdf")
})

it("a PDF that is sent as an image is a document", () => {
  const sent = (url: string) => messagesOf(user({ type: "image_url", image_url: { url } }))
  const document = (source: JsonObject) => [user({ type: "document", source })]
  assert.deepStrictEqual(
    sent("data:application/pdf;base64,JVBE"),
    document({ type: "base64", media_type: "application/pdf", data: "JVBE" })
  )
  for (const url of ["https://x/a.pdf", "https://x/A.PDF?page=1#top"])
    assert.deepStrictEqual(sent(url), document({ type: "url", url }))
  for (const url of ["https://x/a.pdf.png", "https://x/a.png?from=b.pdf", "https://x/a.pdf?page=1&fm=png"])
    assert.deepStrictEqual(sent(url), [user({ type: "image", source: { type: "url", url } })])
})

it("an image in a system message is shown by the user, where it stands", () => {
  const sent = { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } }
  const developer = { role: "developer", content: [text("Their logo:"), sent] }
  const body = convert({ messages: [user(text("q")), developer, user(text("r"))] })
  assert.deepStrictEqual(body.system, [text("Their logo:")])
  assert.deepStrictEqual(body.messages, [user(text("q"), image, text("r"))])
})
