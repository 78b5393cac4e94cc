/** What surrounds every page: navigation at the side or, on a phone, at the bottom. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { SignedInPerson } from "./answers.ts"
import { ButtonLink, Link } from "./components/Button.tsx"
import { Dialog } from "./components/Dialog.tsx"
import { Icon, type IconName, Mark } from "./components/Icon.tsx"
import { language, setLanguage, text } from "./language.ts"
import { lazy } from "./lazy.tsx"
import { mayOpen } from "./may.ts"
import { path, visit } from "./router.ts"
import { session, signOut } from "./session.ts"
import { tellFailure } from "./tell-failure.ts"
import { theme, toggleTheme } from "./theme.ts"

const AccountChoice = lazy(() => import("./components/AccountChoice.tsx"), "AccountChoice")
const SearchBox = lazy(() => import("./components/SearchBox.tsx"), "SearchBox", <div class="mb-1.5 h-10" />)

interface Place {
  readonly to: string
  readonly icon: IconName
  readonly name: string
}

const places = (): ReadonlyArray<Place> => {
  const { nav } = text()
  const all: ReadonlyArray<Place> = [
    { to: "/overview", icon: "home", name: nav.overview },
    { to: "/keys", icon: "key", name: nav.keys },
    { to: "/usage", icon: "chart", name: nav.usage },
    { to: "/topup", icon: "wallet", name: nav.topup },
    { to: "/statement", icon: "receipt", name: nav.statement },
    { to: "/models", icon: "cube", name: nav.models }
  ]
  return all.filter(({ to }) => mayOpen(to))
}

const operatorPlaces = (): ReadonlyArray<Place> => {
  const { nav } = text()
  const all: ReadonlyArray<Place> = [
    { to: "/operator", icon: "pulse", name: nav.service },
    { to: "/operator/accounts", icon: "people", name: nav.accounts },
    { to: "/operator/transfers", icon: "bank", name: nav.transfers },
    { to: "/operator/models", icon: "tag", name: nav.prices },
    { to: "/operator/providers", icon: "terminal", name: nav.providers },
    { to: "/operator/margin", icon: "chart", name: nav.margin },
    { to: "/operator/audit", icon: "list", name: nav.audit }
  ]
  return all.filter(({ to }) => mayOpen(to))
}

export const Frame = ({ person, children }: { person: SignedInPerson; children: ComponentChildren }) => {
  // On the page that it was opened on.
  const [menuAt, setMenuAt] = useState<number>()
  const close = () => setMenuAt(undefined)
  return (
    <>
      <SkipLink />
      <div class="print:block! lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
        <aside class="sticky print:hidden! top-0 hidden h-dvh flex-col overflow-y-auto border-r border-line px-3 py-5 lg:flex">
          <Brand />
          <nav aria-label={text().common.navigation} class="mt-7 flex-1">
            <Navigation person={person} />
          </nav>
          <PersonPanel person={person} />
        </aside>
        <div class="min-w-0">
          <header class="sticky print:hidden! top-0 z-30 flex h-14 items-center justify-between border-b border-line bg-canvas px-4 lg:hidden">
            <Brand />
            <button
              type="button"
              class="button button-quiet button-icon"
              aria-label={text().common.menu}
              aria-haspopup="dialog"
              onClick={() => setMenuAt(visit.value)}
            >
              <Icon name="menu" />
            </button>
          </header>
          <DevelopmentNote />
          {session.value?.maintenance && <MaintenanceBanner />}
          {session.value?.sends_mail && !person.email_verified && <VerifyNote />}
          <main id="main" class="mx-auto max-w-6xl px-4 pt-7 pb-28 sm:px-8 lg:px-10 lg:pt-10 lg:pb-16">
            {children}
          </main>
        </div>
      </div>
      <BottomBar />
      {menuAt === visit.value && (
        <Dialog title="Tollgate" onClose={close}>
          <nav aria-label={text().common.menu} class="-mx-2 mb-5">
            <Navigation person={person} />
          </nav>
          <PersonPanel person={person} />
        </Dialog>
      )}
    </>
  )
}

/** For visitors who are not signed in. */
export const PublicFrame = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <SkipLink />
    <header class="border-b border-line">
      <div class="mx-auto flex h-16 max-w-6xl items-center justify-between gap-3 px-4 sm:px-8">
        <Brand />
        <div class="flex items-center gap-1">
          <Preferences />
          <ButtonLink to="/signin" look="primary" small class="ml-2">
            {text().nav.signIn}
          </ButtonLink>
        </div>
      </div>
    </header>
    <main id="main" class="mx-auto max-w-6xl px-4 pt-8 pb-16 sm:px-8 lg:pt-12">
      {children}
    </main>
  </>
)

const SkipLink = () => (
  <a
    href="#main"
    class="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
  >
    {text().common.skip}
  </a>
)

