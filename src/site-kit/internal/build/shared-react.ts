import { join } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'

type Side = 'server' | 'browser'

const everywhere = ['react', 'react/jsx-runtime', 'react-dom']
const inDevelopment = 'react/jsx-dev-runtime'

/**
 * The modules of React that builds share: for browsers, which keep them when a page changes, and in `tilth dev` for
 * renderers, so that a change links the team's own files alone.
 */
const sharedModules: Readonly<Record<Side, readonly string[]>> = {
  server: [...everywhere, 'react-dom/static'],
  browser: [...everywhere, 'react-dom/client'],
}

const registry = "globalThis[Symbol.for('tilth.react')]"
const sharedNamespace = 'shared-react'

export const isSharedModule = (side: Side, path: string, isDev: boolean): boolean =>
  sharedModules[side].includes(path) || (isDev && path === inDevelopment)

/** The place of a shared module, for the plugin that resolves React. */
export const sharedModule = (path: string) => ({ path, namespace: sharedNamespace })

const scriptModule = 'tilth:react-script'

/**
 * Loads shared modules from where the program of `buildSharedReact` has put them. In browsers each of them imports that
 * program as a script, so that it has run wherever one is used: in an island's own script or in a part of several.
 */
export const sharedReact = (script?: string): Plugin => ({
  name: 'shared-react',
  setup(plugins) {
    const before = script === undefined ? '' : `require('${scriptModule}')\n`
    plugins.onResolve({ filter: /^tilth:react-script$/ }, ({ path }) => ({
      path,
      namespace: sharedNamespace,
    }))
    plugins.onLoad({ filter: /./, namespace: sharedNamespace }, ({ path }) => ({
      contents:
        path === scriptModule
          ? `import ${JSON.stringify(script)}`
          : `${before}module.exports = ${registry}[${JSON.stringify(path)}]`,
      loader: 'js',
    }))
  },
})

interface SharedReactSettings {
  side: Side
  options: BuildOptions
  /** The folder from which React is resolved. */
  packages: string
  /** A module that runs once React is there. */
  next?: string
}

/** The program that loads React for all later builds of one side. */
export async function buildSharedReact({
  side,
  options,
  packages,
  next,
}: SharedReactSettings): Promise<Uint8Array> {
  const modules = options.jsxDev ? [...sharedModules[side], inDevelopment] : sharedModules[side]
  const entries = modules.map((path) => `${JSON.stringify(path)}: require(${JSON.stringify(path)})`)
  const lines = [`${registry} = { ${entries.join(', ')} }`]
  if (next !== undefined) lines.push(`import ${JSON.stringify(next)}`)
  const built = await build({
    ...options,
    stdin: { contents: lines.join('\n'), loader: 'js', resolveDir: packages },
    outfile: join(packages, 'react.mjs'),
    metafile: false,
  })
  return built.outputFiles?.[0]?.contents ?? new Uint8Array()
}
