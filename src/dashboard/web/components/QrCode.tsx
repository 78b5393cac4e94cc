/** A QR code as one SVG path, dark on white in both themes, since banking apps expect that. */
import { encode } from "uqr"
import { download } from "../download.ts"

const border = 3
const imageSize = 960

/** As a picture, for whoever reads this on the telephone that their banking app is on: such apps scan pictures too. */
export const saveQrImage = (value: string, name: string): void => {
  const { data, size } = encode(value, { ecc: "M", border })
  const canvas = document.createElement("canvas")
  const scale = Math.floor(imageSize / size)
  canvas.width = canvas.height = size * scale
  const context = canvas.getContext("2d")
  if (context === null) return
  context.fillStyle = "#ffffff"
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = "#0b0f0d"
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale)
  }
  download(canvas.toDataURL("image/png"), `${name}.png`)
}

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
