/** What an answer tells of the tools that its provider ran. */
import type { ToolUses } from "../../domain/particulars.ts"
import { tokenCount } from "../../domain/usage.ts"
import type { Json } from "../json/json.ts"
import { usesMost } from "./hosted-tools.ts"

/** Counts uses: by the provider's own sums where it has them, else by what was seen. */
export class UseCounts {
  readonly #seen = new Map<string, number>()
  readonly #told = new Map<string, number>()

  see(name: string | undefined): void {
    if (name !== undefined) this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1)
  }

  tell(name: string | undefined, uses: Json | undefined): void {
    const told = tokenCount(uses)
    if (name !== undefined && told !== undefined) this.#told.set(name, told)
  }

  get uses(): ReadonlyArray<ToolUses> {
    return [...new Map([...this.#seen, ...this.#told])]
      .filter(([, uses]) => uses > 0)
      .map(([tool, uses]) => ({ tool, uses: Math.min(uses, usesMost) }))
  }
}
