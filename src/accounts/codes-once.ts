/** A code of an authenticator app is good once: whoever saw it being typed can not use it again in its time. */
import { base32 } from "@better-auth/utils/base32"
import type { BetterAuthPlugin } from "better-auth"
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api"
import { symmetricDecrypt } from "better-auth/crypto"
import { stepOfCode } from "./totp.ts"

/** False where a code of this step or a later one was used before. */
type UseStep = (personId: string, step: number) => Promise<boolean>

export const codesOnce = (useStep: UseStep): BetterAuthPlugin => ({
  id: "codes-once",
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === "/two-factor/verify-totp",
        handler: createAuthMiddleware(async (request) => {
          const personId = await whoseCode(request)
          const { code } = request.body as { readonly code: string }
          const shown = personId && (await readCode(request.context, personId, code))
          if (!shown || (await useStep(personId, shown.step))) return undefined
          // As a wrong one it is refused and counted.
          return { context: { body: { code: "" } } }
        })
      }
    ]
  }
})

type Request = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Of the session, or of the sign-in that waits for its second step. */
const whoseCode = async (request: Request): Promise<string | undefined> => {
  const session = await getSessionFromCtx(request)
  if (session !== null) return session.user.id
  const { context } = request
  const token = await request.getSignedCookie(context.createAuthCookie("two_factor").name, context.secret)
  return token ? (await context.internalAdapter.findVerificationValue(token))?.value : undefined
}

/** What a code is of: the secret as it is stored, and the step. */
export interface ReadCode {
  readonly secret: string
  readonly step: number
}

type Context = Pick<Request["context"], "adapter" | "secretConfig">

/** `undefined` where it is no code of this person's secret at this time. */
export const readCode = async (
  context: Context,
  personId: string,
  code: string
): Promise<ReadCode | undefined> => {
  const found = await findSecret(context, personId)
  if (found === undefined) return undefined
  const step = stepOfCode(found.plain, code, Date.now())
  return step === undefined ? undefined : { secret: found.stored, step }
}

/** Whether codes are asked of this secret, as the QR code had it, and of none that was made since. */
export const isSecretOf = async (context: Context, personId: string, shown: string): Promise<boolean> => {
  const found = await findSecret(context, personId)
  return found !== undefined && base32.encode(found.plain, { padding: false }) === shown
}

const findSecret = async ({ adapter, secretConfig }: Context, personId: string) => {
  const found = await adapter.findOne<{ readonly secret: string }>({
    model: "twoFactor",
    where: [{ field: "userId", value: personId }]
  })
  if (found === null) return undefined
  const plain = await symmetricDecrypt({ key: secretConfig, data: found.secret })
  return { stored: found.secret, plain }
}
