import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import {
  transform,
  type BuildOptions,
  type Message,
  type Metafile,
  type OutputFile,
  type Plugin,
} from 'esbuild'
import {
  type BuildOutcome,
  type KitBuild,
  kitAssetsPath,
  type KitIcon,
  type KitManifest,
  type KitProblem,
  programOf,
  reactOf,
} from '../../kit-manifest'
import { isOwnFile, slugProblem } from '#posts/addresses'
import { noteImages } from '../kept-builds'
import { copiesIn, imageModules } from './image-modules'
import { type KitSources, readKitSources } from './kit-sources'
import { EntryCheck, EntryFiles, entryModules, type WrittenEntry } from './collections'
import { CompiledTexts } from './compiled-texts'
import { timesOf } from './kit-times'
import { mdxModules } from './mdx-modules'
import { RepeatedBuilds } from './repeated-builds'
import { buildSharedReact, sharedReact } from './shared-react'
import { styleModules } from './style-modules'
import { besideSiteStyles, styleSheetFiles, StyleSheets } from './style-sheets'
import { type IslandModule, type IslandModules, teamModules } from './team-modules'
import { readTheme } from './theme'
import { type IslandLibrary, readIslandLibrary } from './island-library'

const fileLoaders: BuildOptions['loader'] = Object.fromEntries(
  ['.woff2', '.woff', '.svg', '.png', '.jpg', '.jpeg', '.webp', '.avif', '.gif', '.ico'].map((kind) => [
    kind,
    'file',
  ]),
)

interface BuiltIslands extends Pick<KitManifest, 'scripts'> {
  modules: IslandModules
  files: Asset[]
}

interface ServerBuild {
  program: Uint8Array
  sourceMap: Uint8Array
  assets: readonly Asset[]
  style: string | undefined
  inputs: Metafile['inputs']
}

/** The contents of the build that is under way, which plugins of a repeated build read anew. */
interface KitContents {
  sources: KitSources
  themeCss: string
  islandLibrary: IslandLibrary
  islands: IslandModules
}

/** Builds a site folder: modules for the renderer, and scripts, styles and pictures for browsers. */
export class KitBuilder {
  private readonly builds = new RepeatedBuilds()
  private readonly entryFiles = new EntryFiles()
  private readonly entryCheck = new EntryCheck()
  private hasServerReact = false
  /** The script that loads React in browsers, which is shared by all builds. */
  private browserReact: Asset | undefined
  private contents: KitContents | undefined

  private readonly sheets: StyleSheets
  private readonly texts: CompiledTexts

  constructor(private readonly settings: KitBuild) {
    this.texts = new CompiledTexts(settings)
    this.sheets = new StyleSheets(settings)
  }

  async build(): Promise<BuildOutcome> {
    const beganAt = performance.now()
    const found = await readKitSources(this.settings.folder)
    this.sheets.begin(found.files)
    this.texts.begin()
    const problems = addressProblems(found)
    const theme = readTheme(this.settings.folder, found.tokens)
    if (!theme.done) problems.push(...theme.problems)
    const library = readIslandLibrary(this.settings.folder)
    if (!library.done) problems.push(...library.problems)
    const content = await this.entryFiles.read(found.folder, found.collections)
    if (!content.done) problems.push(...content.problems)
    if (problems.length > 0 || !theme.done || !library.done || !content.done) return { done: false, problems }
    const { islandLibrary } = library
    const sources = this.settings.isDev ? found : withoutDrafts(found, content.entries)
    this.contents = { sources, themeCss: theme.theme.css, islandLibrary, islands: new Map() }
    try {
      const refused = await this.checkEntries(content.entries, this.contents)
      if (refused.length > 0) return { done: false, problems: refused }
      if (this.settings.isDev && !this.hasServerReact) await this.shareServerReact()
      const islands = await this.buildIslands(this.contents)
      this.contents.islands = islands.modules
      const server = await this.buildServer(this.contents)
      const icons = iconsOf(sources)
      const assets = [...islands.files, ...server.assets, ...icons.files]
      const { backgrounds } = theme.theme
      const { scripts } = islands
      const built = manifestOf(sources, { server, assets, scripts, icons: icons.icons, backgrounds })
      const manifest = { ...built, ...(await timesOf(sources, server.inputs)) }
      write(manifest, server, assets, this.settings.output)
      this.texts.end()
      return { done: true, manifest, ms: Math.round(performance.now() - beganAt) }
    } catch (problem) {
      const inSources = problemsIn(problem)
      if (!inSources) throw problem
      return { done: false, problems: inSources }
    }
  }