export const Brand = () => (
  <Link to="/" class="flex items-center gap-2.5 rounded-lg px-2 py-1 text-base font-semibold tracking-tight">
    <Mark />
    Tollgate
  </Link>
)

// As high as they mostly are: the page below is there before them.
const MaintenanceBanner = lazy(
  () => import("./components/MaintenanceBanner.tsx"),
  "MaintenanceBanner",
  <div class="h-8 bg-warn-soft print:hidden!" />
)
const VerifyNote = lazy(
  () => import("./components/VerifyNote.tsx"),
  "VerifyNote",
  <div class="h-22 bg-warn-soft print:hidden! sm:h-11" />
)

const DevelopmentNote = () =>
  session.value?.development ? (
    <p class="flex items-center justify-center gap-2 bg-warn-soft print:hidden! px-4 py-1.5 text-center text-[0.8125rem] text-warn">
      <Icon name="info" size={16} />
      {session.value.simulates_bank ? text().common.development : text().common.simulatedAnswers}
    </p>
  ) : null

const Navigation = ({ person }: { readonly person: SignedInPerson }) => (
  <>
    {person.accounts.length > 1 && <AccountChoice />}
    <NavigationList of={places()} />
    {person.role !== null && (
      <>
        <p class="mt-6 mb-1.5 px-3 text-xs font-medium text-faint">{text().nav.operator}</p>
        <SearchBox />
        <NavigationList of={operatorPlaces()} />
      </>
    )}
  </>
)

/** Pages that are reached from others, and belong to them. */
const within: Readonly<Record<string, string>> = {
  "/operator/accounts": "/operator/account",
  "/operator/margin": "/operator/purchase-prices",
  "/statement": "/receipt"
}

const NavigationList = ({ of }: { readonly of: ReadonlyArray<Place> }) => (
  <ul class="space-y-0.5">
    {of.map(({ icon, name, to }) => (
      <li key={to}>
        <Link
          to={to}
          current={path.value === to || path.value === within[to]}
          class="flex items-center gap-3 rounded-lg px-3 py-2 text-sm font-medium text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink"
        >
          <Icon name={icon} size={18} />
          {name}
        </Link>
      </li>
    ))}
  </ul>
)

const PersonPanel = ({ person }: { readonly person: SignedInPerson }) => (
  <div class="mt-6 border-t border-line pt-4">
    <Link to="/account" class="flex items-center gap-3 rounded-lg px-3 py-2 hover:bg-sunken">
      <span
        class="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent-ink uppercase"
        aria-hidden="true"
      >
        {[...person.name][0] ?? "?"}
      </span>
      <span class="min-w-0 text-sm leading-tight">
        <span class="block truncate font-medium">{person.name}</span>
        <span class="block truncate text-[0.8125rem] text-faint">{person.email}</span>
      </span>
    </Link>
    <div class="mt-2 flex items-center justify-between gap-1 px-1">
      <Preferences />
      <button
        type="button"
        class="button button-quiet button-icon"
        aria-label={text().nav.signOut}
        title={text().nav.signOut}
        onClick={() => void signOut().catch(tellFailure)}
      >
        <Icon name="leave" size={18} />
      </button>
    </div>
  </div>
)

export const Preferences = () => {
  const themeLabel = theme.value === "dark" ? text().common.toLight : text().common.toDark
  return (
    <div class="flex items-center gap-1">
      <button
        type="button"
        class="button button-quiet button-small"
        lang={language.value === "vi" ? "en" : "vi"}
        onClick={() => setLanguage(language.value === "vi" ? "en" : "vi")}
      >
        {text().common.language}
      </button>
      <button
        type="button"
        class="button button-quiet button-icon"
        aria-label={themeLabel}
        title={themeLabel}
        onClick={toggleTheme}
      >
        <Icon name={theme.value === "dark" ? "sun" : "moon"} size={18} />
      </button>
    </div>
  )
}

/** There is room for five; where there are more the statement is in the menu. */
const fitsBelow = ({ to }: Place) => to !== "/statement" || !mayOpen("/overview")

const BottomBar = () => (
  <nav
    aria-label={text().common.navigation}
    class="fixed inset-x-0 bottom-0 print:hidden! z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
  >
    <ul class="grid auto-cols-fr grid-flow-col">
      {places()
        .filter(fitsBelow)
        .map(({ icon, name, to }) => (
          <li key={to}>
            <Link
              to={to}
              current={path.value === to}
              class="flex flex-col items-center gap-0.5 px-1 pt-2 pb-1.5 text-[0.6875rem] font-medium text-faint aria-[current=page]:text-accent-ink"
            >
              <Icon name={icon} size={22} />
              {name}
            </Link>
          </li>
        ))}
    </ul>
  </nav>
)
