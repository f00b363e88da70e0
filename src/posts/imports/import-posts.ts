import type { Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import { pathOf, slugProblem } from '../addresses'
import type { Authors } from '../authors'
import { imagePath, type Images, type StoredImage } from '../images'
import { addressOf, type Picture, type Post, type PostState, slugOf } from '../post'
import { limits } from '../post-schema'
import type { Posts } from '../posts'
import type { Redirects } from '../redirects'
import { type ConvertedText, convertHtml } from './internal/html-to-markdown'
import type { ImportedContent, ImportedPost } from './imported-content'

export interface PostImportDependencies {
  posts: Pick<Posts, 'list' | 'createAsOf' | 'change' | 'publish' | 'stateOf'>
  authors: Pick<Authors, 'list' | 'create'>
  redirects: Pick<Redirects, 'list' | 'create'>
  images: Pick<Images, 'keep'>
  now: () => Date
}

export interface PostImportOptions {
  /** Reports what would be done, and changes nothing. */
  isPreview?: boolean
  /** Loads a picture; without it, pictures stay where they are. */
  download?: ((address: string) => Promise<Outcome<{ bytes: Uint8Array }>>) | undefined
}

interface Noted {
  title: string
  note: string
}

/** The result of an import, done or previewed. */
export interface PostImportReport {
  created: { title: string; address: string; state: PostState }[]
  /** Posts of an earlier run: they are as they were. */
  existing: { title: string; address: string }[]
  refused: { title: string; problems: string[] }[]
  /** Losses in posts that were taken. */
  notes: Noted[]
  skipped: ImportedContent['skipped']
  authors: string[]
  redirects: number
  pictures: { kept: number; elsewhere: number; failed: { address: string; why: string }[] }
}

/** Imports posts by the rights of a viewer. What is there already is left alone, so that a second run changes nothing. */
export async function importPosts(
  dependencies: PostImportDependencies,
  projectId: number,
  content: ImportedContent,
  viewer: Viewer,
  options: PostImportOptions = {},
): Promise<PostImportReport> {
  const run = new PostImport(dependencies, projectId, viewer, options)
  return await run.importAll(content)
}

class PostImport {
  private readonly report: PostImportReport = {
    created: [],
    existing: [],
    refused: [],
    notes: [],
    skipped: [],
    authors: [],
    redirects: 0,
    pictures: { kept: 0, elsewhere: 0, failed: [] },
  }
  /** The slugs of authors by their names. */
  private readonly authorSlugs = new Map<string, string>()
  private readonly images = new Map<string, StoredImage | undefined>()
  private readonly takenHere = new Set<string>()

  constructor(
    private readonly dependencies: PostImportDependencies,
    private readonly projectId: number,
    private readonly viewer: Viewer,
    private readonly options: PostImportOptions,
  ) {}

  async importAll(content: ImportedContent): Promise<PostImportReport> {
    const { posts, redirects } = this.dependencies
    const { projectId, viewer } = this
    const present = [
      ...(await posts.list(projectId, viewer)),
      ...(await posts.list(projectId, viewer, { state: 'archived' })),
    ]
    const existing = new Map(present.map((post) => [addressOf(post), post]))
    await this.findAuthors(content)
    const redirected = new Set((await redirects.list(projectId, viewer)).map(({ from }) => from))
    for (const imported of content.posts) {
      const { slug, found, other } = this.freeSlug(imported, existing)
      const post = other ? asDraft(imported, addressNote(addressOf(other), slug)) : imported
      const isPublic = found
        ? await this.keepExisting(post, found, content.origin)
        : await this.create(post, slug, content.origin)
      if (isPublic) await this.redirectOld(imported.oldPaths, { kind: imported.kind, slug }, redirected)
    }
    return { ...this.report, skipped: [...content.skipped] }
  }

  /**
   * Addresses are made in the order of the file, so that a second run makes the same. One that another post has is passed
   * over; `found` is this post, from an earlier run.
   */
  private freeSlug(
    imported: ImportedPost,
    existing: ReadonlyMap<string, Post>,
  ): { slug: string; found: Post | undefined; other: Post | undefined } {
    const { kind, slug, title } = imported
    const wanted = tidySlug(kind, slug) || slugOf(title) || kind
    const allowed = slugProblem(kind, wanted) === undefined ? wanted : `${wanted}-${kind}`
    let other: Post | undefined
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? allowed : `${allowed}-${number}`
      if (this.takenHere.has(`${kind} ${candidate}`)) continue
      const found = existing.get(addressOf({ kind, slug: candidate }))
      if (found && !isSame(imported, found)) {
        other = found
        continue
      }
      this.takenHere.add(`${kind} ${candidate}`)
      return { slug: candidate, found, other }
    }
  }

  private async findAuthors({ posts, authors: described }: ImportedContent): Promise<void> {
    const { authors } = this.dependencies
    const existing = await authors.list(this.projectId, this.viewer)
    for (const name of new Set(posts.flatMap((post) => post.authors.map((one) => lineOf(one, 80))))) {
      const known = existing.find((author) => author.name === name || author.slug === slugOf(name))
      if (known) this.authorSlugs.set(name, known.slug)
      else if (name !== '') await this.createAuthor(name, described.find((one) => one.name === name)?.bio)
    }
  }

  private async createAuthor(name: string, bio = ''): Promise<void> {
    this.report.authors.push(name)
    if (this.options.isPreview) return
    const input = { name, bio: bio.slice(0, 1000) }
    const outcome = await this.dependencies.authors.create(this.projectId, input, this.viewer)
    if (outcome.done) this.authorSlugs.set(name, outcome.author.slug)
    else this.refuse(name, outcome.problems)
  }

  /** Returns whether the post is public, so that its old address may lead to it. */
  private async create(given: ImportedPost, slug: string, origin: string | undefined): Promise<boolean> {
    const title = titleOf(given)
    const text = convertHtml(given.html, origin)
    if (!text) return this.refuse(title, [{ message: 'Its text is too long, or nested too deeply.' }])
    const imported = text.pathPictures.length > 0 ? asDraft(given, pathPicturesNote) : given
    const input = {
      ...(await this.inputOf(imported, text, origin)),
      kind: imported.kind,
      slug,
      title,
    }
    const created = imported.createdAt ?? imported.publishedAt ?? this.dependencies.now()
    const dates = {
      publishedAt: imported.publishedAt,
      createdAt: created,
      changedAt: imported.changedAt ?? imported.publishedAt ?? created,
    }
    const state = this.dependencies.posts.stateOf({ ...dates, archivedAt: undefined })
    if (!this.options.isPreview) {
      const outcome = await this.dependencies.posts.createAsOf(this.projectId, input, dates, this.viewer)
      if (!outcome.done) return this.refuse(title, outcome.problems)
    }
    this.report.created.push({ title, address: addressOf({ kind: imported.kind, slug }), state })
    for (const note of notesOn(imported, text)) this.report.notes.push({ title, note })
    return imported.publishedAt !== undefined
  }

  private async inputOf(imported: ImportedPost, text: ConvertedText, origin: string | undefined) {
    const addresses = await this.addressesOf(text.pictures)
    const { metaTitle, metaDescription, canonical, tags, authors, excerpt, isFeatured } = imported
    return {
      body: text.markdown(addresses),
      excerpt: excerpt.replaceAll('\0', '').trim().slice(0, 1000),
      tags: tags
        .map((tag) => lineOf(tag, 60))
        .filter((tag) => slugOf(tag) !== '')
        .slice(0, limits.tags),
      authors: authors
        .flatMap((name) => this.authorSlugs.get(lineOf(name, 80)) ?? [])
        .slice(0, limits.authors),
      isFeatured,
      metaTitle: lineOf(metaTitle, 200),
      metaDescription: metaDescription.trim().slice(0, 500),
      canonical: /^https?:\/\//.test(canonical) && URL.canParse(canonical) ? canonical.slice(0, 500) : '',
      cover: await this.coverOf(imported, origin),
    }
  }

  /** A post that is there already gets its pictures, if they were left where they are. */
  private async keepExisting(
    imported: ImportedPost,
    found: Post,
    origin: string | undefined,
  ): Promise<boolean> {
    this.report.existing.push({ title: found.title, address: addressOf(found) })
    const isPublic = found.publishedAt !== undefined && imported.publishedAt !== undefined
    const text = convertHtml(imported.html, origin)
    if (!text || found.source === 'folder' || found.archivedAt) return isPublic
    if (this.waitsForPictures(imported, found, text))
      return await this.complete(imported, found, text, origin)
    if (this.options.download) await this.bringPictures(text, found)
    return isPublic
  }

  /** Whether a post is a draft only because an earlier run did not know where its pictures are, and as that run left it. */
  private waitsForPictures(imported: ImportedPost, found: Post, text: ConvertedText): boolean {
    if (this.options.isPreview || found.version !== 1 || found.publishedAt || !imported.publishedAt)
      return false
    const without = convertHtml(imported.html, undefined)
    return text.pathPictures.length === 0 && (without?.pathPictures.length ?? 0) > 0
  }

  private async complete(
    imported: ImportedPost,
    found: Post,
    text: ConvertedText,
    origin: string | undefined,
  ): Promise<boolean> {
    const { posts } = this.dependencies
    const { body, cover } = await this.inputOf(imported, text, origin)
    const change = { body, ...(cover && { cover }), note: picturesNote }
    const changed = await posts.change(this.projectId, found.id, change, this.viewer)
    if (!changed.done) return this.refuse(found.title, changed.problems)
    const at = imported.publishedAt?.toISOString()
    const published = await posts.publish(this.projectId, found.id, { at }, this.viewer)
    if (!published.done) return this.refuse(found.title, published.problems)
    this.report.notes.push({
      title: found.title,
      note: 'Its pictures have their addresses: it is published.',
    })
    return true
  }

  private async bringPictures(text: ConvertedText, found: Post): Promise<void> {
    const elsewhere = text.pictures.filter((address) => found.body.includes(`](${address}`))
    const addresses = await this.addressesOf(elsewhere)
    if (addresses.size === 0) return
    const body = [...addresses].reduce(
      (written, [from, to]) => written.replaceAll(`](${from}`, `](${to}`),
      found.body,
    )
    await this.dependencies.posts.change(this.projectId, found.id, { body, note: picturesNote }, this.viewer)
  }

  private async addressesOf(pictures: readonly string[]): Promise<Map<string, string>> {
    const addresses = new Map<string, string>()
    for (const address of pictures) {
      const image = await this.imageOf(address)
      if (image) addresses.set(address, `${imagePath(image.file)}#${image.width}x${image.height}`)
    }
    return addresses
  }

  private async coverOf(
    { title, cover }: ImportedPost,
    origin: string | undefined,
  ): Promise<Picture | undefined> {
    const address = cover && URL.parse(cover.address, origin)?.href
    const image = address === undefined ? undefined : await this.imageOf(address)
    if (cover && !image) this.report.notes.push({ title, note: `Its cover is not taken: ${cover.address}.` })
    return (
      cover &&
      image && {
        address: imagePath(image.file),
        alt: lineOf(cover.alt, 500),
        width: image.width,
        height: image.height,
      }
    )
  }

  /** Each picture is loaded once. */
  private async imageOf(address: string): Promise<StoredImage | undefined> {
    const { download, isPreview } = this.options
    if (!download || isPreview) {
      this.report.pictures.elsewhere++
      return undefined
    }
    if (this.images.has(address)) return this.images.get(address)
    const loaded = await download(address)
    const name = decodeName(address)
    const kept = loaded.done
      ? await this.dependencies.images.keep(this.projectId, { name, bytes: loaded.bytes }, this.viewer)
      : loaded
    if (kept.done) this.report.pictures.kept++
    else this.report.pictures.failed.push({ address, why: kept.problems.map((one) => one.message).join(' ') })
    this.images.set(address, kept.done ? kept.image : undefined)
    return kept.done ? kept.image : undefined
  }

  private async redirectOld(
    oldPaths: readonly string[],
    post: Pick<Post, 'kind' | 'slug'>,
    redirected: Set<string>,
  ): Promise<void> {
    for (const old of oldPaths) {
      const [from, to] = [pathOf(old), addressOf(post)]
      if (from === to || from === '/' || redirected.has(from)) continue
      redirected.add(from)
      this.report.redirects++
      if (this.options.isPreview) continue
      const outcome = await this.dependencies.redirects.create(this.projectId, { from: old, to }, this.viewer)
      if (outcome.done) continue
      this.report.redirects--
      this.report.notes.push({
        title: to,
        note: `${from} does not lead to it: ${messagesOf(outcome.problems)}`,
      })
    }
  }

  private refuse(title: string, problems: readonly { message: string }[]): false {
    this.report.refused.push({ title, problems: problems.map(({ message }) => message) })
    return false
  }
}

