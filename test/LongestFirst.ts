/** The longest files are begun first, so that none of them runs alone at the end: which they are is not known on a fresh clone. */
import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"

/** Those of over half a minute, the longest first. */
const longest = [
  "browser/pages",
  "simulation/schedules",
  "browser/flows",
  "gateway/many-streams",
  "operations/shutdown",
  "browser/operators-day",
  "storage/EmbeddedPostgres",
  "operations/soak",
  "gateway/streams",
  "wire/responses-oracle",
  "accounts/people"
].map((name) => `test/${name}.system.test.ts`)

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place === -1 ? longest.length : place
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
