import { hash } from 'node:crypto'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { ConnectionLostError } from '#outbound/local-server'
import { findKitPage } from '#site-kit/find-kit-page'
import { formActionMark } from '#site-kit/protocol'
import { siteParts } from '#wire/tracker-scripts'
import type { LocalCall } from '../call-running-tilth'
import { fileOf, isPagePath, linksIn, staticPath, withPictureCopies, withStaticLinks } from './links'
import type { StaticFolder } from './static-folder'
import {
  combinationsOf,
  type ShownValues,
  decisionsTag,
  type VariedFlag,
  withOrderedHead,
  withTag,
} from './page-variants'

interface PublicationSettings {
  projectId: number
  /** The address at which the site will be published. */
  origin: string
  /** The address at which browsers reach Tilth. */
  server: string
  /** The key with which its script sends events. */
  writeKey: string
  call: LocalCall
  folder: Pick<StaticFolder, 'add' | 'has'>
  /** The pauses before a page that is not ready is requested again. */
  pausesMs?: readonly number[]
}

/** The notes of a publication about its pages. */
export interface PublicationNotes {
  pages: number
  /** Features that need a server, each with a page that lacks it. */
  omitted: Map<string, string>
  /** Addresses of the site folder's routes, which need a server as well. */
  routes: Set<string>
  /** Links that lead nowhere, with a page that has them. */
  deadLinks: Map<string, string>
  /** Pages that differ by more combinations of flags than are published. */
  originalsOnly: Set<string>
  /** Former addresses, and where they lead. */
  redirects: Map<string, string>
  /** Paths that Tilth could not render, each with the reason. */
  failed: Map<string, string>
}

/** The paths at which the crawl of a site begins; everything else is found by links. */
const beginnings = [
  '/',
  '/blog',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/blog.json',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
]

/** An address that no page has. */
const missingPath = '/no-such-page-in-any-site'
const concurrency = 4
/** A page that takes long the first time, and a pages process that restarts, are ready after that. */
const usualPausesMs = [500, 1500, 4000, 8000]
/** A Tilth that is not ready for so many requests in a row is not asked for all others. */
const maxUnreadyInRow = 40

const renderedPage = z.object({
  status: z.number(),
  type: z.string(),
  location: z.string().optional(),
  body: z.string().transform((text) => Buffer.from(text, 'base64')),
  uses: z.array(z.object({ key: z.string(), values: z.array(z.union([z.boolean(), z.string()])) })),
  routes: z.array(z.string()),
})
type RenderedPage = z.infer<typeof renderedPage>

const omittedPart = /<template data-omitted="([^"]*)"><\/template>/g

/** Fetches every file of a site, from page to page, and adds each to the folder. */
export class SitePublication {
  readonly notes: PublicationNotes = {
    pages: 0,
    omitted: new Map(),
    routes: new Set(),
    deadLinks: new Map(),
    originalsOnly: new Set(),
    redirects: new Map(),
    failed: new Map(),
  }
  /** Paths that wait, each with a page that names it. */
  private readonly waiting = new Map<string, string>()
  private readonly known = new Set<string>()
  private unreadyInRow = 0
  /** The addresses of narrower copies of pictures at Tilth, by their paths here. */
  private readonly pictureCopies = new Map<string, string>()

  constructor(private readonly settings: PublicationSettings) {}

  /** `former` are addresses that may redirect. */
  async collect(former: readonly string[]): Promise<void> {
    for (const path of [...beginnings, ...former]) this.want(path, '')
    const workers = await Promise.allSettled(Array.from({ length: concurrency }, () => this.work()))
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
    // a worker that found nothing to do may have ended before another found links
    await this.work()
    await this.noteFailure('/404.html', () => this.addMissingPage())
    await this.work()
    const [failure] = this.notes.failed
    if (this.notes.pages === 0 && failure)
      throw new PublicationError(`Tilth could not render ${failure[0]}: ${failure[1]}`)
    await this.addRedirects()
  }

  private async addMissingPage(): Promise<void> {
    const { body } = await this.render(missingPath, {})
    await this.addHtml('404.html', missingPath, String(body))
  }

  /** Notes why a path could not be rendered; all others are published. */
  private async noteFailure(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (problem) {
      if (!(problem instanceof FailedPathError)) throw problem
      this.notes.failed.set(path, problem.message)
    }
  }

  private want(path: string, from: string): void {
    if (this.known.has(path)) return
    this.known.add(path)
    this.waiting.set(path, from)
  }

  private async work(): Promise<void> {
    for (const [path, from] of this.waiting) {
      this.waiting.delete(path)
      try {
        await this.noteFailure(path, () => this.fetch(path, from))
      } catch (problem) {
        // the others end as well
        this.waiting.clear()
        throw problem
      }
    }
  }

