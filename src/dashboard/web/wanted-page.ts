/**
 * The page that somebody wanted before they were asked who they are. While they are at another's pages the tab keeps it, and
 * nobody else: in it may stand what only they may know, such as an invitation.
 */
const kept = "tollgate_wanted"

export const wantedPage = (): string | undefined => {
  const next = new URLSearchParams(location.search).get("next") ?? sessionStorage.getItem(kept)
  return next !== null && /^\/(?!\/)[\w/-]*(\?[\w=&%.+-]*)?$/.test(next) ? next : undefined
}

export const keepWantedPage = (): void => {
  const wanted = wantedPage()
  if (wanted !== undefined) sessionStorage.setItem(kept, wanted)
}

export const forgetWantedPage = (): void => sessionStorage.removeItem(kept)
