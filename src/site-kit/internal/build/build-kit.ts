import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { build, type BuildOptions, type Message, type OutputFile, type Plugin } from 'esbuild'
import {
  type BuildOutcome,
  kitAssetsPath,
  type KitIcon,
  type KitManifest,
  type KitProblem,
} from '../../kit-manifest'
import { slugProblem } from '#posts/addresses'
import { type KitSources, readKitSources } from './kit-sources'
import { mdxModules } from './mdx-modules'
import { styleModules } from './style-modules'
import { type IslandModule, teamModules } from './team-modules'
import { readTheme } from './theme'

interface KitBuildSettings {
  /** The site folder. */
  folder: string
  /** Receives `builds/<id>` and `assets`. */
  output: string
  /** The folder `src/site-kit/internal/runtime`. */
  runtime: string
  /** The folder from which React is resolved. */
  packages: string
}

const fileLoaders: BuildOptions['loader'] = Object.fromEntries(
  ['.woff2', '.woff', '.svg', '.png', '.jpg', '.jpeg', '.webp', '.avif', '.gif', '.ico'].map((kind) => [
    kind,
    'file',
  ]),
)

/** Builds a site folder: modules for the renderer, and scripts, styles and pictures for browsers. */
export async function buildKit(settings: KitBuildSettings): Promise<BuildOutcome> {
  const beganAt = performance.now()
  const sources = await readKitSources(settings.folder)
  const problems = addressProblems(sources)
  const theme = readTheme(settings.folder, sources.tokens)
  if (!theme.done) problems.push(...theme.problems)
  if (problems.length > 0 || !theme.done) return { done: false, problems }
  try {
    const islands = await buildIslands(sources, settings)
    const server = await buildServer(sources, islands.modules, theme.theme.css, settings)
    const icons = iconsOf(sources)
    const manifest = manifestOf(sources, {
      server,
      assets: [...islands.files, ...server.assets, ...icons.files],
      icons: icons.icons,
      backgrounds: theme.theme.backgrounds,
    })
    write(manifest, server, [...islands.files, ...server.assets, ...icons.files], settings.output)
    return { done: true, manifest, ms: Math.round(performance.now() - beganAt) }
  } catch (problem) {
    const found = problemsIn(problem)
    if (!found) throw problem
    return { done: false, problems: found }
  }
}

/** Addresses that Tilth uses itself never reach a page of the folder. */
const addressProblems = ({ pages }: KitSources): KitProblem[] =>
  pages.flatMap(({ address, file }) => {
    const slug = address.slice(1).replaceAll(/\[(?:\.\.\.)?\w+\]/g, 'any')
    const message = slugProblem('page', slug)
    return message ? [{ file, message }] : []
  })

/** A file for browsers, by its name in the folder of assets. */
interface Asset {
  name: string
  contents: Uint8Array
}

const commonOptions = ({ folder, packages }: KitBuildSettings): BuildOptions => ({
  absWorkingDir: folder,
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  jsx: 'automatic',
  logLevel: 'silent',
  loader: fileLoaders,
  publicPath: kitAssetsPath,
  assetNames: '[name]-[hash]',
  nodePaths: [packages],
  define: { 'process.env.NODE_ENV': '"production"' },
  // the settings of a team's editor say nothing about how this is built
  tsconfigRaw: {},
})

/** The scripts that hydrate client components, one for each client module and what they share. */
async function buildIslands(
  sources: KitSources,
  settings: KitBuildSettings,
): Promise<{ modules: Map<string, IslandModule>; files: Asset[] }> {
  const { clientModules, folder } = sources
  if (clientModules.length === 0) return { modules: new Map(), files: [] }
  const exports = await exportsOf(clientModules, settings)
  const built = await build({
    ...commonOptions(settings),
    entryPoints: clientModules.map((file) => ({ in: `island:${file}`, out: basename(file, extname(file)) })),
    outdir: join(folder, 'assets'),
    platform: 'browser',
    target: 'es2022',
    splitting: true,
    minify: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    plugins: [
      islandEntries(sources, settings),
      styleModules({ folder, hasStyles: false }),
      noStyles,
      teamModules({ ...settings, side: 'browser', islands: new Map() }),
    ],
  })
  const outputs = Object.entries(built.metafile?.outputs ?? {})
  const modules = clientModules.map((file): [string, IslandModule] => {
    const output = outputs.find(([, { entryPoint }]) => entryPoint === `island:${file}`)?.[0] ?? ''
    return [
      join(folder, file),
      { exports: exports.get(file) ?? [], address: `${kitAssetsPath}/${basename(output)}` },
    ]
  })
  return { modules: new Map(modules), files: (built.outputFiles ?? []).map(assetOf) }
}

