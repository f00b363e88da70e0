import { addressOf, type Post } from './post'

/** A page, or a folder of pages, in the contents of a documentation. */
export interface DocEntry {
  title: string
  /** Undefined for a folder without a page of its own. */
  address: string | undefined
  isCurrent: boolean
  entries: readonly DocEntry[]
}

/** A page before or after another. */
interface DocLink {
  title: string
  address: string
}

interface DocVersion {
  name: string
  /** The same page in that version, or else its first one. */
  address: string
  isCurrent: boolean
}

/** The pages and folders in the folder of a page, with its neighbours. */
export interface DocContents {
  entries: readonly DocEntry[]
  previous: DocLink | undefined
  next: DocLink | undefined
  /** The newest first; empty where folders name no versions. */
  versions: readonly DocVersion[]
  /** The address of the page in the newest version, on pages of older ones. */
  newest: string | undefined
  /** The address of the newest version, only where that version has the same page: search engines prefer it. */
  canonical: string | undefined
}

type DocPage = Pick<Post, 'slug' | 'title'> & Partial<Pick<Post, 'order' | 'language'>>

/** The folder of a page, and its version: `docs/v2/start` is `start` in version `v2` of `docs`. */
interface DocPlace {
  root: readonly string[]
  version: string | undefined
}

const isVersion = (part: string | undefined): boolean => part !== undefined && /^v\d+(?:[.-]\d+)*$/.test(part)

/**
 * Returns the contents of the folder that a page is in; undefined for the home page, and for a page that stands alone.
 * Folders such as `v1` and `v2` are versions, each with contents of its own.
 */
export function docContents(
  page: DocPage,
  pages: readonly DocPage[],
  siteLanguage?: string,
): DocContents | undefined {
  const place = placeOf(page)
  if (!place) return undefined
  const sameLanguage = pages.filter(
    ({ language = siteLanguage }) => language === (page.language ?? siteLanguage),
  )
  const below = sameLanguage.filter(({ slug }) => isBelow(slug, place.root))
  const names = versionsIn(below, place.root)
  const shown = membersOf(below, place)
  const isAlone = shown.length < 2 && place.version === undefined
  const members =
    isAlone && names[0] !== undefined ? membersOf(below, { ...place, version: names[0] }) : shown
  if (members.length < 2 && names.length < 2) return undefined

  const base = isAlone && names[0] !== undefined ? [...place.root, names[0]] : folderOf(place)
  const entries = entriesOf(members, base, page.slug)
  const versions = names.map((name) => ({
    name,
    address: addressIn(name, page, place, below),
    isCurrent: name === place.version,
  }))
  const isOld = place.version !== undefined && place.version !== names[0]
  const newest = isOld ? versions[0]?.address : undefined
  const canonical = newest === undefined ? undefined : sameIn(names[0] ?? '', page, place, below)
  return { entries, versions, newest, canonical, ...neighboursIn(entries) }
}

/** A translation may stand in a folder named as its language: `de/docs/start`. */
function placeOf({ slug, language }: DocPage): DocPlace | undefined {
  const parts = slug.split('/')
  const lead = parts[0] !== '' && parts[0] === language?.toLowerCase() ? 1 : 0
  const [first, second] = parts.slice(lead)
  if (!first) return undefined
  const base = parts.slice(0, lead)
  if (isVersion(first)) return { root: base, version: first }
  return { root: [...base, first], version: isVersion(second) ? second : undefined }
}

const folderOf = ({ root, version }: DocPlace): string[] =>
  version === undefined ? [...root] : [...root, version]

function isBelow(slug: string, folder: readonly string[]): boolean {
  const path = folder.join('/')
  return path === '' || slug === path || slug.startsWith(`${path}/`)
}

/** The parts of a slug after those of a folder. */
const partsWithin = (slug: string, folder: readonly string[]): string[] =>
  slug
    .split('/')
    .slice(folder.length)
    .filter((part) => part !== '')

