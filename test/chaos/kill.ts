/** `node test/chaos/kill.ts [rounds] [seed]`: kills a loaded gateway again and again, and counts the money. */
import { startGateway } from "../gateway/start-gateway.ts"
import { Random } from "../Random.ts"
import { KillRun } from "./KillRun.ts"

const rounds = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`${rounds} rounds, seed ${seed}`)
const gateway = await startGateway()
try {
  const report = await new KillRun(gateway, new Random(seed)).run(rounds, (round) =>
    print(`killed ${round} times`)
  )
  print(JSON.stringify(report, null, 2))
  process.exitCode = report.problems.length === 0 ? 0 : 1
} finally {
  await gateway.stop()
}
