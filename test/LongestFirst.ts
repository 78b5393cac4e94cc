/** The soak takes as long as a third of all other files: begun first, it runs beside them instead of after them. */
import type { TestSpecification } from "vitest/node"
import { BaseSequencer } from "vitest/node"

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isSoak = ({ moduleId }: TestSpecification) => moduleId.endsWith("soak.system.test.ts")
    return [...sorted.filter(isSoak), ...sorted.filter((file) => !isSoak(file))]
  }
}
