/** Who is measured: the upstream called directly, the bare relay, the other gateway, and ours. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Target } from "../load/job.ts"
import type { CertificateFiles } from "./certificate-files.ts"
import { root, startProcess, type Started } from "./start-process.ts"

/** Somebody who takes a provider's calls. */
export interface Contender {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly keysFile?: string
  /** Whose CPU time counts; none for the upstream itself. */
  readonly pid: number | undefined
  /** The process whose PostgreSQL it uses. */
  readonly postgresOf?: number
  /** More of the same, on the same PostgreSQL, which is the first one's. */
  readonly peers?: ReadonlyArray<{ readonly url: string; readonly pid: number }>
}

const readyUrl = /"url":"([^"]+)"/
const upstreamKey = { authorization: "Bearer simulated", "x-api-key": "simulated" }

export const startSimulator = (): Promise<Started> =>
  startProcess({ args: ["workers/simulator.ts", "--port", "0"], ready: readyUrl, hears: "stdout" })

/** `files`: with them it speaks TLS. */
export const startLeanUpstream = (files?: CertificateFiles): Promise<Started> => {
  const options = files === undefined ? [] : [files.key, files.certificate]
  return startProcess({
    args: ["bench/yardsticks/lean-upstream.ts", ...options],
    ready: readyUrl,
    hears: "stdout"
  })
}

export const startBareRelay = (upstreamUrl: string, authority?: string): Promise<Started> => {
  const options = authority === undefined ? [upstreamUrl] : [upstreamUrl, authority]
  return startProcess({
    args: ["bench/yardsticks/bare-relay.ts", ...options],
    ready: readyUrl,
    hears: "stdout"
  })
}

export const direct = (url: string): Contender => ({
  name: "direct",
  url,
  headers: upstreamKey,
  pid: undefined
})

export const bareRelay = ({ found, pid }: Started, name = "bare relay"): Contender => ({
  name,
  url: found,
  headers: upstreamKey,
  pid
})

/** For programs that can not tell which one they were given. */
export const somePort = (): number => 20_000 + Math.floor(Math.random() * 10_000)

const yardsticks = join(root, "bench", "yardsticks")
const portkeyProgram = join(yardsticks, "node_modules", "@portkey-ai", "gateway", "build", "start-server.js")

/** `undefined` where it can not be installed; says so. */
export const startPortkey = async (): Promise<Started | undefined> => {
  try {
    if (!existsSync(portkeyProgram)) {
      execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: yardsticks,
        stdio: "pipe"
      })
    }
  } catch {
    console.error(
      "@portkey-ai/gateway can not be installed here (npm ci in bench/yardsticks failed): left out"
    )
    return undefined
  }
  const port = somePort()
  return startProcess({
    args: [portkeyProgram, "--headless", `--port=${port}`],
    ready: /(http:\/\/localhost:\d+)/,
    hears: "stdout",
    cwd: yardsticks,
    env: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost", NODE_ENV: "production" }
  })
}

/** It is told with every call where to send it. */
export const portkey = ({ found, pid }: Started, upstreamUrl: string): Contender => ({
  name: "Portkey",
  url: found.replace("localhost", "127.0.0.1"),
  headers: {
    authorization: "Bearer simulated",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${upstreamUrl}/v1`
  },
  pid
})

/** A call of `body` to a contender. */
export const targetOf = (contender: Contender, path: string, body: string): Target => ({
  url: contender.url,
  ...(contender.peers !== undefined && { otherUrls: contender.peers.map(({ url }) => url) }),
  path,
  headers: { "content-type": "application/json", ...contender.headers },
  body,
  ...(contender.keysFile === undefined ? {} : { keysFile: contender.keysFile })
})
