import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Envelope } from '../events/event'
import type { IngestRules } from '../ingest/settings'
import { newUuid } from '../ingest/uuid'
import { networkOf } from '../projects/origin'
import type { Undone } from '../projects/problems'
import { visitorIn } from '../visits/cookie'
import type { Desk } from '../wire/dialect'
import type { World } from '../world/world'
import type { Arrival } from './arrival'
import type { Body } from './body'
import { type AskedField, answerRefused, type HonestPage, refusedPages } from './honest-page'
import { refuse } from './refusals'
import { type FormRead, type Kept, type Sender, type SiteForm, siteForms } from './site-form-kinds'
import { openTurnstile, type Turnstile } from './turnstile'

/** Where the forms of a site's pages are sent, by their kind. */
export const formsAddress = '/_tilth/forms'

/** More than anybody writes into a form of ours. */
export const mostFormBytes = 64 * 1024

/** What forms need of the product; events are taken in by the front alone. */
interface FormGround extends Omit<Kept, 'now' | 'published'> {
  /** Whose site is at a host, and how it tells its visitors apart. */
  published: Kept['published'] & { siteAt(host: string): FormSite | undefined }
  intake: FormDesk | undefined
}

interface FormDesk extends Pick<Desk, 'takeTogether'> {
  house: {
    world: World
    rulesOf: (projectId: number) => Pick<IngestRules, 'optOut'>
  }
}

interface FormSite {
  projectId: number
  isOn: boolean
  visitors: 'daily' | 'cookie'
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  arrival: Arrival
}

/** So many from one network: a whole office may sign up after a talk, and nobody sends a hundred. */
export const openFormTurnstile = (): Turnstile => openTurnstile({ most: 30, perMs: 10 * 60_000 })

/**
 * What a visitor sent with a form of a page. It works without any script: then the visitor is sent back to the page, or
 * gets the form again with what was written into it and what is to be mended.
 */
export async function answerForm(
  exchange: Exchange,
  body: Body,
  ground: FormGround | undefined,
  maySend: Turnstile,
): Promise<void> {
  const { request, response, arrival } = exchange
  if (!ground?.intake) return refuse(request, response, 'starting', 'page')
  const form = siteForms.get(arrival.path.slice(formsAddress.length + 1))
  const site = ground.published.siteAt(arrival.host)
  if (!form || !site?.isOn) return answerRefused(request, response, refusedPages[404])
  const fields = await fieldsIn(request, await body.read())
  if (!fields) return answerRefused(request, response, refusedPages[400])

  const read = form.read(fields)
  const back = backTo(fields.get('back') ?? request.headers.referer, arrival)
  if (!read.isRight) return comeBack(exchange, form, fields, { ...toMend, mistakes: read.mistakes })
  // a field that nobody sees is filled in by programs alone: they are told what they want to hear
  if (fields.get(trap)) return sendBack(exchange, read, back)
  if (!maySend(networkOf(arrival.client))) return comeBack(exchange, form, fields, tooMany)
  const objection = await keep(read, { ...ground, desk: ground.intake }, site)
  if (objection) return comeBack(exchange, form, fields, objection)
  const isTaken = await take(exchange, read, { desk: ground.intake, site, back })
  if (isTaken) sendBack(exchange, read, back)
  else comeBack(exchange, form, fields, notNow)
}

/** Why what was sent cannot be written down; nothing is, of most forms. */
async function keep(
  read: Right,
  { desk, published, comments }: Pick<FormGround, 'published' | 'comments'> & { desk: FormDesk },
  { projectId }: FormSite,
): Promise<Why | undefined> {
  const kept = await read.keep?.({ published, comments, now: desk.house.world.now() }, projectId)
  return kept && !kept.done ? { ...toMend, advice: saidIn(kept) } : undefined
}

const saidIn = ({ problems }: Undone): string => problems.map(({ message }) => message).join(' ')

const trap = 'website'

/** Only texts: a form of ours has no files. */
async function fieldsIn({ headers }: IncomingMessage, bytes: Buffer): Promise<URLSearchParams | undefined> {
  const type = headers['content-type'] ?? ''
  try {
    const said = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    const texts = [...said].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new URLSearchParams(texts)
  } catch {
    return undefined
  }
}

