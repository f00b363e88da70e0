import { readFileSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import type { Loader, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'
import { directiveOf } from './kit-sources'
import { isSharedModule, sharedModule } from './shared-react'

interface TeamModulesSettings {
  side: 'server' | 'browser'
  /** The site folder. */
  folder: string
  /** The folder `src/site-kit/internal/runtime`; the build of Tilth copies it. */
  runtime: string
  /** The folder from which React is resolved: there is one React, Tilth's. */
  packages: string
  /** The client modules of the build that is under way. */
  islands: () => IslandModules
  react: ReactSource
  isDev: boolean
}

/** For each client module the names of its exports and its address for browsers. */
export type IslandModules = ReadonlyMap<string, IslandModule>

export interface IslandModule {
  exports: readonly string[]
  address: string
}

/** The place of React for a module: the build itself, a script that all builds share, or Preact, which stands for it. */
type ReactSource = 'bundled' | 'shared' | 'preact'

const clientNamespace = 'client'
/** Marks a look-up of our own, so that it is not intercepted again. */
const resolved = { isResolved: true }

/**
 * Resolves the imports of a team's modules. On the server, a client module that a server component imports becomes an
 * island; what the island's own component imports is loaded as it is, in a graph of its own.
 */
export function teamModules(settings: TeamModulesSettings): Plugin {
  return {
    name: 'team-modules',
    setup(build) {
      build.onResolve({ filter: /^@tilth\/site$/ }, () => ({
        path: join(settings.runtime, settings.side === 'server' ? 'team-server.tsx' : 'team-browser.tsx'),
      }))
      build.onResolve({ filter: /^react(?:-dom)?(?:\/|$)/ }, (args) => resolveReact(args, build, settings))
      if (settings.side === 'server') addIslands(build, settings)
      else refuseActions(build, settings)
    },
  }
}

/** Modules that server components get in place of React's. */
const guards: Readonly<Record<string, string>> = {
  react: 'react-guard.ts',
  'react/jsx-runtime': 'jsx-guard.ts',
  'react/jsx-dev-runtime': 'jsx-dev-guard.ts',
}

const preactModules: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-dev-runtime',
}

async function resolveReact(
  { path, kind, importer, namespace, pluginData }: OnResolveArgs,
  build: PluginBuild,
  { side, folder, runtime, packages, react, isDev }: TeamModulesSettings,
): Promise<OnResolveResult | undefined> {
  if (pluginData === resolved) return undefined
  const isServerModule = side === 'server' && namespace === 'file' && isOwn(importer, folder)
  const guard = isServerModule ? guards[path] : undefined
  if (guard) return { path: join(runtime, guard) }
  if (react === 'shared' && isSharedModule(side, path, isDev)) return sharedModule(path)
  const found = react === 'preact' ? (preactModules[path] ?? path) : path
  return await build.resolve(found, { kind, resolveDir: packages, pluginData: resolved })
}

/** Whether a file is the team's own, not of a package. */
const isOwn = (path: string, folder: string): boolean =>
  path.startsWith(folder + sep) && !path.includes(`${sep}node_modules${sep}`)

/** A module for form actions stays on the server, with all that it knows. */
function refuseActions(build: PluginBuild, { folder }: TeamModulesSettings): void {
  build.onLoad({ filter: /\.(?:tsx?|jsx?|mjs)$/, namespace: 'file' }, ({ path }) => {
    if (!isOwn(path, folder) || directiveOf(readFileSync(path, 'utf8')) !== 'server') return undefined
    const file = relative(folder, path).split(sep).join('/')
    const text =
      "It begins with 'use server', so no client component can import it. Draw the form in a server component."
    return { errors: [{ text, location: { file } }] }
  })
}

function addIslands(build: PluginBuild, settings: TeamModulesSettings): void {
  const { folder, islands, runtime } = settings
  build.onLoad({ filter: /\.(?:tsx?|jsx?|mjs)$/, namespace: 'file' }, ({ path }) => {
    const island = islands().get(path)
    return (
      island && { contents: islandSource(path, island, settings), resolveDir: dirname(path), loader: 'js' }
    )
  })
  build.onResolve({ filter: /^client:/ }, ({ path }) => ({
    path: path.slice('client:'.length),
    namespace: clientNamespace,
  }))
  build.onResolve({ filter: /^tilth:island$/ }, () => ({ path: join(runtime, 'island-server.tsx') }))
  build.onResolve({ filter: /./, namespace: clientNamespace }, async (args) => {
    if (args.pluginData === resolved) return undefined
    const { path, kind, importer, resolveDir } = args
    const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: resolved })
    const isCode = extname(found.path) in loaders
    return found.errors.length === 0 && isCode && isOwn(found.path, folder)
      ? { path: found.path, namespace: clientNamespace }
      : found
  })
  build.onLoad({ filter: /./, namespace: clientNamespace }, ({ path }) => ({
    contents: readFileSync(path),
    loader: loaders[extname(path)] ?? 'js',
    resolveDir: dirname(path),
  }))
}

const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.js': 'jsx',
  '.jsx': 'jsx',
  '.mjs': 'js',
}

/** The module that server components import in place of a client module. */
function islandSource(
  path: string,
  { exports, address }: IslandModule,
  { folder }: TeamModulesSettings,
): string {
  const file = relative(folder, path).split(sep).join('/')
  const lines = exports.map((name) => {
    const component = name === 'default' ? file.replace(/^.*\/|\.\w+$/g, '') : name
    const place = JSON.stringify({ module: address, export: name, name: component, file })
    const value = `island(client[${JSON.stringify(name)}], ${place})`
    return name === 'default' ? `export default ${value}` : `export const ${name} = ${value}`
  })
  return [
    `import * as client from ${JSON.stringify(`client:${path}`)}`,
    "import { island } from 'tilth:island'",
    ...lines,
  ].join('\n')
}
