/** Builds the front end for the dashboard's own server: no inline code or styles, so that its strict policy holds. */
import tailwindcss from "@tailwindcss/vite"
import { defineConfig } from "vite"

export default defineConfig({
  root: import.meta.dirname,
  base: "/dashboard/",
  plugins: [tailwindcss()],
  // Wherever it is built, a test included: the other form has the sources' paths in it.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first load needs is compressed best in one piece, whichever pages share parts of it.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] },
        // The first load names all others.
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]"
      }
    },
    reportCompressedSize: false
  }
})
