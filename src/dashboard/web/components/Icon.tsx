/** Our own icons: 20 units wide, drawn in the colour of the text around them. */

const shapes = {
  home: "M3.5 9 10 3.5 16.5 9M5.5 8v8.5h9V8M8.5 16.5v-5h3v5",
  key: "M12.5 3.5a4 4 0 1 1-3.6 5.7L3.5 14.6v2.4h2.9v-1.9h1.9v-1.9h1.9l.6-.7M13.4 6.6h.01",
  chart: "M3.5 16.5h13M5.5 16.5v-5M10 16.5v-11M14.5 16.5v-8",
  wallet:
    "M15.5 6.5V4.8c0-.7-.6-1.3-1.3-1.3H5a1.5 1.5 0 0 0 0 3h11.5v10H5A1.5 1.5 0 0 1 3.5 15V5M13.5 11.5h.01",
  cube: "M10 2.8 16.5 6.4v7.2L10 17.2l-6.5-3.6V6.4zM3.7 6.5 10 10l6.3-3.5M10 10v7",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 16.5c.3-2.8 2.3-4.5 5-4.5s4.7 1.7 5 4.5M13 3.8a3 3 0 0 1 0 5.5M14.8 12.4c1.6.6 2.6 2 2.8 4.1",
  bank: "M3 7.5 10 3.5l7 4M4 7.5h12M5.5 8v6M8.5 8v6M11.5 8v6M14.5 8v6M3.5 16.5h13",
  tag: "M3.5 9.7V3.5h6.2l6.8 6.8-6.2 6.2zM7 7h.01",
  pulse: "M2.5 10h3.2L8 4.5l4 11 2.3-5.5h3.2",
  list: "M7.5 5h9M7.5 10h9M7.5 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1",
  moon: "M16.5 11.7A6.7 6.7 0 0 1 8.3 3.5a6.7 6.7 0 1 0 8.2 8.2Z",
  copy: "M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4",
  check: "M4 10.5 8 14.5 16 5.5",
  eye: "M1.8 10S4.8 4.5 10 4.5s8.2 5.5 8.2 5.5-3 5.5-8.2 5.5S1.8 10 1.8 10ZM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  plus: "M10 4v12M4 10h12",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4",
  close: "M5 5l10 10M15 5 5 15",
  right: "M8 5.5 12.5 10 8 14.5",
  menu: "M3 6h14M3 10h14M3 14h14",
  leave: "M8.5 3.5h-5v13h5M12.5 6.5 16 10l-3.5 3.5M16 10H8",
  alert: "M10 3 18 16.5H2zM10 8.5v3.5M10 14.2h.01",
  info: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9.5v4M10 6.5h.01",
  download: "M10 3.5v9M6 9l4 4 4-4M3.5 16.5h13",
  print: "M6 7.5V3h8v4.5M6 14H3.5V7.5h13V14H14M6 11.5h8V17H6z",
  receipt: "M5 2.8v14.4l2-1.2 1.6 1.2 1.4-1.2 1.4 1.2 1.6-1.2 2 1.2V2.8zM7.5 6.5h5M7.5 10h5",
  refresh: "M16.5 10a6.5 6.5 0 1 1-2-4.7M16.5 2.5v3.5H13",
  terminal: "M3 4.5h14v11H3zM6 8l2.2 2L6 12M10.5 12.5h3"
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    class="shrink-0"
  >
    <path d={shapes[name]} />
  </svg>
)

/** The mark: a gate's arm going up. */
export const Mark = () => (
  <svg width={28} height={28} viewBox="0 0 32 32" fill="none" aria-hidden="true" class="shrink-0">
    <rect width="32" height="32" rx="9" fill="#0a6b50" />
    <path d="M9.5 25V13.5M6 25h7" stroke="#fff" stroke-width="3" stroke-linecap="round" />
    <path d="M9.5 13.5 24 7.5" stroke="#8fe3c4" stroke-width="3" stroke-linecap="round" />
    <circle cx="9.5" cy="13.5" r="3.2" fill="#fff" />
  </svg>
)