  private async fetch(path: string, from: string): Promise<void> {
    const file = fileOf(path)
    if (file === undefined || this.settings.folder.has(file)) return
    const isRendered = isPagePath(path) || !path.startsWith('/_')
    if (isRendered) await this.addPage(path, file, from)
    else await this.addAsset(path, file, from)
  }

  private async addPage(path: string, file: string, from: string): Promise<void> {
    const page = await this.render(path, {})
    for (const route of page.routes) this.notes.routes.add(route)
    if (page.location !== undefined) return void this.notes.redirects.set(path, page.location)
    // feeds of a site without posts are there; a former address that leads nowhere is no link
    if (page.status !== 200) return this.noteDeadLink(path, from, page)
    if (!page.type.startsWith('text/html')) return await this.addFile(path, file, page.type, page.body)
    this.notes.pages += 1
    const tag = page.uses.length > 0 ? await this.addVariants(path, page) : undefined
    const html = String(page.body)
    await this.addHtml(file, path, tag === undefined ? html : withTag(html, tag))
  }

  private noteDeadLink(path: string, from: string, { routes }: RenderedPage): void {
    const isRoute = findKitPage(
      routes.map((address) => ({ address, file: '' })),
      path,
    )
    if (from !== '' && !isRoute) this.notes.deadLinks.set(path, from)
  }

  /** Adds a file for each combination of decisions that looks different, and returns the tag that chooses among them. */
  private async addVariants(path: string, original: RenderedPage): Promise<string | undefined> {
    let uses: readonly VariedFlag[] = original.uses
    // a variant may show flags that the original does not
    for (;;) {
      const combinations = combinationsOf(uses)
      if (!combinations) {
        this.notes.originalsOnly.add(path)
        return undefined
      }
      const pages = new Map<ShownValues, RenderedPage>()
      for (const decisions of combinations) pages.set(decisions, await this.render(path, decisions))
      const found = [...pages.values()].flatMap((page) => page.uses)
      const more = found.filter(({ key }, at) => found.findIndex((one) => one.key === key) === at)
      if (more.length > uses.length) uses = more
      else return await this.addCombinations(path, uses, pages)
    }
  }

  private async addCombinations(
    path: string,
    uses: readonly VariedFlag[],
    pages: ReadonlyMap<ShownValues, RenderedPage>,
  ): Promise<string> {
    const { writeKey, server, folder } = this.settings
    const files = new Map<ShownValues, { file?: string; uses: string[] }>()
    let originalHtml: string | undefined
    for (const [decisions, page] of pages) {
      const html = this.finishedHtml(path, withTag(String(page.body), ''))
      originalHtml ??= html
      const file = `_tilth/variants/${hash('sha256', html, 'hex').slice(0, 20)}.html`
      const isOriginal = html === originalHtml
      if (!isOriginal && !folder.has(file)) await folder.add(file, Buffer.from(html))
      files.set(decisions, {
        ...(!isOriginal && { file: `/${file}` }),
        uses: page.uses.map(({ key }) => key),
      })
    }
    this.want('/_tilth/site-decide.js', path)
    return decisionsTag({ project: writeKey, server: `${server}/_tilth/`, uses, files })
  }

  private async addHtml(file: string, path: string, html: string): Promise<void> {
    await this.settings.folder.add(file, Buffer.from(this.finishedHtml(path, html)))
  }

  /** The page as a file, whose links are wanted as well. */
  private finishedHtml(path: string, html: string): string {
    const { origin } = this.settings
    for (const [, what = ''] of html.matchAll(omittedPart)) this.noteOmitted(what, path)
    if (html.includes(formActionMark)) this.noteOmitted('the action of a form', path)
    const complete = withPictureCopies(html.replaceAll(omittedPart, ''), this.pictureCopies)
    const finished = withStaticLinks(withOrderedHead(complete), origin, true)
    this.wantAll(linksIn(finished, 'text/html', path, origin), path)
    if (html.includes('/_tilth/site')) {
      const parts = siteParts.filter((part) => !part.includes('survey'))
      this.wantAll(['/_tilth/site-files.js', ...parts.map((part) => `/_tilth/${part}.js`)], path)
    }
    if (html.includes('data-language="mermaid"'))
      this.wantAll(['/_tilth/diagram-frame.html', '/_tilth/diagram-frame.js'], path)
    return finished
  }

  private noteOmitted(what: string, path: string): void {
    if (!this.notes.omitted.has(what)) this.notes.omitted.set(what, path)
  }

  private wantAll(paths: Iterable<string>, from: string): void {
    for (const path of paths)
      this.want(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, from)
  }

  private async addAsset(path: string, file: string, from: string): Promise<void> {
    const { status, type, bytes } = await this.whenReady(() => this.asset(path))
    if (status !== 200) return void this.notes.deadLinks.set(path, from)
    await this.addFile(path, file, type, bytes)
  }