/** The page that the form stands on: on this site, whatever the form says. */
function backTo(said: string | undefined, { protocol, host }: Arrival): URL {
  const home = new URL('/', `${protocol}://${host}`)
  const page = URL.parse(said ?? '', home)
  if (page?.origin !== home.origin) return home
  page.pathname = page.pathname.replace(/^\/+/, '/')
  page.searchParams.delete('sent')
  page.hash = ''
  return page
}

type Right = Extract<FormRead, { isRight: true }>

async function take(
  exchange: Exchange,
  read: Right,
  { desk, site, back }: { desk: FormDesk; site: FormSite; back: URL },
): Promise<boolean> {
  const { world } = desk.house
  const envelope = envelopeOf(exchange, site, world.now())
  const visit = visitOf(exchange, site, desk.house.rulesOf(site.projectId).optOut, envelope)
  const deliveries = read.deliveries({ visit, page: back.href, newId: () => newUuid(world), envelope })
  return (await desk.takeTogether(deliveries)).taken
}

const envelopeOf = (
  { request: { headers }, arrival: { client } }: Exchange,
  { projectId }: FormSite,
  receivedAt: Date,
): Envelope => ({
  projectId,
  dialect: 'site',
  receivedAt,
  sentAt: undefined,
  address: client,
  userAgent: headers['user-agent'] ?? '',
  language: headers['accept-language'],
  optedOut: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
  fromServer: false,
  isHistorical: false,
})

/** As their views are counted. */
function visitOf(
  { request: { headers } }: Exchange,
  { visitors }: FormSite,
  optOut: IngestRules['optOut'],
  { optedOut }: Envelope,
): Sender['visit'] {
  const mayBeFollowed = !optedOut || optOut === 'ignore'
  const visitor = visitors === 'cookie' && mayBeFollowed ? visitorIn(headers.cookie) : undefined
  return visitor === undefined ? { visitor: '', isCookieless: true } : { visitor, isCookieless: false }
}

/** The fragment names the form, which then shows that it was sent: without a script, and on a page that is the same for all. */
function sendBack({ request, response }: Exchange, { form }: Right, back: URL): void {
  if (wantsJson(request)) return answerJson(response, 200, { sent: true })
  const page = new URL(back)
  page.searchParams.set('sent', form)
  page.hash = `form-${form}`
  response
    .writeHead(303, {
      location: page.href.slice(page.origin.length),
      'cache-control': 'no-store',
      'content-length': 0,
    })
    .end()
}

interface Why extends Pick<HonestPage, 'status' | 'title' | 'advice' | 'headers'> {
  mistakes?: Readonly<Record<string, string>>
}

const toMend: Why = {
  status: 422,
  title: 'Something is to be mended',
  advice: 'Nothing was sent yet, and nothing you wrote is lost.',
}

const tooMany: Why = {
  status: 429,
  title: 'Too much was sent from your network',
  advice: 'Wait some minutes, then send this again: what you wrote is still here.',
  headers: { 'retry-after': '600' },
}

const notNow: Why = {
  status: 503,
  title: 'This cannot be taken right now',
  advice: 'Send it again in a little while: what you wrote is still here.',
  headers: { 'retry-after': '5' },
}

/** Everything that was written, to be sent once more. */
function comeBack({ request, response }: Exchange, form: SiteForm, fields: URLSearchParams, why: Why): void {
  const { mistakes = {}, ...page } = why
  if (wantsJson(request))
    return answerJson(response, why.status, { sent: false, mistakes, problem: why.advice }, why.headers)
  const asked = form.fields.flatMap(({ name, label, isLong }): AskedField[] => {
    const [first = '', ...others] = fields.getAll(name)
    const mistake = mistakes[name]
    return [
      { name, value: first, label, mistake, isLong },
      ...others.map((value) => ({ name, value, label })),
    ]
  })
  answerRefused(request, response, { ...page, ask: 'Send', fields: asked })
}

const wantsJson = ({ headers: { accept = '' } }: IncomingMessage): boolean =>
  accept.includes('application/json') && !accept.includes('text/html')

function answerJson(
  response: ServerResponse,
  status: number,
  said: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(said)
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}
