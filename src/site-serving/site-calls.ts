import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestBody } from '#http/body'
import { answerRefused, answerUnavailable, refusedPages, type UnavailableReason } from '#http/error-page'
import { formParts, isMultipart, mostFields } from '#http/page-forms'
import { cleanHeaders, type Exchange, type RequestToAnswer } from '#http/trusted-request'
import { isOwnFile, isReservedPath } from '#posts/addresses'
import type { Site } from '#posts/site'
import { networkOf } from '#projects/origin'
import {
  calledHeader,
  callHeader,
  callPath,
  formHeader,
  type FormResult,
  type KitCallAnswer,
  readCallAnswer,
  redirectTarget,
  writeMessage,
} from '#site-kit/call-messages'
import { findKitPage, type FoundKitPage } from '#site-kit/find-kit-page'
import { problemText } from '#site-kit/kit-manifest'
import type { SiteKit } from '#site-kit/site-kit'
import { visitHeader, writeVisit } from '#visits/visit'
import type { StartedVisit, Visits } from '#visits/visits'
import { Slots } from '#world/slots'
import type { World } from '#world/world'
import { headersForCall, headersOfAnswer } from './internal/call-headers'
import { sendCachedPage } from './internal/cached-response'
import { errorPagePath } from './internal/error-pages'
import type { PageCache } from './internal/page-cache'
import type { PagesProcess } from './pages-process'
import { pageRequestOf, visitRequestOf } from './site-request'

interface SiteCallsDependencies {
  kit: Pick<SiteKit, 'state'>
  /** The project whose site the folder is. */
  projectId: () => number | undefined
  siteAt: (host: string) => Site | undefined
  visits: Pick<Visits, 'begin'>
  pages: Pick<PagesProcess, 'render'>
  cache: Pick<PageCache, 'find'>
  world: Pick<World, 'now'>
}

/** Calls at once, and those of one network: with many slow ones it holds a part of the slots, and the others wait in turn. */
const slotRules = { atOnce: 48, perOwner: 16, maxWaiting: 400, maxOfOwner: 150, maxWaitMs: 8000 }

interface CallResult {
  answer: KitCallAnswer
  body: Buffer
}

/** Sends what visitors and programs ask of the site folder itself to its modules: routes, and forms of its pages. */
export class SiteCalls {
  private readonly slots = new Slots<string>(slotRules)

  constructor(private readonly dependencies: SiteCallsDependencies) {}

  /** The file `route.ts` that answers a request, if there is one. */
  routeAt(request: RequestToAnswer): FoundKitPage | undefined {
    const { manifest } = this.dependencies.kit.state()
    if (!manifest || manifest.routes.length === 0) return undefined
    const found = this.find(request, [...manifest.routes, ...manifest.pages])
    return manifest.routes.some(({ file }) => file === found?.file) ? found : undefined
  }

  /** The page that a form is sent to, if the site folder has one there. */
  formAt(request: RequestToAnswer): FoundKitPage | undefined {
    if (request.request.method !== 'POST') return undefined
    const { manifest } = this.dependencies.kit.state()
    return manifest && this.find(request, manifest.pages)
  }

  async answerRoute(exchange: Exchange, body: RequestBody, route: FoundKitPage): Promise<void> {
    const { request, response } = exchange
    // it would decide over every address of this host, the studio included
    if (request.headers['service-worker'] !== undefined)
      return answerRefused(request, response, { ...refusedPages[404], status: 403 })
    const result = await this.call('route', exchange, await body.read(), route)
    if (result === undefined || response.destroyed) return
    if (typeof result === 'string') return answerUnavailable(request, response, result)
    const { answer } = result
    if (answer.kind === 'response') return sendAnswer(exchange, answer, result.body)
    if (answer.kind === 'exit') return sendExit(exchange, answer.exit)
    const problem = answer.kind === 'failed' ? answer.problem : undefined
    if (!problem) return answerRefused(request, response, refusedPages[500])
    const text = Buffer.from(`${problemText(problem)}\n`)
    sendAnswer(exchange, { status: 500, headers: [['content-type', 'text/plain; charset=utf-8']] }, text)
  }

  /** Calls the action of a form without a script. What it returns is shown in its page, by this response. */
  async answerForm(exchange: Exchange, body: RequestBody, page: FoundKitPage): Promise<void> {
    const { request, response } = exchange
    const bytes = await body.read()
    if (!isForm(request.headers, bytes)) return answerRefused(request, response, refusedPages[400])
    const result = await this.call('form', exchange, bytes, page)
    if (result === undefined || response.destroyed) return
    if (typeof result === 'string') return answerUnavailable(request, response, result)
    const { answer } = result
    switch (answer.kind) {
      case 'done':
        return sendSeeOther(exchange, redirectTarget(request.url ?? '/') ?? '/')
      case 'exit':
        if (answer.exit.status !== 404) return sendSeeOther(exchange, answer.exit.location)
        return await this.showPage(exchange, { isMissing: true })
      case 'state':
        return await this.showPage(exchange, { state: answer.state })
      case 'failed':
        return await this.showFailure(exchange, answer.problem && { problem: answer.problem })
      default:
        answerRefused(request, response, refusedPages[400])
    }
  }

  private find(
    { trustedRequest: { host, path: written } }: RequestToAnswer,
    pages: Parameters<typeof findKitPage>[0],
  ): FoundKitPage | undefined {
    const path = plainPath(written)
    if (path === undefined || isTaken(path)) return undefined
    const found = findKitPage(pages, path)
    const site = found && this.dependencies.siteAt(host)
    return site?.isOn && site.projectId === this.dependencies.projectId() ? found : undefined
  }

