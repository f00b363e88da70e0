import type { IncomingMessage } from 'node:http'
import type { Envelope } from '#events/event'
import { parseVisitorCookie } from '#ingest/cookies'
import { mayBeIdentified } from '#ingest/request-visitor'
import type { IngestRules } from '#ingest/settings'
import { newUuid } from '#ingest/uuid'
import { networkOf } from '#projects/origin'
import type { FailedOutcome, Outcome } from '#projects/problems'
import type { WireServices } from '#wire/dialect'
import type { World } from '#world/world'
import type { TrustedRequest, Exchange } from '#http/trusted-request'
import type { RequestBody } from '#http/body'
import { type ErrorPageField, answerRefused, type ErrorPage, refusedPages } from '#http/error-page'
import { answerJson } from '#http/json-response'
import { formParts, isMultipart, mostFields } from '#http/page-forms'
import type { Product } from '#server/product'
import { formEnvelope } from './internal/form-envelope'
import {
  type FormReadResult,
  type FormStores,
  type FormSender,
  type SiteForm,
  siteForms,
} from './internal/site-form-kinds'
import { openRateLimiter, type RateLimiter } from '#world/rate-limiter'

/** The path that forms of a site's pages are sent to, followed by their kind. */
export const formsPath = '/_tilth/forms'

/** The dependencies of forms. Only the front server ingests events. */
interface FormDependencies extends Omit<FormStores, 'now' | 'published'> {
  /** Finds the site of a host and its way of identifying visitors. */
  published: FormStores['published'] & { siteAt(host: string): FormSite | undefined }
  intake: FormIntake
}

/** The dependencies of forms in a product that collects events. */
export const formsOf = (
  { posts: { published, comments }, letters: { subscriptions } }: Pick<Product, 'posts' | 'letters'>,
  intake: FormIntake,
): FormDependencies => ({ published, comments, subscriptions, intake })

interface FormIntake extends Pick<WireServices, 'acceptTogether'> {
  context: {
    world: World
    rulesOf: (projectId: number) => Pick<IngestRules, 'optOut'>
  }
}

interface FormSite {
  projectId: number
  isOn: boolean
  visitors: 'daily' | 'cookie'
}

/** Limits forms by network: a whole office may sign up after a talk, but does not send a hundred forms. */
export const openFormRateLimiter = (): RateLimiter => openRateLimiter({ limit: 30, windowMs: 10 * 60_000 })

/**
 * Answers a form of a page. Without scripts the visitor is redirected back to the page, or gets the form again with the
 * entered values and the mistakes.
 */
export async function answerForm(
  exchange: Exchange,
  body: RequestBody,
  dependencies: FormDependencies,
  maySend: RateLimiter,
): Promise<void> {
  const { request, response, trustedRequest } = exchange
  const form = siteForms.get(trustedRequest.path.slice(formsPath.length + 1))
  const site = dependencies.published.siteAt(trustedRequest.host)
  if (!form || !site?.isOn) return answerRefused(request, response, refusedPages[404])
  const fields = await fieldsIn(request, await body.read())
  if (!fields) return answerRefused(request, response, refusedPages[400])

  const read = form.read(fields)
  const back = returnUrl(fields.get('back') ?? request.headers.referer, trustedRequest)
  if (!read.isRight)
    return showFormAgain(exchange, form, fields, { ...invalidObjection, mistakes: read.mistakes })
  // only programs fill in the hidden field: they get the answer of a success
  if (fields.get(honeypotField)) return redirectBack(exchange, read, back)
  if (!maySend(networkOf(trustedRequest.client)))
    return showFormAgain(exchange, form, fields, rateLimitObjection)
  const { intake } = dependencies
  const sender = senderOf(exchange, { intake, site, back })
  const kept = await writeDown(read, dependencies, sender)
  if (!kept.done)
    return showFormAgain(exchange, form, fields, { ...invalidObjection, advice: messageOf(kept) })
  const { taken: isTaken } = await intake.acceptTogether(read.deliveries(sender))
  if (isTaken) redirectBack(exchange, read, back, kept.confirms)
  else showFormAgain(exchange, form, fields, unavailableObjection)
}

/** Stores the data of a form; returns the problems if it cannot. Most forms store none. */
async function writeDown(
  read: ValidForm,
  { intake, published, comments, subscriptions }: FormDependencies,
  sender: FormSender,
): Promise<Outcome<{ confirms?: boolean }>> {
  const stores = { published, comments, subscriptions, now: intake.context.world.now() }
  return (await read.keep?.(stores, sender)) ?? { done: true }
}

