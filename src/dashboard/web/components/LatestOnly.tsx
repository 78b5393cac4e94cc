/** Below a list that ends before all is told: how much of it is shown, and where the rest stands. */
import { Link } from "./Button.tsx"

interface LatestOnlyProperties {
  readonly told: string
  /** Where all of it stands, and what the link there is called. */
  readonly to: string
  readonly all: string
}

export const LatestOnly = ({ all, to, told }: LatestOnlyProperties) => (
  <p class="border-t border-line px-5 py-3 text-sm text-soft">
    {told}{" "}
    <Link to={to} class="text-accent-ink underline underline-offset-4">
      {all}
    </Link>
  </p>
)