  async close(): Promise<void> {
    this.sheets.close()
    await this.builds.close()
  }

  /** Builds React for the renderers of `tilth dev` into the output folder. */
  private async shareServerReact(): Promise<void> {
    const { runtime, packages, output } = this.settings
    const options = { ...commonOptions(this.settings), ...serverOptions }
    const next = join(runtime, 'waiting-renderer.ts')
    const server = await buildSharedReact({ side: 'server', options, packages, next })
    mkdirSync(output, { recursive: true })
    writeFileSync(reactOf(output), server)
    this.hasServerReact = true
  }

  /** Builds React as a script of its own, which browsers keep when a component changes. */
  private async browserReactFor(library: IslandLibrary): Promise<Asset | undefined> {
    if (library === 'preact') return undefined
    if (this.browserReact) return this.browserReact
    const { packages, isDev } = this.settings
    const options = { ...commonOptions(this.settings), ...browserOptions, minify: !isDev }
    const contents = await buildSharedReact({ side: 'browser', options, packages })
    this.browserReact = { name: `react-${hashOf(contents).slice(0, 8)}.js`, contents }
    return this.browserReact
  }

  /** Checks entries by the schemas of their collections. */
  private async checkEntries(entries: readonly WrittenEntry[], contents: KitContents): Promise<KitProblem[]> {
    if (contents.sources.collections.every(({ schema }) => schema === undefined)) return []
    const current = (): KitContents => this.contents ?? contents
    const built = await this.builds.run('schemas', {
      ...commonOptions(this.settings),
      ...serverOptions,
      entryPoints: [{ in: schemasEntry, out: 'schemas' }],
      outdir: contents.sources.folder,
      plugins: [virtualEntries(current, this.settings)],
    })
    const program = built.outputFiles?.[0]?.contents ?? new Uint8Array()
    return await this.entryCheck.problems(entries, program, this.settings.output)
  }

