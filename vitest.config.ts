import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/LongestFirst.ts"
import { TellSkipped } from "./test/TellSkipped.ts"
import { temporaryFolder } from "./test/temporary-folder.ts"

// What the tests start has it, too.
process.env["TMPDIR"] = temporaryFolder()

/** `unit` is quick and starts no process; `system` starts the gateway, PostgreSQL or a browser, or tries very much. */
export default defineConfig({
  test: {
    // Node reads TypeScript by itself; by way of Vite's module runner the same tests take 12 % more of the processor.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new TellSkipped()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.system.test.ts"],
          // They leave nothing behind, and loading every module anew for each file takes as long as the tests.
          isolate: false,
          // Beside much else a handshake of some hundred connections takes its time.
          testTimeout: 20_000,
          // By itself a machine with two cores has one.
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      {
        test: {
          name: "system",
          include: ["test/**/*.system.test.ts"],
          // They end what hangs: what takes 25 s by itself took more than two minutes beside four others.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          globalSetup: ["test/prepare-run.ts"],
          setupFiles: ["test/quick-passwords.ts"],
          isolate: false,
          // Each file brings processes of its own, and waits for them half of its time.
          maxWorkers: 5,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
