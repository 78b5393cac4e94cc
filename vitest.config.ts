import { defineConfig } from "vitest/config"

/** `unit` is quick and starts no process; `system` starts the gateway, PostgreSQL or a browser. */
export default defineConfig({
  test: {
    projects: [
      {
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/**/*.system.test.ts"] }
      },
      {
        test: {
          name: "system",
          include: ["test/**/*.system.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false
        }
      }
    ]
  }
})
