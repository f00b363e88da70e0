import { fileURLToPath } from 'node:url'

/** What the build makes of each script, by its name in the folder of the tracker's. */
const scripts = {
  tilth: 'tilth/tilth.ts',
  'vercel-insights': 'vercel/insights.ts',
  'vercel-speed': 'vercel/speed.ts',
  plausible: 'plausible/plausible.ts',
  umami: 'umami/umami.ts',
}

/** Builds every script that pages load from us into `folder`. */
export async function buildTrackers(folder) {
  const { build } = await import('esbuild')
  const here = fileURLToPath(new URL('.', import.meta.url))
  await build({
    absWorkingDir: here,
    entryPoints: scripts,
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    // no "use strict" before each: they are modules, which are strict as they stand
    tsconfigRaw: {},
    legalComments: 'none',
    logLevel: 'silent',
  })
}