  /** The scripts that hydrate client components, one for each client module and what they share. */
  private async buildIslands({
    sources: { clientModules, folder },
    islandLibrary,
  }: KitContents): Promise<BuiltIslands> {
    const { isDev } = this.settings
    if (clientModules.length === 0) return { modules: new Map(), files: [], scripts: {} }
    const exports = await this.exportsOf(clientModules)
    const react = await this.browserReactFor(islandLibrary)
    const built = await this.builds.run(`islands of ${islandLibrary}`, {
      ...commonOptions(this.settings),
      ...browserOptions,
      entryPoints: clientModules.map((file) => ({
        in: `island:${file}`,
        out: basename(file, extname(file)),
      })),
      outdir: join(folder, 'assets'),
      splitting: true,
      minify: !isDev,
      sourcemap: isDev && 'linked',
      entryNames: '[name]-[hash]',
      chunkNames: 'part-[hash]',
      plugins: [
        islandEntries(this.settings),
        imageModules(this.settings.output),
        styleModules({ folder, hasStyles: false, sheets: this.sheets }),
        noStyles,
        teamModules({
          ...this.settings,
          side: 'browser',
          react: react ? 'shared' : 'preact',
          islands: () => new Map(),
        }),
        sharedReact(react && `${kitAssetsPath}/${react.name}`),
      ],
    })
    const outputs = built.metafile?.outputs ?? {}
    const islands = clientModules.map((file) => {
      const output = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === `island:${file}`) ?? ''
      const island: IslandModule = { exports: exports.get(file) ?? [], address: addressOf(output) }
      return { path: join(folder, file), island, scripts: loadedWith(output, outputs) }
    })
    const files = (built.outputFiles ?? []).map(assetOf)
    return {
      modules: new Map(islands.map(({ path, island }) => [path, island])),
      files: react ? [...files, react] : files,
      scripts: Object.fromEntries(islands.map(({ island, scripts }) => [island.address, scripts])),
    }
  }

  /** The names that each module exports. */
  private async exportsOf(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const { folder } = this.settings
    const { metafile } = await this.builds.run('exports', {
      absWorkingDir: folder,
      entryPoints: [...files],
      outdir: join(folder, 'exports'),
      outbase: folder,
      bundle: false,
      write: false,
      metafile: true,
      format: 'esm',
      jsx: 'automatic',
      logLevel: 'silent',
      tsconfigRaw: {},
    })
    const outputs = Object.values(metafile?.outputs ?? {})
    return new Map(outputs.flatMap(({ entryPoint, exports }) => (entryPoint ? [[entryPoint, exports]] : [])))
  }

  private async finishedStyle(written: string): Promise<string> {
    const style = this.sheets.usesTailwind ? written : besideSiteStyles(written)
    const { isDev } = this.settings
    return isDev ? style : (await transform(style, { loader: 'css', minify: true, logLevel: 'silent' })).code
  }

  /** One module with everything that is rendered: the renderer reads nothing else, except React in `tilth dev`. */
  private async buildServer(contents: KitContents): Promise<ServerBuild> {
    const { folder } = this.settings
    const current = (): KitContents => this.contents ?? contents
    const built = await this.builds.run('server', {
      ...commonOptions(this.settings),
      ...serverOptions,
      entryPoints: [{ in: serverEntry, out: 'server' }],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      sourcemap: 'external',
      sourcesContent: false,
      plugins: [
        virtualEntries(current, this.settings),
        imageModules(this.settings.output),
        styleModules({ folder, hasStyles: true, sheets: this.sheets }),
        styleSheetFiles(this.sheets),
        teamModules({
          ...this.settings,
          side: 'server',
          react: this.settings.isDev ? 'shared' : 'bundled',
          islands: () => current().islands,
        }),
        sharedReact(),
        mdxModules(this.texts),
        entryModules(folder, this.texts),
      ],
    })
    const files = built.outputFiles ?? []
    const named = (name: string): OutputFile | undefined => files.find(({ path }) => basename(path) === name)
    const written = named('server.css')?.text
    const style = written && (await this.finishedStyle(written))
    const styleName = style && `site-${hashOf(style).slice(0, 8)}.css`
    const assets = files.filter(({ path }) => !/server\.(?:mjs|css)(?:\.map)?$/.test(path)).map(assetOf)
    if (style && styleName) assets.push({ name: styleName, contents: Buffer.from(style) })
    return {
      program: named('server.mjs')?.contents ?? new Uint8Array(),
      sourceMap: named('server.mjs.map')?.contents ?? new Uint8Array(),
      assets,
      style: styleName,
      inputs: built.metafile?.inputs ?? {},
    }
  }
}

/** Entries with `draft: true` are parts of the builds of `tilth dev` only. */
function withoutDrafts(sources: KitSources, entries: readonly WrittenEntry[]): KitSources {
  const drafts = new Set(entries.filter(isDraft).map(({ file }) => file))
  const collections = sources.collections.map((collection) => ({
    ...collection,
    entries: collection.entries.filter(({ file }) => !drafts.has(file)),
  }))
  return { ...sources, collections }
}

const isDraft = ({ fields }: WrittenEntry): boolean =>
  typeof fields === 'object' && fields !== null && 'draft' in fields && fields.draft === true

