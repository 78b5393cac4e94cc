/** Says in the last line of a run which files were skipped in part since `../shared` is absent. */
import type { Reporter, TestCase, TestModule } from "vitest/node"

const needed = /needs (\.\.\/shared\/[\w-]+), which is absent/

export class TellSkipped implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].flatMap((test) => skippedIn(module, test))
    )
    if (skipped.length === 0) return
    const parts = [...new Set(skipped.map(({ part }) => part))].toSorted().join(", ")
    const files = [...new Set(skipped.map(({ file }) => file))].toSorted().join(" ")
    console.log(`Skipped for want of ${parts}: ${skipped.length} suites, in ${files}`)
  }
}

const skippedIn = ({ relativeModuleId: file }: TestModule, { name }: TestCase) => {
  const part = needed.exec(name)?.[1]
  return part === undefined ? [] : [{ file, part }]
}