const titleOf = ({ title }: ImportedPost): string => lineOf(title, 200) || 'Untitled'

/** Whether a post is the imported one, of an earlier run. Its title may have been changed since, its date of creation not. */
const isSame = (imported: ImportedPost, found: Post): boolean =>
  found.title === titleOf(imported) ||
  found.createdAt.getTime() === (imported.createdAt ?? imported.publishedAt)?.getTime()

const asDraft = (imported: ImportedPost, note: string): ImportedPost => ({
  ...imported,
  publishedAt: undefined,
  createdAt: imported.createdAt ?? imported.publishedAt,
  changedAt: imported.changedAt ?? imported.publishedAt,
  notes: [...imported.notes, note],
})

const addressNote = (taken: string, slug: string): string =>
  `Another post has its address ${taken}: it is a draft, at “${slug}”.`

const pathPicturesNote =
  'Its pictures are named without their site: it is kept as a draft. Run the same command with --url and the address of the old site.'

const picturesNote = 'Pictures of the old site were uploaded.'

const messagesOf = (problems: readonly { message: string }[]): string =>
  problems.map(({ message }) => message).join(' ')

function notesOn({ notes, title, excerpt }: ImportedPost, { dropped }: ConvertedText): string[] {
  const lost = [...dropped].map(([what, count]) => (count === 1 ? `1 ${what}` : `${count} × ${what}`))
  return [
    ...notes,
    ...(lost.length > 0 ? [`Markdown has no form for: ${lost.join(', ')}.`] : []),
    ...(title.length > 200 || excerpt.length > 1000 ? ['Its title or excerpt is cut.'] : []),
  ]
}

/** Each part of an address becomes one that is allowed here. */
const tidySlug = (kind: Post['kind'], slug: string): string =>
  (kind === 'page' ? slug.split('/') : [slug])
    .map((part) => slugOf(pathOf(part)))
    .filter(Boolean)
    .join('/')

/** A text on one line, of at most so many characters. */
const lineOf = (text: string, longest: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .trim()

const decodeName = (address: string): string =>
  pathOf(URL.parse(address)?.pathname ?? '')
    .split('/')
    .at(-1) ?? ''
