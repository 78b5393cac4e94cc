/** What a ready-made piece is, and the two ways to write one. */

export interface Connection {
  /** Without `/v1`: Messages clients add it themselves, the others must be told. */
  readonly baseUrl: string
  readonly key: string
  /** A text model's id. */
  readonly model: string
  readonly shell: Shell
}

export const shells = ["sh", "powershell"] as const
export type Shell = (typeof shells)[number]

export interface Snippet {
  readonly id: string
  readonly name: string
  /** Written for a shell, hence in one way for each. */
  readonly isShell: boolean
  readonly code: (connection: Connection) => string
}

export const sampleKey = "sk-tg-…"

/** Sets what a program reads from its surroundings, in the words of a shell. */
export const setting = (shell: Shell, name: string, value: string): string =>
  shell === "sh" ? `export ${name}="${value}"` : `$env:${name} = "${value}"`

export const inShell = (
  id: string,
  name: string,
  variables: (connection: Connection) => Readonly<Record<string, string>>,
  command: (connection: Connection) => string
): Snippet => ({
  id,
  name,
  isShell: true,
  code: (connection) =>
    [
      ...Object.entries(variables(connection)).map(([each, value]) => setting(connection.shell, each, value)),
      command(connection)
    ].join("\n")
})

export const inCode = (id: string, name: string, code: Snippet["code"]): Snippet => ({
  id,
  name,
  isShell: false,
  code
})

export const openAiSettings = ({ baseUrl, key }: Connection) => ({
  OPENAI_BASE_URL: `${baseUrl}/v1`,
  OPENAI_API_KEY: key
})

export const hello = "Xin chào!"