  /** Undefined where the client left while its request waited. */
  private async call(
    kind: 'route' | 'form',
    exchange: Exchange,
    body: Buffer,
    { file, params }: FoundKitPage,
  ): Promise<CallResult | UnavailableReason | undefined> {
    const { request, response, trustedRequest } = exchange
    const { protocol, host } = trustedRequest
    const visit = writeVisit(this.beginVisit(exchange).visit)
    cleanHeaders(request, trustedRequest)
    const { method = 'GET', url = '/', headers } = request
    const address = { method, url: `${protocol}://${host}${url}`, headers: headersForCall(headers) }
    const left = new AbortController()
    response.once('close', () => left.abort())
    const release = await this.slots
      .enter(networkOf(trustedRequest.client), left.signal)
      .catch(() => 'left' as const)
    if (release === 'left') return undefined
    if (!release) return 'busy'
    try {
      const rendered = await this.dependencies.pages.render({
        path: callPath,
        body,
        headers: {
          host,
          'content-type': 'application/octet-stream',
          'content-length': body.length,
          'x-forwarded-host': host,
          'x-forwarded-proto': protocol,
          'x-request-id': trustedRequest.requestId,
          'x-tilth-address': url,
          [visitHeader]: visit,
          [callHeader]: writeMessage({ kind, file, params, request: address }),
        },
      })
      if (typeof rendered === 'string') return rendered
      const called = rendered.headers[calledHeader]
      if (typeof called !== 'string') return 'failed'
      return { answer: readCallAnswer(called), body: rendered.body }
    } finally {
      release()
    }
  }

  private beginVisit({ request, trustedRequest }: RequestToAnswer): StartedVisit {
    const { siteAt, visits, world } = this.dependencies
    const site = siteAt(trustedRequest.host)
    if (!site) throw new Error('The site was turned off while a request for it was read.')
    return visits.begin(visitRequestOf({ request, trustedRequest }, site, world.now()))
  }

  private async showPage(
    exchange: Exchange,
    result: FormResult | undefined,
    failedAt?: { path: string; status: number },
  ): Promise<void> {
    const { request, response } = exchange
    const started = this.beginVisit(exchange)
    const pageRequest = pageRequestOf(exchange, started.visit)
    const headers = { ...pageRequest.headers, ...(result && { [formHeader]: writeMessage(result) }) }
    const { path = pageRequest.path, status } = failedAt ?? {}
    const served = await this.dependencies.cache.find({ ...pageRequest, path, headers, isShared: false })
    if (response.destroyed) return
    if (typeof served === 'string') return answerUnavailable(request, response, served)
    const page = status === undefined ? served.page : { ...served.page, status }
    sendCachedPage({ ...served, page }, request, response, {
      visit: started.visit,
      headers: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
    })
  }

  /** The page of a team at work says what is wrong. */
  private async showFailure(exchange: Exchange, problem: FormResult | undefined): Promise<void> {
    const { path } = exchange.trustedRequest
    await this.showPage(exchange, problem, { path: problem ? path : errorPagePath, status: 500 })
  }
}

/** Returns the path as its parts are meant; undefined for one that means another path to other programs. */
function plainPath(written: string): string | undefined {
  const parts = written.split('/').map((part) => decodeURIComponent(part).normalize('NFC'))
  // oxlint-disable-next-line no-control-regex -- those are meant
  const isPlain = parts.every((part) => !/^\.{1,2}$|[/\\\u0000-\u001f\u007f]/.test(part))
  return isPlain ? parts.join('/') : undefined
}

/** Whether Tilth itself answers at a path, so that no parameter of the folder reaches it. */
const isTaken = (path: string): boolean =>
  path.startsWith('/blog/') || path.startsWith('/_') || isReservedPath(path) || isOwnFile(path)

function isForm(headers: Exchange['request']['headers'], bytes: Buffer): boolean {
  const type = headers['content-type'] ?? ''
  if (isMultipart(headers)) return formParts(bytes, type, mostFields.visitors) !== undefined
  return /^application\/x-www-form-urlencoded\b/i.test(type)
}

function sendAnswer(
  { request, response }: Exchange,
  { status, headers: given }: { status: number; headers: Parameters<typeof headersOfAnswer>[0] },
  body: Buffer,
): void {
  const headers = headersOfAnswer(given)
  const location = headers['location']
  if (location !== undefined) headers['location'] = redirectTarget(location) ?? '/'
  const isWithout = status === 204 || status === 304
  response.writeHead(status, { ...headers, ...(!isWithout && { 'content-length': body.length }) })
  response.end(isWithout || request.method === 'HEAD' ? undefined : body)
}

function sendExit(exchange: Exchange, exit: { status: 404 } | { status: 307 | 308; location: string }): void {
  if (exit.status === 404) return answerRefused(exchange.request, exchange.response, refusedPages[404])
  sendRedirect(exchange, exit.status, exit.location)
}

const sendSeeOther = (exchange: Exchange, location: string): void => sendRedirect(exchange, 303, location)

function sendRedirect({ response }: Exchange, status: number, location: string): void {
  const headers: OutgoingHttpHeaders = { location, 'cache-control': 'no-store', 'content-length': 0 }
  response.writeHead(status, headers).end()
}
