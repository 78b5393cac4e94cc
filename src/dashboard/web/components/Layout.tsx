/** Parts that pages are put together from. */
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { explain } from "../api.ts"
import { keepFocus, useHeading } from "../focus-heading.ts"
import { moneyParts, text } from "../language.ts"
import type { Loaded } from "../use-load.ts"
import { useOnline } from "../use-online.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

interface PageProperties {
  readonly title: string
  readonly intro?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page tells its name to the tab, and to screen readers when it comes up. */
export const Page = ({ title, intro, actions, children }: PageProperties) => {
  const heading = useHeading(title)
  return (
    <>
      <header class="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div class="min-w-0">
          <h1 ref={heading} tabIndex={-1} class="text-2xl font-semibold tracking-tight">
            {title}
          </h1>
          {intro && <p class="mt-1 max-w-2xl text-soft">{intro}</p>}
        </div>
        {actions && <div class="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </>
  )
}

export const Card = (properties: {
  readonly title?: string
  readonly aside?: ComponentChildren
  readonly class?: string
  /** For tables that reach the edges. */
  readonly flush?: boolean
  readonly children: ComponentChildren
}) => (
  <section class={`card ${properties.class ?? ""}`}>
    {properties.title && (
      <div
        class={`flex flex-wrap items-center justify-between gap-3 px-5 pt-4 ${properties.flush ? "pb-3" : ""}`}
      >
        <h2 class="font-semibold">{properties.title}</h2>
        {properties.aside}
      </div>
    )}
    <div class={properties.flush ? "" : "p-5"}>{properties.children}</div>
  </section>
)

interface MoneyProperties {
  readonly vnd: string
  readonly class?: string
  /** Of the fraction and the sign of the dong. */
  readonly tailClass?: string
}

/** Money with its fraction set back, exact to the last digit. */
export const Money = ({ vnd, class: more = "", tailClass = "" }: MoneyProperties) => {
  const { fraction, sign, whole } = moneyParts(vnd)
  return (
    <span class={`number ${more}`}>
      {sign}
      {whole}
      <wbr />
      <span class={`whitespace-nowrap text-faint ${tailClass}`}>
        {fraction && <span class="text-[0.8em]">{fraction}</span>}
        {" ₫"}
      </span>
    </span>
  )
}

export const Empty = (properties: {
  readonly icon: IconName
  readonly title: string
  readonly hint?: ComponentChildren
  readonly action?: ComponentChildren
}) => (
  <div class="flex flex-col items-center px-6 py-14 text-center">
    <span class="mb-4 flex size-12 items-center justify-center rounded-2xl bg-accent-soft text-accent-ink">
      <Icon name={properties.icon} size={22} />
    </span>
    <p class="font-semibold">{properties.title}</p>
    {properties.hint && <p class="mt-1 max-w-sm text-sm text-soft">{properties.hint}</p>}
    {properties.action && <div class="mt-5">{properties.action}</div>}
  </div>
)

export const Skeleton = ({ rows = 3 }: { readonly rows?: number }) => (
  <div class="space-y-4 p-5" role="status" aria-label={text().common.loading}>
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} class="flex items-center justify-between gap-6">
        <div class={`skeleton h-4 ${index % 2 === 0 ? "w-2/5" : "w-1/3"}`} />
        <div class="skeleton h-4 w-20" />
      </div>
    ))}
  </div>
)

/** As high as a card with a chart, so that what stands below stays where it is when that comes. */
export const ChartSkeleton = () => (
  <div class="card h-80">
    <Skeleton rows={6} />
  </div>
)

interface FailureProperties {
  readonly error: unknown
  readonly retry: () => void
  /** What is done by itself once there is a network again; the same, unless that costs something. */
  readonly onOnline?: () => void
}

export const Failure = ({ error, retry, onOnline = retry }: FailureProperties) => (
  <div role="alert" class="flex flex-col items-center gap-3 px-6 py-12 text-center">
    <span class="text-danger">
      <Icon name="alert" size={24} />
    </span>
    <p class="text-soft">{explain(error)}</p>
    <Retry retry={retry} onOnline={onOnline} />
  </div>
)

/** Above what was loaded before and could not be loaded anew. */
const Outdated = ({ error, retry, onOnline = retry }: FailureProperties) => (
  <div
    role="alert"
    class="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-warn-soft px-4 py-2 text-sm text-warn"
  >
    {explain(error)}
    <Retry retry={retry} onOnline={onOnline} look="quiet" />
  </div>
)

interface RetryProperties {
  readonly retry: () => void
  readonly onOnline: () => void
  readonly look?: "quiet"
}

/** Nobody need press it once there is a network again. */
const Retry = ({ look, onOnline, retry }: RetryProperties) => {
  useOnline(onOnline)
  return (
    <Button small {...(look && { look })} icon="refresh" onClick={retry}>
      {text().common.retry}
    </Button>
  )
}

/** What was loaded; or its outline, or why there is nothing. */
export const Show = <A,>(properties: {
  readonly of: Loaded<A>
  readonly rows?: number
  /** An outline that is more like it than rows are. */
  readonly waiting?: ComponentChildren
  readonly children: (data: A) => ComponentChildren
}) => {
  const { data, error, reload } = properties.of
  // With what was told of an error goes the button that asks again.
  useEffect(() => (error === undefined ? undefined : keepFocus), [error])
  if (data !== undefined) {
    return (
      <>
        {error !== undefined && <Outdated error={error} retry={reload} />}
        {properties.children(data)}
      </>
    )
  }
  if (error !== undefined) return <Failure error={error} retry={reload} />
  return properties.waiting ?? <Skeleton rows={properties.rows ?? 3} />
}

/** In the place of a figure that is not there yet. */
export const FigureSkeleton = () => <span class="skeleton inline-block h-5 w-28 align-middle" />

export const Stat = (properties: {
  readonly label: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
}) => (
  <div class="card px-5 py-4">
    <p class="text-sm text-faint">{properties.label}</p>
    <p class="number figure mt-1 text-xl font-semibold tracking-tight">{properties.value}</p>
    <p class="mt-0.5 text-[0.8125rem] text-faint sm:min-h-5">{properties.note}</p>
  </div>
)
