/** What a further conversion refuses is told by the name that the client knows it by. */
import { InvalidRequest } from "../json/fields.ts"

/** `named` is what fields begin with on the way, and what the client calls them. */
export const inWords =
  (named: ReadonlyArray<readonly [known: string, name: string]>) =>
  (error: InvalidRequest): InvalidRequest => {
    const [known, name] = named.find(([each]) => error.field.startsWith(each)) ?? []
    if (known === undefined || name === undefined) return error
    return new InvalidRequest({
      ...error,
      field: name,
      message: error.message.startsWith(error.field)
        ? `${name}${error.message.slice(error.field.length)}`
        : error.message
    })
  }