/** Addresses that Tilth uses itself never reach a page of the folder. */
const addressProblems = ({ pages, routes }: KitSources): KitProblem[] => [
  ...pages.flatMap(({ address, file }) => {
    const message = slugProblem('page', slugAt(address))
    return message ? [{ file, message }] : []
  }),
  ...routes.flatMap(({ address, file }) => {
    const message = routeProblem(address, pages)
    return message ? [{ file, message }] : []
  }),
]

const slugAt = (address: string): string => address.slice(1).replaceAll(/\[(?:\.\.\.)?\w+\]/g, 'any')

/** An address of a route may end like a file, such as `/jobs.json`. */
function routeProblem(address: string, pages: KitSources['pages']): string | undefined {
  const page = pages.find((one) => one.address === address)
  if (page) return `It has the same address as ${page.file}, which is ${address}. Move one of the two.`
  if (isOwnFile(address)) return `Tilth itself answers at “${address}”. Choose another address.`
  return slugProblem('page', slugAt(address).replaceAll(/(?<=\w)\.(?=\w)/g, '-'))
}

/** A file for browsers, by its name in the folder of assets. */
interface Asset {
  name: string
  contents: Uint8Array
}

const commonOptions = ({ folder, packages, isDev }: KitBuild): BuildOptions => ({
  absWorkingDir: folder,
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  jsx: 'automatic',
  jsxDev: isDev,
  logLevel: 'silent',
  loader: fileLoaders,
  publicPath: kitAssetsPath,
  assetNames: '[name]-[hash]',
  nodePaths: [packages],
  define: { 'process.env.NODE_ENV': isDev ? '"development"' : '"production"' },
  // the settings of a team's editor say nothing about how this is built
  tsconfigRaw: {},
})

const browserOptions: BuildOptions = {
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  external: [`${kitAssetsPath}/*`],
}

const serverOptions: BuildOptions = {
  platform: 'node',
  target: 'node22.13',
  banner: {
    js: "import { createRequire as tilthRequire } from 'node:module'; const require = tilthRequire(import.meta.url);",
  },
}

