import { fileURLToPath } from 'node:url'

/** What the build makes of each script, by its name in the folder of the tracker's. */
const scripts = {
  tilth: 'tilth/tilth.ts',
  site: 'site/site.ts',
  'site-posthog': 'site/posthog.ts',
  'vercel-insights': 'vercel/insights.ts',
  'vercel-speed': 'vercel/speed.ts',
  plausible: 'plausible/plausible.ts',
  umami: 'umami/umami.ts',
}

/** Loaded where a page has something for them: by `site`, those of surveys by `tilth` too. */
const parts = {
  'part-embed': 'site/parts/embed.ts',
  'part-code': 'site/parts/code.ts',
  'part-form': 'site/parts/form.ts',
  'part-surveys': 'surveys/widget.ts',
  'part-survey-form': 'surveys/form.ts',
}

/** Builds every script that pages load from us into `folder`. */
export async function buildTrackers(folder) {
  const { build } = await import('esbuild')
  const here = fileURLToPath(new URL('.', import.meta.url))
  const common = {
    absWorkingDir: here,
    outdir: folder,
    bundle: true,
    minify: true,
    target: 'es2020',
    alias: { '#surveys': fileURLToPath(new URL('../src/surveys', import.meta.url)) },
    // no "use strict" before each: they are modules, which are strict as they stand
    tsconfigRaw: {},
    legalComments: 'none',
    logLevel: 'silent',
  }
  await build({ ...common, entryPoints: scripts, format: 'iife' })
  await build({ ...common, entryPoints: parts, format: 'esm' })
}
