import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Charts are drawn without the forms beside them. */
const withoutForms = {
  name: 'without-forms',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/Form$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'form', namespace: 'left-out' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export {}' }))
  },
}

/**
 * Builds the program that draws charts outside of pages, and the document that shows its drawings. The program contains
 * its packages: the published Tilth has those of pages only in the pages that were built.
 */
export async function buildPicture(root, folder) {
  const { build, transform } = await import('esbuild')
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  }
  await build({
    ...common,
    entryPoints: ['src/studio/pictures/picture-program.ts'],
    outfile: join(folder, 'picture-program.cjs'),
    plugins: [withoutForms],
    platform: 'node',
    target: 'node22.13',
    format: 'cjs',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = await build({
    ...common,
    entryPoints: ['tracker/pictures/picture-view.ts'],
    write: false,
    format: 'iife',
    target: 'es2022',
    tsconfigRaw: {},
  })
  const program = await readFile(join(folder, 'picture-program.cjs'), 'utf8')
  const style = await transform(await stylesOf(program, root), { loader: 'css', minify: true })
  const view = viewDocument({ script: script.outputFiles[0].text.trim(), style: style.code.trim() })
  await writeFile(join(folder, 'picture-view.html'), view)
}

/** The one stylesheet of the interface, with the utilities that stand in the program's text, and without its typeface. */
async function stylesOf(program, root) {
  const { compile } = await import('tailwindcss')
  const folder = join(root, 'src/ui')
  const compiled = await compile(await readFile(join(folder, 'styles.css'), 'utf8'), {
    base: folder,
    loadStylesheet: async (id, base) => {
      const path = id.startsWith('.') ? join(base, id) : packagedStyle(id)
      return { path, base: dirname(path), content: isTypeface(id) ? '' : await readFile(path, 'utf8') }
    },
  })
  return compiled.build([...new Set(program.match(/[^\s"'`]+/g))])
}

const isTypeface = (id) => id.startsWith('@fontsource')

const { resolve } = createRequire(import.meta.url)

const packagedStyle = (id) => resolve(id.endsWith('.css') ? id : `${id}.css`)

/** Only its own script runs, and it reaches nothing: no network, no form, no other frame. */
function viewDocument({ script, style }) {
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src-elem '${digestOf(style)}'`,
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tilth</title>
<style>${style}</style>
</head>
<body>
<main class="p-px text-sm" aria-live="polite"></main>
<script>${script}</script>
</body>
</html>
`
}

const digestOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`
