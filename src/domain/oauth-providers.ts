/** Where people may have an account that they sign in with. */
export const oauthProviders = ["google", "github"] as const

export type OAuthProvider = (typeof oauthProviders)[number]

/** As they write themselves. */
export const oauthNames: Readonly<Record<OAuthProvider, string>> = { google: "Google", github: "GitHub" }