const islandEntries = ({ folder, runtime }: KitBuild): Plugin => ({
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

const serverEntry = 'tilth:server'
const schemasEntry = 'tilth:schemas'

/** The modules that the builder writes itself: the entries of its builds, and the styles of the theme. */
const virtualEntries = (current: () => KitContents, settings: KitBuild): Plugin => ({
  name: 'virtual-entries',
  setup(plugins) {
    const { folder } = settings
    plugins.onResolve({ filter: /^tilth:(?:server|schemas|styles)$/ }, ({ path }) => ({
      path,
      namespace: 'tilth',
    }))
    plugins.onLoad({ filter: /./, namespace: 'tilth' }, ({ path }) => {
      if (path === 'tilth:styles') return { contents: stylesOf(current()), loader: 'css', resolveDir: folder }
      const contents = (path === serverEntry ? entryOf : schemasOf)(current().sources, settings)
      return { contents, loader: 'js', resolveDir: folder }
    })
  },
})

/** Schemas are loaded one by one as well. */
function schemasOf({ folder, collections }: KitSources, { runtime }: KitBuild): string {
  const known = collections.flatMap(({ name, schema }) =>
    schema === undefined
      ? []
      : `${JSON.stringify(name)}: { file: ${JSON.stringify(schema)}, load: () => import(${JSON.stringify(join(folder, schema))}) },`,
  )
  return [
    `import { startEntryCheck } from ${JSON.stringify(join(runtime, 'entry-check.ts'))}`,
    `startEntryCheck({ ${known.join('\n')} })`,
  ].join('\n')
}

/** Modules are loaded when they are first rendered, so that an exception in one harms only what uses it. */
function entryOf(
  { folder, pages, routes, layouts, mdx, components, collections, actionModules }: KitSources,
  { runtime }: KitBuild,
): string {
  const load = (file: string): string => `() => import(${JSON.stringify(join(folder, file))})`
  const modules = [...[...pages, ...routes].map(({ file }) => file), ...Object.values(layouts), ...mdx]
  const lines = modules.map((file) => `${JSON.stringify(file)}: ${load(file)},`)
  const named = components.map(load)
  const known = collections.map(({ name, schema, entries }) => {
    const listed = entries.map(
      ({ slug, file }) =>
        `{ slug: ${JSON.stringify(slug)}, file: ${JSON.stringify(file)}, load: ${load(file)} }`,
    )
    const own = schema === undefined ? '' : `schema: ${load(schema)}, `
    return `${JSON.stringify(name)}: { ${own}entries: [${listed.join(', ')}] },`
  })
  return [
    "import 'tilth:styles'",
    `import { startRenderer } from ${JSON.stringify(join(runtime, 'renderer-program.tsx'))}`,
    `startRenderer({ folder: ${JSON.stringify(folder)}, modules: { ${lines.join('\n')} },`,
    `components: [${components.map((file, index) => `[${JSON.stringify(basename(file, extname(file)))}, ${named[index]}]`).join(', ')}],`,
    `actions: { ${actionModules.map((file) => `${JSON.stringify(file)}: ${load(file)}`).join(', ')} },`,
    `collections: { ${known.join('\n')} } })`,
  ].join('\n')
}

/** The theme's own styles stand before those of components. */
const stylesOf = ({ sources: { folder, styles }, themeCss }: KitContents): string =>
  [
    ...styles.map((file) => `@import ${JSON.stringify(join(folder, file))};`),
    'tilth-island, tilth-slot { display: contents }',
    themeCss,
  ].join('\n')

const addressOf = (output: string): string => `${kitAssetsPath}/${basename(output)}`

/** The addresses of the scripts that a browser has to load before it runs this one. */
function loadedWith(output: string, outputs: Metafile['outputs'], known = new Set<string>()): string[] {
  for (const { path, kind } of outputs[output]?.imports ?? []) {
    if (kind !== 'import-statement' || known.has(path)) continue
    known.add(path)
    loadedWith(path, outputs, known)
  }
  return [...known].map(addressOf)
}

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
  { pages, routes, layouts, mdx }: KitSources,
  {
    server,
    assets,
    ...rest
  }: Pick<KitManifest, 'scripts' | 'icons' | 'backgrounds'> & {
    server: ServerBuild
    assets: readonly Asset[]
  },
): KitManifest {
  const contents = {
    pages: [...pages],
    routes: [...routes],
    layouts,
    mdx: [...mdx],
    styles: server.style ? [`${kitAssetsPath}/${server.style}`] : [],
    ...rest,
  }
  const names = assets.map(({ name }) => name).toSorted()
  const id = hashOf(`${JSON.stringify(contents)} ${names.join(' ')} ${hashOf(server.program)}`).slice(0, 24)
  return { id, ...contents }
}

/** Assets are shared by all builds: pages of an earlier one may still be open in browsers. */
function write(
  manifest: KitManifest,
  { program, sourceMap, inputs }: ServerBuild,
  assets: readonly Asset[],
  output: string,
): void {
  const file = programOf(output, manifest)
  const assetFolder = join(output, 'assets')
  mkdirSync(assetFolder, { recursive: true })
  for (const { name, contents } of assets)
    if (!existsSync(join(assetFolder, name))) writeFileSync(join(assetFolder, name), contents)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.map`, sourceMap)
  // the address of assets would stand before the name
  writeFileSync(file, `${Buffer.from(program).toString()}\n//# sourceMappingURL=server.mjs.map\n`)
  noteImages(dirname(file), copiesIn(inputs))
  writeFileSync(join(dirname(file), 'manifest.json'), JSON.stringify(manifest))
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
