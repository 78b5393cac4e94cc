/** The token of a link that was mailed. It does not stay in the address, where it could be seen or copied along. */
import { useEffect, useState } from "preact/hooks"

export const useLinkToken = (): string => {
  const [token] = useState(() => new URLSearchParams(location.search).get("token") ?? "")
  useEffect(() => history.replaceState(null, "", location.pathname), [])
  return token
}