const messageOf = ({ problems }: FailedOutcome): string => problems.map(({ message }) => message).join(' ')

const honeypotField = 'website'

/** Only text fields: these forms have no files. */
async function fieldsIn({ headers }: IncomingMessage, bytes: Buffer): Promise<URLSearchParams | undefined> {
  const type = headers['content-type'] ?? ''
  if (isMultipart(headers) && !formParts(bytes, type, mostFields.visitors)) return undefined
  try {
    const parsed = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    const texts = [...parsed].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new URLSearchParams(texts)
  } catch {
    return undefined
  }
}

/** The page with the form: always on this site, whatever the form contains. */
function returnUrl(requested: string | undefined, { protocol, host }: TrustedRequest): URL {
  const home = new URL('/', `${protocol}://${host}`)
  const page = URL.parse(requested ?? '', home)
  if (page?.origin !== home.origin) return home
  page.pathname = page.pathname.replace(/^\/+/, '/')
  page.searchParams.delete('sent')
  page.hash = ''
  return page
}

type ValidForm = Extract<FormReadResult, { isRight: true }>

function senderOf(
  exchange: Exchange,
  { intake, site, back }: { intake: FormIntake; site: FormSite; back: URL },
): FormSender {
  const { world } = intake.context
  const envelope = formEnvelope(exchange, site.projectId, world.now())
  const visit = visitOf(exchange, site, intake.context, envelope)
  return { visit, page: back.href, newId: () => newUuid(world), envelope }
}

/** Creates the visit in the same way as page views do. */
function visitOf(
  { request: { headers } }: Exchange,
  { visitors }: FormSite,
  context: FormIntake['context'],
  envelope: Envelope,
): FormSender['visit'] {
  const mayHaveCookie = visitors === 'cookie' && mayBeIdentified(envelope, context)
  const visitor = mayHaveCookie ? parseVisitorCookie(headers.cookie) : undefined
  return visitor === undefined ? { visitor: '', isCookieless: true } : { visitor, isCookieless: false }
}

/** The fragment names the form, which then shows that it was sent: without a script, and on a cached page. */
function redirectBack(
  { request, response }: Exchange,
  { form }: ValidForm,
  back: URL,
  confirms = false,
): void {
  if (wantsJson(request)) return answerJson(response, 200, { sent: true, ...(confirms && { confirms }) })
  const page = new URL(back)
  page.searchParams.set('sent', form)
  page.hash = `${confirms ? 'confirm' : 'form'}-${form}`
  response
    .writeHead(303, {
      location: page.href.slice(page.origin.length),
      'cache-control': 'no-store',
      'content-length': 0,
    })
    .end()
}

interface FormObjection extends Pick<ErrorPage, 'status' | 'title' | 'advice' | 'headers'> {
  mistakes?: Readonly<Record<string, string>>
}

const invalidObjection: FormObjection = {
  status: 422,
  title: 'Check the form',
  advice: 'Nothing was sent yet. Your text is still here.',
}

const rateLimitObjection: FormObjection = {
  status: 429,
  title: 'Too many requests from your network',
  advice: 'Wait a few minutes, then send this again. Your text is still here.',
  headers: { 'retry-after': '600' },
}

const unavailableObjection: FormObjection = {
  status: 503,
  title: 'This cannot be sent right now',
  advice: 'Try again in a moment. Your text is still here.',
  headers: { 'retry-after': '5' },
}

/** Shows the form again with all entered values. */
function showFormAgain(
  { request, response }: Exchange,
  form: SiteForm,
  fields: URLSearchParams,
  objection: FormObjection,
): void {
  const { mistakes = {}, ...page } = objection
  if (wantsJson(request))
    return answerJson(
      response,
      objection.status,
      { sent: false, mistakes, problem: objection.advice },
      objection.headers,
    )
  const pageFields = form.fields.flatMap(({ name, label, isLong }): ErrorPageField[] => {
    const [first = '', ...others] = fields.getAll(name)
    const mistake = mistakes[name]
    return [
      { name, value: first, label, error: mistake, isLong },
      ...others.map((value) => ({ name, value, label })),
    ]
  })
  answerRefused(request, response, { ...page, submitLabel: 'Send', fields: pageFields })
}

const wantsJson = ({ headers: { accept = '' } }: IncomingMessage): boolean =>
  accept.includes('application/json') && !accept.includes('text/html')
