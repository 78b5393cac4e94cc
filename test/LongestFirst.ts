/** The longest files are begun first, so that none of them runs alone at the end: which they are is not known on a fresh clone. */
import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"

/** Those of the most seconds beside others, the longest first. */
const longest = [
  "browser/pages",
  "simulation/schedules",
  "browser/flows",
  "gateway/many-streams",
  "operations/shutdown",
  "browser/operators-day",
  "storage/EmbeddedPostgres",
  "operations/start-failures",
  "compute/CodecPool",
  "formats/stream/flat-memory",
  "gateway/privacy",
  "operations/soak",
  "clients/charges",
  "ledger/several-nodes",
  "security/early-answers",
  "browser/team",
  "dashboard/roles",
  "storage/former-books",
  "gateway/streams",
  "simulation/simulation"
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
