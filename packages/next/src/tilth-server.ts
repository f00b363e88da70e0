import { type TilthConfig, warnOnce } from './config'
import type { Sender } from './sender'
import type { Visit } from './visit'

/** The answer of `POST /_tilth/visit`. */
interface VisitAnswer extends Pick<
  Visit,
  'isCrawler' | 'isPreview' | 'exposureSeed' | 'flags' | 'payloads' | 'serverOnly'
> {
  visitor: string | null
  isNew: boolean
}

export interface VisitContext {
  url: string
  visitor: string | undefined
  deviceId: string | undefined
  preview: string | undefined
  sender: Sender
}

/** After a failure, pages do not wait for Tilth for this long. */
const pauseMs = 5000
let pausedUntil = 0

/** Asks for the visitor and every decision; undefined if Tilth does not answer in time. Never throws. */
export async function askForVisit(
  context: VisitContext,
  config: TilthConfig,
): Promise<VisitAnswer | undefined> {
  if (Date.now() < pausedUntil) return undefined
  const { project: key, visitors, deadlineMs } = config
  try {
    const response = await post('visit', { ...context, key, visitors }, config, deadlineMs)
    // the format is documented in docs/sdk-tilth.md
    if (response.ok) return (await response.json()) as VisitAnswer
    if (response.status < 500) warnOnce(await refusalIn(response))
  } catch {
    // away, or too late
  }
  pausedUntil = Date.now() + pauseMs
  return undefined
}

async function refusalIn(response: Response): Promise<string> {
  // every refusal is an object that says why
  const { error = '' } = (await response.json()) as { error?: string }
  return `Tilth answers ${response.status}: ${error}`
}

export interface ServerEvent {
  uuid: string
  name: string
  props?: Readonly<Record<string, unknown>>
}

/** Each attempt takes this long at most. */
const sendMs = 5000
/** The pauses before further attempts, while Tilth is away or busy. Platforms end what runs longer after a response. */
const retryPausesMs = [500, 2000]

/** Records events of a visitor. What cannot be sent is lost, as a view is in a browser that is closed. */
export async function sendEvents(
  events: readonly ServerEvent[],
  {
    visitor,
    url,
    referrer,
    sender,
  }: { visitor: string | undefined; url: string; referrer?: string; sender: Sender },
  config: TilthConfig,
): Promise<void> {
  const now = Date.now()
  const stamped = events.map((event) => ({ ...event, time: now }))
  const message = {
    key: config.project,
    url,
    referrer,
    distinctId: visitor,
    sender,
    sentAt: now,
    events: stamped,
  }
  for (const waitMs of [0, ...retryPausesMs]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (await isReceived(message, config)) return
  }
}

/** Whether Tilth has the events, or will refuse them every time. Their uuids keep them from being counted twice. */
async function isReceived(message: object, config: TilthConfig): Promise<boolean> {
  try {
    const { status } = await post('event', message, config, sendMs)
    return status < 500
  } catch {
    return false
  }
}

const post = (
  what: 'visit' | 'event',
  body: object,
  { address, secretKey }: TilthConfig,
  deadlineMs: number,
): Promise<Response> =>
  fetch(`${address}/_tilth/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    signal: AbortSignal.timeout(deadlineMs),
  })