function membersOf(below: readonly DocPage[], place: DocPlace): DocPage[] {
  if (place.version !== undefined) return below.filter(({ slug }) => isBelow(slug, folderOf(place)))
  return below.filter(({ slug }) => !isVersion(partsWithin(slug, place.root)[0]))
}

function versionsIn(below: readonly DocPage[], root: readonly string[]): string[] {
  const names = below.map(({ slug }) => partsWithin(slug, root)[0]).filter((name) => name !== undefined)
  return [...new Set(names.filter(isVersion))].toSorted((one, other) =>
    other.localeCompare(one, 'en', { numeric: true }),
  )
}

/** The page that stands for this one in a version. */
function addressIn(version: string, page: DocPage, place: DocPlace, below: readonly DocPage[]): string {
  const same = place.version === undefined ? undefined : sameIn(version, page, place, below)
  if (same !== undefined) return same
  const folder = [...place.root, version]
  const members = membersOf(below, { root: place.root, version })
  return linksIn(entriesOf(members, folder, ''))[0]?.address ?? `/${folder.join('/')}`
}

function sameIn(
  version: string,
  page: DocPage,
  place: DocPlace,
  below: readonly DocPage[],
): string | undefined {
  const wanted = [...place.root, version, ...partsWithin(page.slug, folderOf(place))].join('/')
  const same = below.find(({ slug }) => slug === wanted)
  return same && pageAddress(same)
}

const pageAddress = ({ slug }: DocPage): string => addressOf({ kind: 'page', slug })

/** The page of the folder itself comes first; the others are ordered by `order`, then by title. */
function entriesOf(members: readonly DocPage[], folder: readonly string[], current: string): DocEntry[] {
  const path = folder.join('/')
  const own = members.filter(({ slug }) => slug === path)
  const others = members.filter(({ slug }) => slug !== path)
  const byName = Map.groupBy(others, ({ slug }) => partsWithin(slug, folder)[0] ?? '')
  const nodes = [...byName].map(([name, within]) => nodeOf(name, within, folder, current))
  return [...own.map((page) => leafOf(page, current)), ...nodes.toSorted(inOrder).map(({ entry }) => entry)]
}

interface DocNode {
  order: number
  entry: DocEntry
}

function nodeOf(
  name: string,
  within: readonly DocPage[],
  folder: readonly string[],
  current: string,
): DocNode {
  const inside = [...folder, name]
  const [first, ...others] = entriesOf(within, inside, current)
  const page = within.find(({ slug }) => slug === inside.join('/'))
  const order = page?.order ?? (page ? Infinity : Math.min(...within.map((one) => one.order ?? Infinity)))
  if (page && first) return { order, entry: { ...first, entries: others } }
  const entries = first ? [first, ...others] : others
  return { order, entry: { title: titleOf(name), address: undefined, isCurrent: false, entries } }
}

const leafOf = (page: DocPage, current: string): DocEntry => ({
  title: page.title,
  address: pageAddress(page),
  isCurrent: page.slug === current,
  entries: [],
})

const inOrder = (one: DocNode, other: DocNode): number =>
  one.order === other.order
    ? one.entry.title.localeCompare(other.entry.title, 'en', { numeric: true })
    : one.order - other.order

/** "getting-started" becomes "Getting started". */
const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const linksIn = (entries: readonly DocEntry[]): (DocLink & Pick<DocEntry, 'isCurrent'>)[] =>
  entries.flatMap(({ title, address, isCurrent, entries: inside }) => [
    ...(address === undefined ? [] : [{ title, address, isCurrent }]),
    ...linksIn(inside),
  ])

function neighboursIn(entries: readonly DocEntry[]): Pick<DocContents, 'previous' | 'next'> {
  const links = linksIn(entries)
  const index = links.findIndex(({ isCurrent }) => isCurrent)
  if (index === -1) return { previous: undefined, next: links[0] && linkOf(links[0]) }
  const [previous, next] = [links[index - 1], links[index + 1]]
  return { previous: previous && linkOf(previous), next: next && linkOf(next) }
}

const linkOf = ({ title, address }: DocLink): DocLink => ({ title, address })
