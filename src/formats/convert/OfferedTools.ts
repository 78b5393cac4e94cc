/** The tools that a client of OpenAI's protocols offers, as those of Messages. */
import type { Json, JsonObject } from "../json/json.ts"
import { messagesNameLengthMax, ToolNameMap } from "./tool-names.ts"
import { separator, type ToolOrigin, writeOrigin } from "./tool-origin.ts"

/** Names that fit, each for one tool alone, and what each of them stands for. */
export class OfferedTools {
  /** What is sent under a name, to what the client calls it. */
  readonly originals = new Map<string, string>()
  readonly tools: Array<JsonObject & { readonly name: string }> = []
  readonly #fitted = new ToolNameMap(messagesNameLengthMax)
  readonly #sent = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #offered = new Set<string>()
  readonly #byName = new Map<
    string,
    Array<{ readonly name: string; readonly namespace: string | undefined }>
  >()

  /** The name a tool goes by; the same for the same tool in every request. */
  nameOf(origin: ToolOrigin): string {
    const original = writeOrigin(origin)
    const known = this.#sent.get(original)
    if (known !== undefined) return known
    const flat = origin.namespace === undefined ? origin.name : `${origin.namespace}__${origin.name}`
    let sent = this.#fitted.send(flat)
    // A group and a plain tool may come to the same name, as a function and a custom tool may have it.
    for (let count = 2; this.#taken.has(sent); count++) sent = this.#fitted.send(`${flat} ${count}`)
    this.#taken.add(sent)
    this.#sent.set(original, sent)
    if (sent !== original) this.originals.set(sent, original)
    return sent
  }

  /** The same for a call of the history, whose tool may be of another kind by now, or have lost its group on the way. */
  nameOfCall(origin: ToolOrigin): string {
    const { isCustom, name, namespace } = origin
    if (this.#sent.has(writeOrigin(origin))) return this.nameOf(origin)
    const alike = [isCustom, !isCustom].flatMap((kind) => this.named(name, kind, namespace))
    return alike.length === 1 ? alike[0]! : this.nameOf(origin)
  }

  /** OpenAI takes a tool that is there twice; "Tool names must be unique" (LuthienResearch/luthien-proxy #161). */
  offer(origin: ToolOrigin, definition: JsonObject): void {
    const name = this.nameOf(origin)
    if (this.#offered.has(name)) return
    this.#offered.add(name)
    this.tools.push({ name, ...definition })
    const alike = this.#byName.get(keyOf(origin.name, origin.isCustom))
    const one = { name, namespace: origin.namespace }
    if (alike === undefined) this.#byName.set(keyOf(origin.name, origin.isCustom), [one])
    else alike.push(one)
  }

  /** The tools a choice may mean: by their own name, in a group or not. */
  named(name: string, isCustom: boolean, namespace: Json | undefined): ReadonlyArray<string> {
    return (this.#byName.get(keyOf(name, isCustom)) ?? [])
      .filter((one) => namespace === undefined || namespace === one.namespace)
      .map((one) => one.name)
  }

  /** All tools of a group. */
  inGroup(namespace: string): ReadonlyArray<string> {
    return [...this.#byName.values()]
      .flat()
      .filter((one) => namespace === one.namespace)
      .map((one) => one.name)
  }
}

const keyOf = (name: string, isCustom: boolean): string => `${isCustom}${separator}${name}`
