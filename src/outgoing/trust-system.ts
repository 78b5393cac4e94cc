/**
 * Whom the machine trusts, the program trusts: the system's authorities beside Node's own and those of `NODE_EXTRA_CA_CERTS`, for every
 * client of the thread that does not bring its own.
 */
import { getCACertificates, setDefaultCACertificates } from "node:tls"

let isDone = false

/** The first time takes a tenth of a second, for the whole process; each thread needs it once, another twentieth. */
export const trustSystem = (): void => {
  if (isDone) return
  isDone = true
  const known = new Set(getCACertificates("default"))
  const missing = getCACertificates("system").filter((certificate) => !known.has(certificate))
  if (missing.length > 0) setDefaultCACertificates([...known, ...missing])
}
