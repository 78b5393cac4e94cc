/** What better-auth's plugin for passkeys is told. */
import { passkey } from "@better-auth/passkey"
import { APIError } from "better-auth/api"
import { passkeyHostOf } from "./passkey-host.ts"

/** No plugin where the address has no passkeys. */
export const passkeysOf = (publicUrl: string): ReadonlyArray<ReturnType<typeof passkey>> => {
  const host = passkeyHostOf(publicUrl)
  if (host === undefined) return []
  return [
    passkey({
      rpID: host,
      rpName: "Tollgate",
      origin: new URL(publicUrl).origin,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      registration: {
        afterVerification: ({ verification }) =>
          requireOwner(verification.registrationInfo?.userVerified === true)
      },
      authentication: {
        afterVerification: ({ verification }) => requireOwner(verification.authenticationInfo.userVerified)
      },
      schema: { passkey: table }
    })
  ]
}

/** It stands for two factors: that somebody has the device, and that they are its owner. */
const requireOwner = (isVerified: boolean) => {
  if (!isVerified) throw new APIError("UNAUTHORIZED", { code: "AUTHENTICATION_FAILED" })
}

const table = {
  modelName: "passkeys",
  fields: {
    publicKey: "public_key",
    userId: "person_id",
    credentialID: "credential_id",
    deviceType: "device_type",
    backedUp: "backed_up",
    createdAt: "created_at"
  }
}
