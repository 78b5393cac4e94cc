/** Asks the browser for passkeys, where it and the address have them. */
import { ApiError, postAuth } from "./api.ts"
import { session } from "./session.ts"

export const hasPasskeys = (): boolean =>
  session.value?.passkey_host === location.hostname &&
  typeof PublicKeyCredential !== "undefined" &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"

/** Made for whoever is signed in. */
export const addPasskey = async (name: string, password: string): Promise<void> => {
  const options = await postAuth<PublicKeyCredentialCreationOptionsJSON>("passkey/register-options", {
    password
  })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const response = await jsonOf(
    navigator.credentials.create({ publicKey }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "InvalidStateError")
        throw new ApiError(409, "passkey_there")
      return null
    })
  )
  await postAuth("passkey/verify-registration", { name, response })
}

/** Signs in, or shows once more who it is. */
export const usePasskey = async (): Promise<void> => {
  const options = await postAuth<PublicKeyCredentialRequestOptionsJSON>("passkey/options")
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...options,
    userVerification: "required"
  })
  const response = await jsonOf(navigator.credentials.get({ publicKey }).catch(() => null))
  await postAuth("passkey/verify-authentication", { response }).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === "PASSKEY_NOT_FOUND")
      await tellRemoved(options.rpId, response.id)
    throw error
  })
}

/** The device offers it no more, where the browser can tell it so. */
const tellRemoved = async (rpId: string | undefined, credentialId: string): Promise<void> => {
  if (rpId === undefined || typeof PublicKeyCredential.signalUnknownCredential !== "function") return
  await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {})
}

/** Else browsers do not say why there is none: whoever has left the question open has refused it. */
const jsonOf = async (asked: Promise<Credential | null>): Promise<{ readonly id: string }> => {
  const credential = await asked
  if (!(credential instanceof PublicKeyCredential)) throw new ApiError(400, "passkey_unused")
  return credential.toJSON()
}
