/** Which page an address shows, and who may see it. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { explain } from "./api.ts"
import { Button } from "./components/Button.tsx"
import { Skeleton } from "./components/Layout.tsx"
import { Toasts } from "./components/Toasts.tsx"
import { text } from "./language.ts"
import { confirming, signingIn } from "./confirming.ts"
import { lazy } from "./lazy.tsx"
import { Overview } from "./pages/Overview.tsx"
import { SignIn } from "./pages/SignIn.tsx"
import { home, isOfAccount, isStaff, mayOpen } from "./may.ts"
import { navigate, path, visit } from "./router.ts"
import { loadSession, secondStep, session } from "./session.ts"
import { Frame, PublicFrame } from "./Shell.tsx"
import { keptPage, wantedPage } from "./wanted-page.ts"

interface PageEntry {
  readonly page: ComponentType
  readonly access: "guest" | "anyone" | "account" | "operator"
}

const operator = (page: ComponentType): PageEntry => ({ page, access: "operator" })

const pages: Readonly<Record<string, PageEntry>> = {
  "/signin": { page: SignIn, access: "guest" },
  "/signup": { page: lazy(() => import("./pages/SignUp.tsx"), "SignUp"), access: "guest" },
  "/forgot": { page: lazy(() => import("./pages/NewPassword.tsx"), "Forgot"), access: "guest" },
  "/reset": { page: lazy(() => import("./pages/NewPassword.tsx"), "Reset"), access: "guest" },
  "/verify": { page: lazy(() => import("./pages/VerifyEmail.tsx"), "VerifyEmail"), access: "anyone" },
  "/overview": { page: Overview, access: "account" },
  "/keys": { page: lazy(() => import("./pages/Keys.tsx"), "Keys"), access: "account" },
  "/usage": { page: lazy(() => import("./pages/Usage.tsx"), "Usage"), access: "account" },
  "/topup": { page: lazy(() => import("./pages/TopUp.tsx"), "TopUp"), access: "account" },
  "/statement": { page: lazy(() => import("./pages/Statement.tsx"), "Statement"), access: "account" },
  "/receipt": { page: lazy(() => import("./pages/Receipt.tsx"), "Receipt"), access: "account" },
  "/alerts": { page: lazy(() => import("./pages/Alerts.tsx"), "Alerts"), access: "account" },
  "/models": { page: lazy(() => import("./pages/Models.tsx"), "Models"), access: "anyone" },
  "/docs": { page: lazy(() => import("./pages/Docs.tsx"), "Docs"), access: "anyone" },
  "/status": { page: lazy(() => import("./pages/Status.tsx"), "Status"), access: "anyone" },
  "/account": { page: lazy(() => import("./pages/Account.tsx"), "Account"), access: "account" },
  "/members": { page: lazy(() => import("./pages/Members.tsx"), "Members"), access: "account" },
  "/activity": { page: lazy(() => import("./pages/Activity.tsx"), "Activity"), access: "account" },
  "/join": { page: lazy(() => import("./pages/Join.tsx"), "Join"), access: "account" },
  "/tokens": { page: lazy(() => import("./pages/Tokens.tsx"), "Tokens"), access: "account" },
  "/operator": operator(lazy(() => import("./operator/Service.tsx"), "Service")),
  "/operator/search": operator(lazy(() => import("./operator/Search.tsx"), "Search")),
  "/operator/accounts": operator(lazy(() => import("./operator/Accounts.tsx"), "Accounts")),
  "/operator/account": operator(lazy(() => import("./operator/AccountDetail.tsx"), "AccountDetail")),
  "/operator/transfers": operator(lazy(() => import("./operator/Transfers.tsx"), "Transfers")),
  "/operator/margin": operator(lazy(() => import("./operator/Margin.tsx"), "Margin")),
  "/operator/purchase-prices": operator(
    lazy(() => import("./operator/PurchasePrices.tsx"), "PurchasePrices")
  ),
  "/operator/models": operator(lazy(() => import("./operator/Prices.tsx"), "Prices")),
  "/operator/providers": operator(lazy(() => import("./operator/Providers.tsx"), "Providers")),
  "/operator/audit": operator(lazy(() => import("./operator/Audit.tsx"), "Audit"))
}

const SecondStep = lazy(() => import("./pages/SecondStep.tsx"), "SecondStep")
const SecondFactorFirst = lazy(() => import("./pages/Security.tsx"), "SecondFactorFirst")
const AskWho = lazy(() => import("./components/AskWho.tsx"), "AskWho", null)
const ClosedAccount = lazy(() => import("./pages/ClosedAccount.tsx"), "ClosedAccount")
const NotFound = lazy(() => import("./pages/NotFound.tsx"), "NotFound")

export const App = () => {
  const [failure, setFailure] = useState<unknown>()
  const load = () => void loadSession().then(() => setFailure(undefined), setFailure)
  useEffect(load, [])
  return (
    <>
      {session.value !== undefined ? (
        <Current />
      ) : failure === undefined ? (
        <div class="animate-[appear_0.2s_0.4s_both]">
          <Skeleton rows={5} />
        </div>
      ) : (
        <NoSession failure={failure} retry={load} />
      )}
      {(confirming.value ?? signingIn.value) && <AskWho />}
      <Toasts />
    </>
  )
}

const NoSession = ({ failure, retry }: { readonly failure: unknown; readonly retry: () => void }) => (
  <main class="flex min-h-dvh flex-col items-center justify-center gap-4 p-6 text-center">
    <h1 class="text-lg font-semibold">Tollgate</h1>
    <p class="text-soft">{explain(failure)}</p>
    <Button onClick={retry}>{text().common.retry}</Button>
  </main>
)

/** A signed-out visitor is brought back to where they wanted to go. */
const redirectOf = (where: string, entry: PageEntry | undefined): string | undefined => {
  const person = session.value?.person
  if (where === "/") return person ? home() : "/signin"
  if (entry?.access === "guest" && person !== undefined && where !== "/reset") return wantedPage() ?? home()
  const needsPerson = entry?.access === "account" || entry?.access === "operator"
  return needsPerson && person === undefined
    ? `/signin?next=${encodeURIComponent(where + location.search)}`
    : undefined
}

const Current = () => {
  const where = path.value
  const person = session.value?.person
  const entry = pages[where]
  const redirect = redirectOf(where, entry)
  const isHalfway = secondStep.value || person?.awaits_confirmation === true
  useEffect(() => {
    if (redirect === undefined || isHalfway) return
    navigate(redirect, "replace")
    if (person !== undefined) sessionStorage.removeItem(keptPage)
  }, [redirect, isHalfway])
  if (isHalfway) return <SecondStep />
  if (redirect !== undefined) return null
  const isAllowed = entry !== undefined && mayOpen(where) && (entry.access !== "operator" || isStaff())
  if (entry?.access === "guest") return <entry.page />
  const isTooSoon = entry?.access === "operator" && person?.lacks_second_factor === true
  const isClosed = person?.acting.is_active === false && isOfAccount(where)
  const Shown = isClosed ? ClosedAccount : !isAllowed ? NotFound : isTooSoon ? SecondFactorFirst : entry.page
  if (person === undefined) {
    return (
      <PublicFrame>
        <Shown />
      </PublicFrame>
    )
  }
  return (
    <Frame person={person}>
      <Shown key={`${person.acting.account_id} ${where} ${visit.value}`} />
    </Frame>
  )
}
