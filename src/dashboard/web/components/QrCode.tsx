/** A QR code as one SVG path, dark on white in both themes, since banking apps expect that. */
import { encode } from "uqr"

const border = 3

export const QrCode = ({ value, label }: { readonly value: string; readonly label: string }) => {
  const { data, size } = encode(value, { ecc: "M", border })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("")
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
      class="block aspect-square w-full rounded-2xl bg-white"
      data-testid="qr"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#0b0f0d" />
    </svg>
  )
}