/** The names that each module exports. */
async function exportsOf(
  files: readonly string[],
  settings: KitBuildSettings,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: settings.folder,
    entryPoints: [...files],
    outdir: join(settings.folder, 'exports'),
    outbase: settings.folder,
    bundle: false,
    write: false,
    metafile: true,
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'silent',
    tsconfigRaw: {},
  })
  const outputs = Object.values(metafile.outputs)
  return new Map(outputs.flatMap(({ entryPoint, exports }) => (entryPoint ? [[entryPoint, exports]] : [])))
}

const islandEntries = ({ folder }: KitSources, { runtime }: KitBuildSettings): Plugin => ({
  name: 'island-entries',
  setup(plugins) {
    plugins.onResolve({ filter: /^island:/ }, ({ path }) => ({
      path: path.slice('island:'.length),
      namespace: 'island',
    }))
    plugins.onLoad({ filter: /./, namespace: 'island' }, ({ path }) => ({
      contents: [
        `import * as module from ${JSON.stringify(join(folder, path))}`,
        `import { mount as mountIsland } from ${JSON.stringify(join(runtime, 'island-browser.tsx'))}`,
        'export const mount = (element) => mountIsland(element, module)',
      ].join('\n'),
      resolveDir: folder,
    }))
  },
})

/** The styles of client components come with those of all others. */
const noStyles: Plugin = {
  name: 'no-styles',
  setup(plugins) {
    plugins.onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'js' }))
  },
}

interface ServerBuild {
  program: Uint8Array
  sourceMap: Uint8Array
  assets: readonly Asset[]
  style: string | undefined
}

/** One module with everything that is rendered, React included: the renderer reads nothing else. */
async function buildServer(
  sources: KitSources,
  islands: ReadonlyMap<string, IslandModule>,
  themeCss: string,
  settings: KitBuildSettings,
): Promise<ServerBuild> {
  const built = await build({
    ...commonOptions(settings),
    stdin: { contents: entryOf(sources, settings), resolveDir: sources.folder, loader: 'js' },
    outfile: join(sources.folder, 'server.mjs'),
    platform: 'node',
    target: 'node22.13',
    sourcemap: 'external',
    sourcesContent: false,
    banner: {
      js: "import { createRequire as tilthRequire } from 'node:module'; const require = tilthRequire(import.meta.url);",
    },
    plugins: [
      styleEntry(sources, themeCss),
      styleModules({ folder: sources.folder, hasStyles: true }),
      teamModules({ ...settings, side: 'server', islands }),
      mdxModules(),
    ],
  })
  const files = built.outputFiles ?? []
  const named = (name: string): OutputFile | undefined => files.find(({ path }) => basename(path) === name)
  const style = named('server.css')
  const styleName = style && `site-${style.hash.replaceAll(/[^\w]/g, '').slice(0, 8)}.css`
  const assets = files.filter(({ path }) => !/server\.(?:mjs|css)(?:\.map)?$/.test(path)).map(assetOf)
  if (style && styleName) assets.push({ name: styleName, contents: style.contents })
  return {
    program: named('server.mjs')?.contents ?? new Uint8Array(),
    sourceMap: named('server.mjs.map')?.contents ?? new Uint8Array(),
    assets,
    style: styleName,
  }
}

