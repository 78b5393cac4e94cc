/** The dashboard in the browser. */
import { render } from "preact"
import { App } from "./App.tsx"

const place = document.getElementById("app")
if (place !== null) render(<App />, place)
