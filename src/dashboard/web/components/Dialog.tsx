/** A modal dialog: the browser's own, so that focus stays inside, Escape closes it and focus returns. */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { text } from "../language.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface DialogProperties {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
}

/** Shown as long as it is rendered. */
export const Dialog = ({ title, onClose, children, wide }: DialogProperties) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Asked while rendering: a field that takes the focus by itself does so before effects run.
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      // The browser does not give the focus back when the dialog leaves the page at once.
      const giveBack = () => (opener?.isConnected ? opener : document.querySelector("h1"))?.focus()
      giveBack()
      // The row that it was opened from may go a moment later, with the focus.
      const watch = new MutationObserver(() => {
        if (document.activeElement === opener) return
        watch.disconnect()
        if (document.activeElement === document.body) giveBack()
      })
      watch.observe(document.body, { childList: true, subtree: true })
    }
  }, [])
  // A form that has given way to its answer takes the focus along.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) element.current?.querySelector("button")?.focus()
  }, [title])
  return (
    <dialog
      ref={element}
      class={`sheet ${wide ? "sm:!w-[42rem]" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div class="p-6">
        <div class="mb-4 flex items-start justify-between gap-4">
          <h2 id={id} class="min-w-0 text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          <button
            type="button"
            class="button button-quiet button-icon -mt-1.5 -mr-2"
            aria-label={text().common.close}
            onClick={onClose}
          >
            <Icon name="close" size={18} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

export const DialogActions = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
)

export const DoneAction = ({ onClose }: { readonly onClose: () => void }) => (
  <DialogActions>
    <Button look="primary" onClick={onClose}>
      {text().common.done}
    </Button>
  </DialogActions>
)
