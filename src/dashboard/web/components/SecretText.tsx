/** A secret that is to be copied. */
import { CopyButton } from "./Button.tsx"

/** `label` says what the button copies. */
export const SecretText = ({ label, value }: { readonly value: string; readonly label: string }) => (
  <div class="flex items-center justify-between gap-2 rounded-xl border border-accent/40 bg-accent-soft py-2 pr-2 pl-4">
    <code class="min-w-0 break-all" data-testid="secret">
      {value}
    </code>
    <CopyButton value={value} label={label} />
  </div>
)
