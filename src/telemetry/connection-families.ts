/** The metrics of connections to providers. An origin is what an operator has configured: there are few. */
import type { ConnectionCounters, ConnectionNumbers } from "./connection-numbers.ts"
import { family, type Sample } from "./prometheus-text.ts"

/** `counters`: of all threads, those that have ended included. `numbers`: of each thread that runs. */
export const connectionFamilies = (
  counters: ReadonlyArray<ConnectionCounters>,
  numbers: ReadonlyArray<ConnectionNumbers>
): ReadonlyArray<string> => {
  const origins = [...new Set(numbers.map(({ origin }) => origin))]
  const gauge = (name: string, help: string, read: (numbers: ConnectionNumbers) => number) => {
    const sum = (origin: string) =>
      numbers.reduce((total, each) => (each.origin === origin ? total + read(each) : total), 0)
    const samples = origins.map((origin): Sample => [{ origin }, sum(origin)])
    return family(`tollgate_upstream_connections_${name}`, "gauge", help, samples)
  }
  const counter = (name: string, help: string, read: (counters: ConnectionCounters) => number) =>
    family(
      `tollgate_upstream_${name}_total`,
      "counter",
      help,
      counters.map((each) => [{ origin: each.origin }, read(each)])
    )
  return [
    gauge("open", "Connections to a provider, idle ones included.", ({ open }) => open),
    gauge("idle", "Connections that wait for their next call.", ({ idle }) => idle),
    gauge("connecting", "Connections that are being made.", ({ connecting }) => connecting),
    counter("connections_opened", "Connections that were made.", ({ opened }) => opened),
    counter("connections_reused", "Calls that went out on an idle connection.", ({ reused }) => reused),
    counter("calls_sent_again", "Calls that met a closing connection.", ({ sentAgain }) => sentAgain),
    family(
      "tollgate_upstream_connections_failed_total",
      "counter",
      "Connections that could not be made or broke under a call.",
      counters.flatMap(({ failed, origin }) =>
        Object.entries(failed).map(([reason, count]): Sample => [{ origin, reason }, count])
      )
    )
  ]
}
