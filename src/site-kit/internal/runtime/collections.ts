import { type ComponentType, createElement, type ReactNode } from 'react'
import { pictureOf } from './pictures'
import { currentContext } from './rendering'

type Component = ComponentType<Readonly<Record<string, unknown>>>

/** A schema of zod, or of another library that follows https://standardschema.dev. */
export interface EntrySchema {
  '~standard': { validate: (fields: unknown) => SchemaResult | Promise<SchemaResult> }
}

type SchemaResult = { value: unknown; issues?: undefined } | { issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
}

interface EntryModule {
  /** The component of Markdown, or the value of a JSON file. */
  default: unknown
  /** The front matter of Markdown. */
  fields?: unknown
  /** The attributes of the pictures beside Markdown, by their addresses there. */
  pictures?: unknown
}

export interface CollectionModules {
  schema?: () => Promise<{ default: EntrySchema }>
  entries: readonly { slug: string; file: string; load: () => Promise<EntryModule> }[]
}

interface CollectionEntry {
  slug: string
  data: unknown
  Content: () => ReactNode
}

interface KnownCollections {
  collections: Readonly<Record<string, CollectionModules>>
  /** The components that Markdown is drawn with. */
  components: Readonly<Record<string, unknown>>
}

/** The renderer has one build, whose program says its collections at the start. */
let known: KnownCollections = { collections: {}, components: {} }
const entries = new Map<string, Promise<CollectionEntry>>()

export const setCollections = (collections: KnownCollections): void => void (known = collections)

/** The entries of a collection, sorted by their slugs. */
export async function collection(name: string): Promise<CollectionEntry[]> {
  return await Promise.all(modulesOf(name).entries.map(({ slug }) => readEntry(name, slug)))
}

/** Undefined for an unknown slug. */
export async function entry(name: string, slug: string): Promise<CollectionEntry | undefined> {
  return modulesOf(name).entries.some((one) => one.slug === slug) ? await readEntry(name, slug) : undefined
}

function modulesOf(name: string): CollectionModules {
  const found = Object.hasOwn(known.collections, name) ? known.collections[name] : undefined
  if (found) return found
  const names = Object.keys(known.collections).join(', ') || 'none yet'
  throw new Error(`There is no collection "${name}". Collections are the folders in content: ${names}.`)
}

async function readEntry(name: string, slug: string): Promise<CollectionEntry> {
  const { schema, entries: all } = modulesOf(name)
  const found = all.find((one) => one.slug === slug)
  if (!found) throw new Error(`There is no entry "${slug}" in the collection "${name}".`)
  currentContext().rendering.entries.add(found.file)
  const read = entries.get(found.file) ?? parseEntry(found, schema)
  entries.set(found.file, read)
  return await read
}

async function parseEntry(
  { slug, file, load }: CollectionModules['entries'][number],
  schema: CollectionModules['schema'],
): Promise<CollectionEntry> {
  const loaded = await load()
  const isJson = file.endsWith('.json')
  const fields = isJson ? loaded.default : loaded.fields
  const result = await (await schema?.())?.default['~standard'].validate(fields)
  // the build has checked all of them
  if (result?.issues)
    throw new Error(`${file}: ${result.issues[0]?.message ?? 'It does not fit its schema.'}`)
  const Content = (): ReactNode => (isJson ? null : drawMarkdown(loaded))
  return { slug, data: result ? result.value : fields, Content }
}

function drawMarkdown({ default: Markdown, pictures }: EntryModule): ReactNode {
  const components = { ...known.components, img: pictureOf(pictures) }
  // MDX compiles to components
  const text = createElement(Markdown as Component, { components })
  return createElement('div', { className: 'prose', dir: 'auto' }, text)
}
