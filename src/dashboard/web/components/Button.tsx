/** Buttons and links that look like them. */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { copyText } from "../copy-text.ts"
import { text } from "../language.ts"
import { hrefOf, navigate } from "../router.ts"
import { Icon, type IconName } from "./Icon.tsx"
import { toast } from "./Toasts.tsx"

type Look = "primary" | "plain" | "quiet" | "danger" | "destroy"

interface Shared {
  readonly look?: Look
  readonly small?: boolean
  readonly icon?: IconName
  readonly class?: string
  readonly children?: ComponentChildren
}

const classOf = ({ look = "plain", small, class: more = "" }: Shared) =>
  `button button-${look} ${small ? "button-small" : ""} ${more}`

type ButtonProperties = Shared & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "class" | "children">

/** One that is pressed keeps the focus while it can not be pressed again: `disabled` would lose it. A form sends once at a time. */
export const Button = ({ look, small, icon, class: more, disabled, children, ...rest }: ButtonProperties) => (
  <button
    type="button"
    {...rest}
    aria-disabled={disabled}
    class={classOf({ ...(look && { look }), ...(small && { small }), ...(more && { class: more }) })}
    onClick={disabled ? undefined : rest.onClick}
  >
    {icon && <Icon name={icon} size={small ? 16 : 18} />}
    {children}
  </button>
)

interface LinkProperties {
  readonly to: string
  readonly class?: string
  readonly children?: ComponentChildren
  readonly current?: boolean
}

/** A link inside the dashboard; a new tab still opens as one. */
export const Link = ({ to, class: more, children, current }: LinkProperties) => (
  <a
    href={hrefOf(to)}
    class={more}
    aria-current={current ? "page" : undefined}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
      event.preventDefault()
      navigate(to)
    }}
  >
    {children}
  </a>
)

export const ButtonLink = ({ to, ...shared }: Shared & { readonly to: string }) => (
  <Link to={to} class={classOf(shared)}>
    {shared.icon && <Icon name={shared.icon} size={shared.small ? 16 : 18} />}
    {shared.children}
  </Link>
)

interface CopyProperties {
  readonly value: string
  /** What is copied, for the accessible name: "Copy account number". */
  readonly label: string
  readonly withText?: boolean
}

export const CopyButton = ({ value, label, withText }: CopyProperties) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyText(value)
    } catch {
      toast(text().common.copyFailed, "bad")
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 1_600)
  }
  return (
    <button
      type="button"
      class={`button button-quiet button-small ${withText ? "" : "button-icon"}`}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={copied ? "check" : "copy"} size={16} />
      {withText && <span>{copied ? text().common.copied : text().common.copy}</span>}
      <span class="sr-only" aria-live="polite">
        {copied ? text().common.copied : ""}
      </span>
    </button>
  )
}
