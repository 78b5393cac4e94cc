/** What a gateway thread may use of the machine: its share of it, where the settings do not say. */
import { readFileSync } from "node:fs"
import { BlockList, isIPv6 } from "node:net"
import { totalmem } from "node:os"
import { accountPart } from "../config/account-part.ts"
import type { Settings } from "../config/settings.ts"
import type { BodyBounds } from "./BodyMemory.ts"
import type { ConnectionBounds } from "./Connections.ts"

export interface Machine {
  /** Bytes. */
  readonly memory: number
  /** How many the process may have open. */
  readonly descriptors: number
}

export interface Capacity {
  readonly bodies: BodyBounds
  readonly connections: ConnectionBounds
}

/** For the database, the dashboard, files and what threads tell each other by. */
const descriptorsForOthers = 128

export const readMachine = (): Machine => ({
  // The machine's, or what a container may use of it.
  memory: Math.min(totalmem(), process.constrainedMemory() || Infinity),
  descriptors: readDescriptorsMax()
})

/** Node has raised its limit to the most it may have. Where it can not be told, none is counted with. */
const readDescriptorsMax = (): number => {
  if (process.platform !== "linux") return Infinity
  const soft = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]
  return soft === undefined ? Infinity : Number(soft)
}

type Sizing = Pick<Settings, "gatewayThreads" | "limits" | "trustProxy">

export const capacityOf = (settings: Sizing, machine: Machine): Capacity => ({
  bodies: bodyBounds(settings, machine),
  connections: connectionBounds(settings, machine)
})

/**
 * An eighth of the memory for the bodies of all threads: each is there a second time as it goes upstream, and takes a
 * multiple of its size where it is converted. Some of full size must find room in any case.
 */
const bodyBounds = ({ gatewayThreads, limits }: Sizing, { memory }: Machine): BodyBounds => {
  const share = Math.max(4 * limits.maxBodyBytes, Math.floor(memory / 8 / gatewayThreads))
  const bytes = limits.maxBufferedBytes ?? share
  return { bytes, bytesPerAccount: limits.maxBufferedBytesPerAccount ?? accountPart(bytes) }
}

const connectionBounds = (
  { gatewayThreads, limits, trustProxy }: Sizing,
  machine: Machine
): ConnectionBounds => {
  const others = Math.min(descriptorsForOthers, machine.descriptors / 2)
  const descriptors = limits.maxDescriptors ?? Math.floor((machine.descriptors - others) / gatewayThreads)
  const most = limits.maxConnectionsPerAddress ?? Math.floor(descriptors / 2)
  const proxies = listOf(limits.proxies ?? localProxies)
  // Where a proxy is trusted and none is named, whoever connects is one.
  const isEveryOneProxy = trustProxy && limits.proxies === undefined
  const perAddress = (address: string) =>
    isEveryOneProxy || proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4") ? Infinity : most
  return { descriptors, perAddress }
}

/** What runs on the machine itself speaks for many. */
const localProxies = ["127.0.0.1", "::1"]

/** Addresses, and ranges of them as `10.0.0.0/8`. */
const listOf = (ranges: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, bits] = range.split("/") as [string, string | undefined]
    const family = isIPv6(address) ? "ipv6" : "ipv4"
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
