/** The library that draws charts, loaded when the first is shown. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Chart } from "./components/Chart.tsx"

type Loaded = ComponentType<Parameters<typeof Chart>[0]>

/** `undefined` while it is loaded; `null` where it can not be: without it a table still says everything. */
export const useChart = (): Loaded | null | undefined => {
  const [chart, setChart] = useState<{ readonly Chart: Loaded } | null>()
  useEffect(() => {
    import("./components/Chart.tsx").then(setChart, () => setChart(null))
  }, [])
  return chart === null ? null : chart?.Chart
}
