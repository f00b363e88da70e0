import { setTimeout as pause } from 'node:timers/promises'
import { createSearch, type PostSearch, type SearchedPost } from '#posts/search'
import type { KitManifest, KitPage } from './kit-manifest'
import type { KitOutcome, KitQueries, KitRenderer } from './kit-renderer'
import type { KitPageParams, RenderedKit, RenderInput } from './protocol'

/** A page of the site folder at one address, as the sitemap, `llms.txt` and searching know it. */
export interface ListedPage {
  address: string
  /** '' if it has none. */
  title: string
  description: string
  changedAt: Date | undefined
  /** Its addresses by language, with its own; empty where it is in one alone. */
  languages: Readonly<Record<string, string>>
}

/** The values that pages get while they are listed. */
interface ListingContext {
  /** The settings of the site, a prop of each page. */
  site: unknown
  questions: KitQueries
}

interface PageList {
  pages: readonly ListedPage[]
  /** False while the pages of a newer build are still read. */
  isCurrent: boolean
  /** The time until generated addresses are read again; undefined where there are none. */
  maxAgeSeconds?: number | undefined
}

/** The text is searched; it is '' until the page has been rendered. */
interface SearchedPage extends SearchedPost {
  page: ListedPage
}

interface Listing {
  build: string
  readAt: number
  /** Whether addresses come from `generateStaticParams`, which may ask another server. */
  isGenerated: boolean
  entries: readonly ListedEntry[]
  /** The index of titles and texts, once it is made. */
  search?: PostSearch<SearchedPage>
  indexing?: Promise<void>
}

interface ListedEntry extends PageAddress {
  page: ListedPage
}

interface PageAddress extends KitPage {
  params: KitPageParams
  /** Whether it has no parameters. */
  isFixed: boolean
}

interface ListedPagesSettings {
  renderer: Pick<KitRenderer, 'manifest' | 'render'>
  onTrouble: (problem: unknown) => void
  now?: () => number
  maxWaitMs?: number
}

/** The front allows pages ten seconds. */
const usualMaxWaitMs = 5000
/** The age at which generated addresses are read again. */
const generatedMaxAgeMs = 600_000
const maxSearchedLetters = 20_000

/**
 * The pages of the site folder with their titles, at all addresses that are known: those without parameters, and those
 * that `generateStaticParams` lists. They are read when they are first needed, once for each build, for a visitor
 * without decisions.
 */
export class ListedPages {
  private latest: Listing | undefined
  private reading: { build: string; done: Promise<void> } | undefined

  constructor(private readonly settings: ListedPagesSettings) {}

  async list(context: ListingContext): Promise<PageList> {
    const { manifest } = this.settings.renderer
    if (!manifest || manifest.pages.length === 0) return { pages: [], isCurrent: true }
    if (!this.isFresh(manifest)) {
      const reading = this.readOrJoin(manifest, context)
      if (this.latest?.build !== manifest.id) await this.waitFor(reading)
    }
    const { latest } = this
    if (!latest) return { pages: [], isCurrent: false }
    const ageMs = this.now() - latest.readAt
    return {
      pages: latest.entries.map(({ page }) => page),
      isCurrent: latest.build === manifest.id,
      maxAgeSeconds: latest.isGenerated
        ? Math.max(1, Math.ceil((generatedMaxAgeMs - ageMs) / 1000))
        : undefined,
    }
  }

  /** Returns pages by words, the best match first. While their texts are read, it knows the titles. */
  async search(words: string, context: ListingContext): Promise<ListedPage[]> {
    await this.list(context)
    const { latest } = this
    if (!latest) return []
    latest.indexing ??= this.index(latest, context)
    await this.waitFor(latest.indexing)
    const search = latest.search ?? (await createSearch(latest.entries.map(searchedPage('')), nextTurn))
    return (await search(words)).map(({ page }) => page)
  }

  private get maxWaitMs(): number {
    return this.settings.maxWaitMs ?? usualMaxWaitMs
  }

  private readonly now = (): number => (this.settings.now ?? Date.now)()

  private isFresh({ id }: KitManifest): boolean {
    const { latest } = this
    if (latest?.build !== id) return false
    return !latest.isGenerated || this.now() - latest.readAt < generatedMaxAgeMs
  }

  private async waitFor(reading: Promise<void>): Promise<void> {
    const deadline = new AbortController()
    const tooLate = pause(this.maxWaitMs, undefined, { signal: deadline.signal }).catch(() => {})
    await Promise.race([reading, tooLate])
    deadline.abort()
  }

