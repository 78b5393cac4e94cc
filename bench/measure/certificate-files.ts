/** An authority of the suite's own and a certificate of this machine, as files: whoever is measured reads them at its start. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeAuthority } from "../../test/certificates.ts"

/** Paths. */
export interface CertificateFiles {
  readonly authority: string
  readonly certificate: string
  readonly key: string
  readonly stop: () => Promise<void>
}

export const makeCertificateFiles = (): CertificateFiles => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-certificates-"))
  const authority = makeAuthority("Load tests")
  const { cert, key } = authority.issue("127.0.0.1")
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  return {
    authority: write("authority.pem", authority.cert),
    certificate: write("certificate.pem", cert),
    key: write("key.pem", key),
    stop: async () => rmSync(folder, { recursive: true, force: true })
  }
}
