/** Short notes at the edge of the page, read out by screen readers. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "./Icon.tsx"

interface Toast {
  readonly id: number
  readonly kind: "good" | "bad"
  readonly message: string
}

const toasts = signal<ReadonlyArray<Toast>>([])
let lastId = 0

export const toast = (message: string, kind: Toast["kind"] = "good"): void => {
  const id = ++lastId
  // What several requests are refused with is said once.
  const others = toasts.value.filter((other) => other.message !== message)
  toasts.value = [...others.slice(-2), { id, kind, message }]
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }, 5_000)
}

/** A popover, so that a note also stands above an open dialog: what was shown last is on top. */
export const Toasts = () => {
  const place = useRef<HTMLDivElement>(null)
  const shown = toasts.value
  useEffect(() => {
    place.current?.hidePopover()
    place.current?.showPopover()
  }, [shown])
  return (
    <div
      ref={place}
      popover="manual"
      role="status"
      aria-live="polite"
      class="pointer-events-none fixed inset-x-0 top-auto bottom-20 m-0 flex w-full max-w-none border-0 bg-transparent p-0 flex-col items-center gap-2 overflow-visible px-4 lg:bottom-6"
    >
      {shown.map(({ id, kind, message }) => (
        <div
          key={id}
          class="pointer-events-auto flex max-w-md items-center gap-2.5 rounded-xl bg-ink px-4 py-2.5 text-sm font-medium text-canvas shadow-lg"
        >
          <Icon name={kind === "good" ? "check" : "alert"} size={18} />
          {message}
        </div>
      ))}
    </div>
  )
}
