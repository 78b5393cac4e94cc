/** A certificate for `localhost` that signs itself, made anew for each run: Node has no maker of certificates. RFC 5280. */
import { generateKeyPairSync, sign } from "node:crypto"

const tagged = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => tagged(0x30, ...parts)
const object = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"))
const time = (year: number) => tagged(0x18, Buffer.from(`${year}0101000000Z`))

const ecdsaWithSha256 = sequence(object("2a8648ce3d040302"))
const commonName = object("550403")
const subjectAltName = object("551d11")

export const selfSigned = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const host = Buffer.from("localhost")
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, host))))
  const names = sequence(subjectAltName, tagged(0x04, sequence(tagged(0x82, host))))
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(2020), time(2100)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(names))
  )
  const signature = tagged(0x03, Buffer.from([0]), sign("sha256", toBeSigned, privateKey))
  const base64 = sequence(toBeSigned, ecdsaWithSha256, signature).toString("base64")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`
  }
}
