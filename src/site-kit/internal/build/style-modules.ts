import { createHash } from 'node:crypto'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { StyleSheets } from './style-sheets'

interface StyleModulesSettings {
  /** The site folder. */
  folder: string
  /** Whether the styles are in the output, besides the names of their classes. */
  hasStyles: boolean
  sheets: StyleSheets
}

const styleNamespace = 'tilth-style'

/**
 * Loads `*.module.css` as the names of its classes. A class is named by the path of its file, so that the build for the
 * server and that for browsers, which shortens other names, agree.
 */
export const styleModules = ({ folder, hasStyles, sheets }: StyleModulesSettings): Plugin => ({
  name: 'style-modules',
  setup(plugins) {
    plugins.onLoad({ filter: /\.module\.css$/, namespace: 'file' }, async ({ path }) => {
      const file = relative(folder, path)
      const outcome = await sheets.read(path)
      if (!outcome.done) return { errors: outcome.errors }
      const { names } = await readStyleModule(folder, file, outcome.css)
      const styles = hasStyles ? `import ${JSON.stringify(`${styleNamespace}:${file}`)}\n` : ''
      return { contents: styles + names, loader: 'js', resolveDir: dirname(path) }
    })
    // by its place in the folder, which the built styles name in a comment
    plugins.onResolve({ filter: new RegExp(`^${styleNamespace}:`) }, ({ path }) => ({
      path: path.slice(styleNamespace.length + 1),
      namespace: styleNamespace,
    }))
    plugins.onLoad({ filter: /./, namespace: styleNamespace }, async ({ path }) => {
      const outcome = await sheets.read(join(folder, path))
      if (!outcome.done) return { errors: outcome.errors }
      const { css } = await readStyleModule(folder, path, outcome.css)
      return { contents: css, loader: 'css', resolveDir: dirname(join(folder, path)) }
    })
  },
})

/** A module that exports the names of the classes, and the style sheet that has them. */
async function readStyleModule(
  folder: string,
  file: string,
  written: string,
): Promise<{ names: string; css: string }> {
  const path = join(folder, file)
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 6)
  const name = `${basename(path, '.module.css').replaceAll(/\W/g, '_')}_${hash}`
  const built = await build({
    stdin: { contents: "export { default } from 'styles'", loader: 'js' },
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    external: ['*'],
    tsconfigRaw: {},
    plugins: [
      {
        name: 'one-module',
        setup(plugins) {
          plugins.onResolve({ filter: /^styles$/ }, () => ({ path: name, namespace: 'local' }))
          plugins.onLoad({ filter: /./, namespace: 'local' }, () => ({
            contents: written,
            loader: 'local-css',
            resolveDir: dirname(path),
          }))
        },
      },
    ],
  })
  const textOf = (kind: string): string =>
    built.outputFiles.find((output) => output.path.endsWith(kind))?.text ?? ''
  return { names: textOf('.js'), css: textOf('.css') }
}
