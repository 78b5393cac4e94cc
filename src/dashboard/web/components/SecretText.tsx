/** A secret that is to be copied. */
import { text } from "../language.ts"
import { CopyButton } from "./Button.tsx"
import { DoneAction } from "./Dialog.tsx"

interface SecretProperties {
  readonly value: string
  /** What it is, in the middle of a sentence. */
  readonly label: string
}

export const SecretText = ({ label, value }: SecretProperties) => (
  <div class="flex items-center justify-between gap-2 rounded-xl border border-accent/40 bg-accent-soft py-2 pr-2 pl-4">
    <code class="min-w-0 break-all" data-testid="secret">
      {value}
    </code>
    <CopyButton value={value} label={text().common.copyThis(label)} />
  </div>
)

interface NewSecretProperties extends SecretProperties {
  readonly hint: string
  readonly onClose: () => void
}

/** In a dialog, once it is made. */
export const NewSecret = ({ hint, onClose, ...secret }: NewSecretProperties) => (
  <>
    <p class="mb-4 text-sm wrap-anywhere text-soft">{hint}</p>
    <SecretText {...secret} />
    <DoneAction onClose={onClose} />
  </>
)
