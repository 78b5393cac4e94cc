/**
 * The page that somebody wanted before they were asked who they are. While they are at another's pages the tab keeps it, and
 * nobody else: in it may stand what only they may know, such as an invitation.
 */
export const keptPage = "wanted"

export const wantedPage = (): string | undefined => {
  const next = new URLSearchParams(location.search).get("next") ?? sessionStorage.getItem(keptPage)
  return next !== null && /^\/(?!\/)[\w/-]*(\?[\w=&%.+-]*)?$/.test(next) ? next : undefined
}
