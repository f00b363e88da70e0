import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type KitPage, type LayoutName, layoutNames } from '../../kit-manifest'

/** The files of a site folder that are built, as paths from its root. */
export interface KitSources {
  /** An absolute path. */
  folder: string
  /** All files of the team's own. */
  files: readonly string[]
  pages: readonly KitPage[]
  /** The files `route.ts` of `pages/`, which answer requests themselves. */
  routes: readonly KitPage[]
  layouts: Readonly<Partial<Record<LayoutName, string>>>
  components: readonly string[]
  mdx: readonly string[]
  /** Modules that begin with 'use client'. */
  clientModules: readonly string[]
  /** Modules that begin with 'use server': all they export may be the action of a form. */
  actionModules: readonly string[]
  styles: readonly string[]
  icons: readonly string[]
  /** `theme/theme.json`, if there is one. */
  tokens: string | undefined
  collections: readonly CollectionSource[]
}

/** A folder in `content`, with entries in Markdown and JSON. */
export interface CollectionSource {
  name: string
  /** `schema.ts` in it, if there is one. */
  schema: string | undefined
  entries: readonly { slug: string; file: string }[]
}

/** The folders of a site folder that may hold something to build. */
export const kitFolders = ['components', 'content', 'layouts', 'pages', 'posts', 'theme']

const code = /\.(?:tsx?|jsx?|mjs)$/
const isTest = /\.(?:test|spec|d)\.[jt]sx?$/
const iconNames = /^(?:favicon\.(?:svg|png|ico)|apple-touch-icon\.png|icon-\d+\.png)$/

export async function readKitSources(folder: string): Promise<KitSources> {
  const files = (await kitFilesIn(folder)).toSorted()
  const under = (name: string, pattern: RegExp): string[] =>
    files.filter((file) => file.startsWith(`${name}/`) && pattern.test(file) && !isTest.test(file))
  const layouts = under('layouts', /^layouts\/[\w-]+\.[jt]sx$/)
  const modules = await modulesByDirective(folder, files)
  return {
    folder,
    files,
    pages: under('pages', /\.[jt]sx$/).map((file) => ({ address: addressOfPage(file), file })),
    routes: under('pages', /\/route\.[jt]s$/).map((file) => ({ address: addressOfRoute(file), file })),
    layouts: Object.fromEntries(
      layoutNames.flatMap((name) => {
        const file = layouts.find((one) => basename(one, extname(one)) === name)
        return file ? [[name, file]] : []
      }),
    ),
    components: under('components', /\.[jt]sx$/),
    mdx: [...under('posts', /\.mdx$/), ...under('pages', /\.mdx$/)],
    ...modules,
    styles: under('theme', /\.css$/),
    icons: under('theme', /./).filter((file) => iconNames.test(basename(file))),
    tokens: files.find((file) => file === 'theme/theme.json'),
    collections: collectionsOf(files),
  }
}

// `content/posts` and `content/pages` are those of a project called "content"
const schemaFile = /^content\/(?!(?:posts|pages)\/)([\w-]+)\/schema\.[jt]s$/
const entryFile = /^content\/(?!(?:posts|pages)\/)([\w-]+)\/([^/]+)\.(?:md|json)$/

/** Whether a file is an entry of a collection. */
export const isEntryFile = (file: string): boolean => entryFile.test(file)

function collectionsOf(files: readonly string[]): CollectionSource[] {
  const schemas = new Map(
    files.flatMap((file) => {
      const [, name] = schemaFile.exec(file) ?? []
      return name === undefined ? [] : [[name, file] as const]
    }),
  )
  const entries = files.flatMap((file) => {
    const [, name, slug] = entryFile.exec(file) ?? []
    return name !== undefined && slug !== undefined ? [{ name, slug, file }] : []
  })
  const names = new Set([...schemas.keys(), ...entries.map(({ name }) => name)])
  return [...names].toSorted().map((name) => ({
    name,
    schema: schemas.get(name),
    entries: entries.filter((entry) => entry.name === name).map(({ slug, file }) => ({ slug, file })),
  }))
}

/** Whether there is anything to build; otherwise the folder holds only Markdown. */
export const isEmptyKit = ({ pages, routes, layouts, mdx, styles, icons, tokens }: KitSources): boolean =>
  [pages, routes, Object.keys(layouts), mdx, styles, icons].every(({ length }) => length === 0) &&
  tokens === undefined

/** The files of the team's own, as paths from the root of the folder. Packages may be many, and are not listed. */
export async function kitFilesIn(folder: string, path = ''): Promise<string[]> {
  if (!existsSync(join(folder, path))) return []
  const entries = await readdir(join(folder, path), { withFileTypes: true })
  const lists = entries.map(async (entry): Promise<string[]> => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    const inside = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return await kitFilesIn(folder, inside)
    return entry.isFile() ? [inside] : []
  })
  return (await Promise.all(lists)).flat()
}

/** `pages/docs/index.tsx` is at `/docs`. */
function addressOfPage(file: string): string {
  const parts = file
    .slice('pages/'.length)
    .replace(/\.[jt]sx$/, '')
    .split('/')
  if (parts.at(-1) === 'index') parts.pop()
  return `/${parts.join('/')}`
}

/** `pages/hooks/orders/route.ts` is at `/hooks/orders`. */
const addressOfRoute = (file: string): string => addressOfPage(file.replace(/\/route\.[jt]s$/, '/index.tsx'))

async function modulesByDirective(
  folder: string,
  files: readonly string[],
): Promise<Pick<KitSources, 'clientModules' | 'actionModules'>> {
  const [clientModules, actionModules]: [string[], string[]] = [[], []]
  for (const file of files) {
    if (!code.test(file)) continue
    const directive = directiveOf(await readFile(join(folder, file), 'utf8'))
    if (directive === 'client') clientModules.push(file)
    if (directive === 'server') actionModules.push(file)
  }
  return { clientModules, actionModules }
}

/** The directive of a module, such as 'use client', which stands before everything except comments. */
export const directiveOf = (text: string): string | undefined =>
  /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*(['"])use (client|server)\1/.exec(text.slice(0, 4000))?.[2]
