/** What the product is, beside the form of whoever comes to it. */
import { Icon } from "../components/Icon.tsx"
import { session } from "../session.ts"
import { pitchText } from "../text/pitch.ts"

export const Pitch = () => {
  const words = pitchText()
  return (
    <aside class="m-3 hidden flex-col justify-center rounded-3xl bg-[#08281f] p-14 text-[#e9f5ef] lg:flex xl:p-20">
      <p class="max-w-md text-4xl leading-[1.15] font-semibold tracking-tight text-balance">{words.title}</p>
      <p class="mt-5 max-w-md text-lg leading-relaxed text-[#b5d3c6]">{words.pitch}</p>
      <ul class="mt-10 max-w-md space-y-4">
        {words.points.map((point) => (
          <li key={point} class="flex items-start gap-3">
            <span class="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full bg-[#14513e] text-[#8fe3c4]">
              <Icon name="check" size={14} />
            </span>
            {point}
          </li>
        ))}
      </ul>
      <pre class="mt-12 max-w-md overflow-hidden rounded-2xl bg-[#051b15] p-5 leading-6 text-[#b5d3c6]">
        <code>
          <span class="text-[#8fe3c4]">curl</span>
          {` ${session.value?.base_url ?? ""}/v1/messages \\\n  -H "x-api-key: sk-tg-…" \\\n  -d '{"model": "claude-sonnet-5", …}'`}
        </code>
      </pre>
    </aside>
  )
}
