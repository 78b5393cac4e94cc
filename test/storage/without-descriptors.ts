/** Starts a PostgreSQL when no descriptor is left, and says what came of it. */
import { openSync } from "node:fs"
import { startPostmaster } from "../../src/storage/embedded/postmaster.ts"

const attempt = () =>
  startPostmaster({
    program: "/bin/true",
    clusterPath: "/tmp",
    port: 1,
    socketFolder: undefined,
    user: undefined,
    onLine: () => {}
  }).then(
    () => "started",
    (error: Error) => error.message
  )

// Whatever is loaded on first use is loaded now.
await attempt()
try {
  for (;;) openSync("/dev/null", "r")
} catch {
  // None is left.
}
const outcome = await attempt()
// An error that nobody heard would be thrown by now.
setImmediate(() => process.stdout.write(outcome, () => process.exit(0)))