/** Modules are loaded when they are first rendered, so that an exception in one harms only what uses it. */
function entryOf(
  { folder, pages, layouts, mdx, components }: KitSources,
  { runtime }: KitBuildSettings,
): string {
  const modules = [...pages.map(({ file }) => file), ...Object.values(layouts), ...mdx]
  const lines = modules.map(
    (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(join(folder, file))}),`,
  )
  const named = components.map((file) => `() => import(${JSON.stringify(join(folder, file))})`)
  return [
    "import 'tilth:styles'",
    `import { startRenderer } from ${JSON.stringify(join(runtime, 'renderer-program.tsx'))}`,
    `startRenderer({ folder: ${JSON.stringify(folder)}, modules: { ${lines.join('\n')} },`,
    `components: [${components.map((file, index) => `[${JSON.stringify(basename(file, extname(file)))}, ${named[index]}]`).join(', ')}] })`,
  ].join('\n')
}

/** The theme's own styles stand before those of components. */
const styleEntry = ({ folder, styles }: KitSources, themeCss: string): Plugin => ({
  name: 'theme-styles',
  setup(plugins) {
    plugins.onResolve({ filter: /^tilth:styles$/ }, ({ path }) => ({ path, namespace: 'tilth-styles' }))
    plugins.onLoad({ filter: /./, namespace: 'tilth-styles' }, () => ({
      contents: [
        ...styles.map((file) => `@import ${JSON.stringify(join(folder, file))};`),
        'tilth-island, tilth-slot { display: contents }',
        themeCss,
      ].join('\n'),
      loader: 'css',
      resolveDir: folder,
    }))
  },
})

const assetOf = ({ path, contents }: OutputFile): Asset => ({ name: basename(path), contents })

const iconTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
}

function iconsOf({ folder, icons }: KitSources): { icons: KitIcon[]; files: Asset[] } {
  const files = icons.map((file) => {
    const contents = readFileSync(join(folder, file))
    const kind = extname(file)
    return { file, contents, name: `${basename(file, kind)}-${hashOf(contents).slice(0, 8)}${kind}` }
  })
  return {
    files,
    icons: files.map(({ file, name }) => ({
      rel: /apple-touch-icon/.test(file) ? 'apple-touch-icon' : 'icon',
      href: `${kitAssetsPath}/${name}`,
      type: iconTypes[extname(name)] ?? '',
      sizes: /icon-(\d+)/.exec(file)?.[1]?.replace(/\d+/, '$&x$&'),
    })),
  }
}

const hashOf = (contents: string | Uint8Array): string => createHash('sha256').update(contents).digest('hex')

function manifestOf(
  { pages, layouts, mdx }: KitSources,
  {
    server,
    assets,
    icons,
    backgrounds,
  }: Pick<KitManifest, 'icons' | 'backgrounds'> & { server: ServerBuild; assets: readonly Asset[] },
): KitManifest {
  const contents = {
    pages: [...pages],
    layouts,
    mdx: [...mdx],
    styles: server.style ? [`${kitAssetsPath}/${server.style}`] : [],
    icons,
    backgrounds,
  }
  const names = assets.map(({ name }) => name).toSorted()
  const id = hashOf(`${JSON.stringify(contents)} ${names.join(' ')} ${hashOf(server.program)}`).slice(0, 24)
  return { id, ...contents }
}

/** Assets are shared by all builds: pages of an earlier one may still be open in browsers. */
function write(
  manifest: KitManifest,
  { program, sourceMap }: ServerBuild,
  assets: readonly Asset[],
  output: string,
): void {
  const folder = join(output, 'builds', manifest.id)
  const assetFolder = join(output, 'assets')
  mkdirSync(assetFolder, { recursive: true })
  for (const { name, contents } of assets)
    if (!existsSync(join(assetFolder, name))) writeFileSync(join(assetFolder, name), contents)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'server.mjs.map'), sourceMap)
  // the address of assets would stand before the name
  writeFileSync(
    join(folder, 'server.mjs'),
    `${Buffer.from(program).toString()}\n//# sourceMappingURL=server.mjs.map\n`,
  )
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

/** esbuild throws its messages together. */
function problemsIn(problem: unknown): KitProblem[] | undefined {
  if (!(problem instanceof Error) || !('errors' in problem)) return undefined
  // esbuild's own error, which says what it holds
  return (problem.errors as Message[]).map(({ text, location }) => ({
    message: text,
    file: location?.file.replace(/^client:/, ''),
    line: location?.line,
    column: location ? location.column + 1 : undefined,
  }))
}
