/**
 * What providers tell of the account by which we reach them: its key, its money and what it may do. No caller can mend that,
 * nor must one take it for its own account here.
 */
interface Told {
  readonly type?: string
  readonly code?: string
  readonly message?: string
  /** The body as it came. */
  readonly text: string
}

const codes =
  /API_KEY_INVALID|Incorrect API key|credit balance is too low|organization has been disabled|billing_hard_limit_reached|\bArrearage\b|\b(organization_on_hold|cmek_key_\w+|claude_code_key_creator_not_member)\b/

/** One line for each way to say it, behind the status of a bad request. */
const words = new RegExp(
  [
    "\\binsufficient[ _]balance\\b",
    // Anthropic's: https://github.com/anthropics/claude-code/issues/38038
    "reached your specified (workspace )?API usage limits",
    // OpenAI's: https://github.com/chatboxai/chatbox/issues/2263
    "organization must be verified",
    // Google's: https://github.com/google-gemini/gemini-cli/issues/24641
    "user location is not supported",
    "enable billing on your project",
    // Google's of Imagen: https://github.com/ammaarreshi/openjourney/issues/1
    "only accessible to billed users",
    "missing or invalid authorization header",
    // AWS's
    "exceeds the service quota for your account",
    "models is not allowed for this account",
    // MiniMax's
    "token plan not support model"
  ].join("|"),
  "i"
)

/** A wrong key of ours and an account of ours without money or on hold, which some providers call a bad request. */
export const isOperatorsOwn = ({ code, message, text }: Told): boolean =>
  codes.test(`${code} ${message} ${text}`) || words.test(`${code} ${message}`)

const quota =
  /quota|billing|credit|\bbalance\b|recharge|spend(ing)?[ _]limit|usage[ _]limit|inference limit|add your own key|\b(subscription|coding|token) plan\b|fair usage|余额|充值|套餐/i

/** Z.ai's of an empty account and of a plan that is used up, has ended or is held back, in whichever language: https://docs.z.ai/api-reference/api-code */
const quotaCodes: ReadonlySet<string | undefined> = new Set(["1113", "1308", "1309", "1310", "1311", "1313"])

/** Of an error that no caller can mend: that it is for what our account has used up. */
export const isQuotaUsedUp = ({ code, message, type }: Told): boolean =>
  quotaCodes.has(code) || quota.test(`${type} ${code} ${message}`)

/**
 * xAI and OpenRouter forbid what is not to be asked, as they do to a key that may not ask at all:
 * https://github.com/UKGovernmentBEIS/inspect_ai/pull/2267, openrouter.ai/docs, "Moderation Errors"
 */
export const isContentForbidden = ({ message = "" }: Told): boolean =>
  /^content violates usage guidelines|\byour input was flagged\b/i.test(message)
