import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The entry file of each built script, by the script's name. */
const scripts = {
  tilth: 'tilth/tilth.ts',
  site: 'site/site.ts',
  'site-posthog': 'site/posthog.ts',
  'site-dev': 'site/dev.ts',
  'site-decide': 'site/decide.ts',
  'vercel-insights': 'vercel/insights.ts',
  'vercel-speed': 'vercel/speed.ts',
  plausible: 'plausible/plausible.ts',
  umami: 'umami/umami.ts',
}

/** The script of a site whose pages are files of another server: it counts what that server does not. */
const forFiles = { 'site-files': 'site/site.ts' }

/** Loaded where a page has something for them: by `site`, those of surveys by `tilth` too. */
const parts = {
  'part-embed': 'site/parts/embed.ts',
  'part-code': 'site/parts/code.ts',
  'part-diagram': 'site/parts/diagram.ts',
  'part-form': 'site/parts/form.ts',
  'part-islands': 'site/parts/islands.ts',
}

/** Loaded by `tilth` where a page uses flags. */
const flagParts = { flags: 'flags/flags.ts' }

/** Loaded by a frame of pages that have a diagram. */
const diagramFrame = { 'diagram-frame': 'diagrams/frame.ts' }

/** Browsers that lack `:has`, which the styles of surveys need, lack nothing else of this year. */
const surveyParts = {
  'part-surveys': 'surveys/watch.ts',
  'part-survey-moments': 'surveys/moments.ts',
  'part-survey-widget': 'surveys/widget.ts',
  'part-survey-more': 'surveys/more.ts',
  'part-survey-form': 'surveys/form.ts',
}

/** Styles are written to be read; browsers get them without what only readers need. */
const minifyStyles = (transform) => ({
  name: 'minify-styles',
  setup(build) {
    build.onLoad({ filter: /survey-styles\.ts$/ }, async ({ path }) => {
      let source = await readFile(path, 'utf8')
      for (const [, css] of source.matchAll(/Rules = `([^`$]*)`/g)) {
        const { code } = await transform(css, { loader: 'css', minify: true, charset: 'utf8' })
        source = source.replace(css, () => code.trim())
      }
      return { contents: source, loader: 'ts' }
    })
  },
})

const here = fileURLToPath(new URL('.', import.meta.url))

/** Builds every script that pages load from us into `folder`. */
export async function buildTrackers(folder) {
  const { build, transform } = await import('esbuild')
  const common = {
    absWorkingDir: here,
    outdir: folder,
    bundle: true,
    minify: true,
    alias: {
      '#surveys': fileURLToPath(new URL('../src/surveys', import.meta.url)),
      '#posts': fileURLToPath(new URL('../src/posts', import.meta.url)),
    },
    // no "use strict" before each: they are modules, which are strict as they stand
    tsconfigRaw: {},
    legalComments: 'none',
    logLevel: 'silent',
  }
  const classic = { ...common, format: 'iife', target: 'es2020' }
  await build({ ...common, entryPoints: flagParts, format: 'esm', target: 'es2020' })
  const flagsPart = JSON.stringify(await addressOf('flags', folder))
  await build({ ...classic, entryPoints: scripts, define: { AS_FILES: 'false', FLAGS_PART: flagsPart } })
  await build({ ...classic, entryPoints: forFiles, define: { AS_FILES: 'true' } })
  await build({ ...common, entryPoints: parts, format: 'esm', target: 'es2020' })
  const mermaid = await mermaidScript()
  await build({ ...classic, entryPoints: diagramFrame, banner: { js: mermaid } })
  const forSurveys = { format: 'esm', target: 'es2022', plugins: [minifyStyles(transform)] }
  await build({ ...common, ...forSurveys, entryPoints: surveyParts })
}

/** Mermaid as it is published, a classic script that sets a global variable, with its license. */
async function mermaidScript() {
  const folder = dirname(createRequire(import.meta.url).resolve('@mermaid-js/tiny/package.json'))
  const [license, script] = await Promise.all(
    ['LICENSE', 'dist/mermaid.tiny.js'].map((file) => readFile(join(folder, file), 'utf8')),
  )
  return `/*! Mermaid\n${license}*/\n${script}`
}

/** Browsers keep a part for good by the digest in its address. */
async function addressOf(part, folder) {
  const text = await readFile(join(folder, `${part}.js`))
  return `${part}.js?${createHash('sha256').update(text).digest('base64url').slice(0, 4)}`
}

/** The script that pages with flags may hold in their head: browsers of 2021 and later. */
export async function buildFlagsHead() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: ['flags/head.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2021',
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  return outputFiles[0].text.trim()
}