  private readOrJoin(manifest: KitManifest, context: ListingContext): Promise<void> {
    if (this.reading?.build === manifest.id) return this.reading.done
    const done = this.read(manifest, context)
      .catch(this.settings.onTrouble)
      .finally(() => {
        if (this.reading?.done === done) this.reading = undefined
      })
    this.reading = { build: manifest.id, done }
    return done
  }

  private async read(manifest: KitManifest, context: ListingContext): Promise<void> {
    const readAt = this.now()
    const entries: ListedEntry[] = []
    for (const address of await this.addressesOf(manifest, context)) {
      // a list of entries is as old as its newest one, which only rendering tells
      const isWhole = address.isFixed && Object.keys(manifest.entries ?? {}).length > 0
      const outcome = await this.render(address, context, isWhole ? undefined : 'metadata')
      if (outcome.done && !outcome.rendered.exit && !outcome.rendered.metadata.isHidden)
        entries.push({ ...address, page: listedPage(address, outcome.rendered, manifest) })
    }
    if (this.settings.renderer.manifest?.id !== manifest.id) return
    const isGenerated = manifest.pages.some(isDynamic)
    this.latest = { build: manifest.id, readAt, isGenerated, entries }
  }

  /** Returns each address once: a page without parameters precedes the others. */
  private async addressesOf({ pages }: KitManifest, context: ListingContext): Promise<PageAddress[]> {
    const found = new Map<string, PageAddress>()
    for (const page of pages)
      if (!isDynamic(page)) found.set(page.address, { ...page, params: {}, isFixed: true })
    for (const page of pages.filter(isDynamic)) {
      const outcome = await this.render({ ...page, params: {}, isFixed: false }, context, 'params')
      const all = (outcome.done && outcome.rendered.params) || []
      for (const params of all) {
        const address = addressWith(page, params)
        if (address === undefined)
          this.settings.onTrouble(
            new Error(`generateStaticParams of ${page.file} leaves a part of ${page.address} out.`),
          )
        else if (!found.has(address)) found.set(address, { ...page, address, params, isFixed: false })
      }
    }
    return [...found.values()]
  }

  private async render(
    { file, address, params }: PageAddress,
    { site, questions }: ListingContext,
    only?: RenderInput['only'],
  ): Promise<KitOutcome> {
    const visit = { path: address, decisions: {}, payloads: {}, withheld: [] }
    const props = { params, site }
    const input: RenderInput = { file, isPage: true, prefix: 'p', props, parts: [], visit, only }
    const outcome = await this.settings.renderer.render(input, questions)
    if (!outcome.done) this.settings.onTrouble(new Error(`${file} is not listed: ${outcome.failure.message}`))
    return outcome
  }

  /** Renders one page after the other, so that those that visitors wait for come between. */
  private async index(listing: Listing, context: ListingContext): Promise<void> {
    const searched: SearchedPage[] = []
    for (const entry of listing.entries) {
      const outcome = await this.render(entry, context)
      searched.push(searchedPage(outcome.done ? textOf(outcome.rendered.html) : '')(entry))
    }
    listing.search = await createSearch(searched, nextTurn)
  }
}

const nextTurn = (): Promise<void> => pause(0)

const isDynamic = ({ address }: KitPage): boolean => address.includes('[')

/** Undefined if a part of the address has no value. */
function addressWith({ address }: KitPage, params: KitPageParams): string | undefined {
  const parts = address.split('/').map((part) => {
    const [, isRest, name] = /^\[(\.\.\.)?(\w+)\]$/.exec(part) ?? []
    if (name === undefined) return part
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    const values = typeof value === 'string' ? [value] : isRest ? (value ?? []) : []
    return values.includes('') ? '' : values.map(encodeURIComponent).join('/')
  })
  return parts.slice(1).includes('') ? undefined : parts.join('/')
}

function listedPage(
  { address, changedAt }: PageAddress,
  { metadata, entries: files = [] }: RenderedKit,
  { entries = {} }: KitManifest,
): ListedPage {
  const { title = '', description = '', updatedAt, languages = {} } = metadata
  const changes = [changedAt, ...files.map((file) => entries[file])].filter((time) => time !== undefined)
  const latest = changes.toSorted().at(-1)
  return {
    address,
    title,
    description,
    changedAt: updatedAt ?? (latest === undefined ? undefined : new Date(latest)),
    languages,
  }
}

const searchedPage =
  (body: string) =>
  ({ page }: ListedEntry): SearchedPage => ({
    id: page.address,
    title: page.title,
    excerpt: page.description,
    tags: [],
    body: body.slice(0, maxSearchedLetters),
    page,
  })

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** The text of what React has written, which escapes these signs only. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