  private async asset(path: string): Promise<{ status: number; type: string; bytes: Buffer }> {
    const parts: Buffer[] = []
    const output = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part)
        done()
      },
    })
    const address = this.pictureCopies.get(path) ?? path
    const { status, headers } = await this.settings.call({ method: 'GET', path: address, output })
    if (status >= 500) throw new FailedPathError(`HTTP ${status}`, true)
    return { status, type: headers['content-type'] ?? '', bytes: Buffer.concat(parts) }
  }

  private async addFile(path: string, file: string, type: string, bytes: Buffer): Promise<void> {
    const { origin, folder } = this.settings
    const isText = /^text\/(?:css|javascript)|javascript|xml|json|^text\/(?:plain|markdown)/.test(type)
    const isOfSite = isText && !path.startsWith('/_')
    const text = isText ? String(bytes) : ''
    // files below /_ know no address of the site
    const finished = isOfSite ? withStaticLinks(text, origin, false) : text
    if (isText) this.wantAll(linksIn(finished, type, path, origin), path)
    await folder.add(file, isOfSite ? Buffer.from(finished) : bytes)
  }

  /** Writes redirects into the file `_redirects` for servers that know it, and as pages for all others. */
  private async addRedirects(): Promise<void> {
    const { folder, origin } = this.settings
    const lines: string[] = []
    for (const [from, to] of this.notes.redirects) {
      const url = new URL(to, origin)
      const target = url.origin === origin ? staticPath(url.pathname) + url.search + url.hash : url.href
      lines.push(`${from} ${target} 301`)
      const file = fileOf(from)
      if (file !== undefined && !folder.has(file))
        await folder.add(file, Buffer.from(redirectHtml(target, origin)))
    }
    if (lines.length > 0) await folder.add('_redirects', Buffer.from(`${lines.toSorted().join('\n')}\n`))
  }

  private async render(path: string, decisions: ShownValues): Promise<RenderedPage> {
    return await this.whenReady(() => this.renderNow(path, decisions))
  }

  /** Tries again, after pauses, what could not be rendered or was lost with its connection. */
  private async whenReady<Done>(attempt: () => Promise<Done>): Promise<Done> {
    for (const pauseMs of this.settings.pausesMs ?? usualPausesMs) {
      try {
        return await this.counted(attempt)
      } catch (problem) {
        if (!(problem instanceof FailedPathError || problem instanceof ConnectionLostError)) throw problem
      }
      await pause(pauseMs)
    }
    return await this.counted(attempt)
  }

  private async counted<Done>(attempt: () => Promise<Done>): Promise<Done> {
    try {
      const done = await attempt()
      this.unreadyInRow = 0
      return done
    } catch (problem) {
      const isUnready = problem instanceof FailedPathError && problem.isUnready
      this.unreadyInRow = isUnready ? this.unreadyInRow + 1 : 0
      if (isUnready && this.unreadyInRow >= maxUnreadyInRow)
        throw new PublicationError(
          `Tilth was not ready ${maxUnreadyInRow} times in a row: ${problem.message}.`,
        )
      throw problem
    }
  }

  private async renderNow(path: string, decisions: ShownValues): Promise<RenderedPage> {
    const { projectId, origin, server, call } = this.settings
    const request = { project: projectId, path: renderedPath(path), origin, server, decisions }
    const { status, body } = await call({
      method: 'POST',
      path: '/_tilth/static-page',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(request)),
    })
    if (status >= 500) throw new FailedPathError(reasonIn(body), true)
    if (status !== 200) throw new PublicationError(`Tilth could not render ${path}: ${reasonIn(body)}`)
    const page = renderedPage.parse(JSON.parse(body))
    if (page.status >= 500) throw new FailedPathError(`it answered ${page.status}; the log of Tilth says why`)
    return page
  }
}

/** Tilth could not render one path. */
class FailedPathError extends Error {
  override readonly name = 'FailedPathError'
  constructor(
    message: string,
    /** Whether another path would have failed, too. */
    readonly isUnready = false,
  ) {
    super(message)
  }
}

function reasonIn(body: string): string {
  try {
    return refusal.parse(JSON.parse(body)).error
  } catch {
    return body.slice(0, 300)
  }
}

const refusal = z.object({ error: z.string() })

/** A publication ended before it changed a file. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError'
}

/** Later pages of a list, and parts of a large site map, are chosen by queries where they are rendered. */
const renderedPath = (path: string): string =>
  path.replace(/^(.*)\/page\/(\d+)$/, '$1?page=$2').replace(/^\/sitemap-(\d+)\.xml$/, '/sitemap.xml?part=$1')

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function redirectHtml(target: string, origin: string): string {
  const to = escapeHtml(target)
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${to}</title><meta name="robots" content="noindex">` +
    `<link rel="canonical" href="${escapeHtml(new URL(target, origin).href)}">` +
    `<meta http-equiv="refresh" content="0; url=${to}"></head><body><a href="${to}">${to}</a></body></html>\n`
  )
}
