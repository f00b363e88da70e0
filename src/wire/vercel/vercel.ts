import type { Envelope, IncomingEvent, Properties } from '../../events/event'
import { droppedHeader, openToAll } from '../answers'
import type { Desk, Dialect, Route, WireAnswer, WireRequest } from '../dialect'
import { envelopeOf, laterAnswer, noteUnknown, projectFor } from '../trackers/arrivals'
import { textIn } from '../trackers/said'
import { scriptAnswer, type ScriptName, type Scripts } from '../trackers/scripts'
import { isProperties, unpacked } from '../unpack'
import { eventOf, visitorBehind } from './insights'
import { pageOfVitals, vitalsOf } from './vitals'

const name = 'vercel'

/**
 * Vercel's Web Analytics and Speed Insights. Their packages ask the host for these scripts: below `/_vercel`, which is a
 * prefix as any other here, or below whatever base path they are configured with.
 */
export const vercel = (scripts: Scripts): Dialect => {
  const script = (path: Route['path'], which: ScriptName): Route => ({
    methods: ['GET'],
    path,
    answer: (request) => scriptAnswer(scripts.text(which), request),
  })
  return {
    name,
    routes: [
      script('/insights/script.js', 'vercel-insights'),
      { methods: ['POST'], path: '/insights/view', answer: receiveInsight },
      { methods: ['POST'], path: '/insights/event', answer: receiveInsight },
      // where visitors of Vercel's get a cookie; ours get none
      { methods: ['GET'], path: '/_vercel/insights/session', answer: () => answer(200, 'OK') },
      script('/speed-insights/script.js', 'vercel-speed'),
      { methods: ['POST'], path: '/speed-insights/vitals', answer: receiveVitals },
    ],
  }
}

const receiveInsight = (request: WireRequest, desk: Desk): Promise<WireAnswer> =>
  receive(request, desk, {
    page: (said) => textIn(said, 'o'),
    events: (said) => [eventOf(said)],
    sender: visitorBehind(request),
  })

const receiveVitals = (request: WireRequest, desk: Desk): Promise<WireAnswer> =>
  receive(request, desk, { page: pageOfVitals, events: vitalsOf, sender: {} })

/** What the two products differ in. */
interface Reading {
  page: (said: Properties) => string | undefined
  events: (said: Properties) => IncomingEvent[]
  sender: Partial<Envelope> & { properties?: Properties }
}

async function receive(request: WireRequest, desk: Desk, reading: Reading): Promise<WireAnswer> {
  const body = unpacked(request)
  if (!body.read || !isProperties(body.what)) {
    desk.noteRefusal({ dialect: name, reason: 'unreadable' })
    return answer(400, body.read ? 'The body is not an object.' : body.detail)
  }
  const [page, dsn] = [reading.page(body.what), textIn(body.what, 'dsn')]
  const project = projectFor(desk, [dsn], page)
  if (!project) {
    noteUnknown(desk, name, dsn ?? page)
    return answer(404, 'This page belongs to no project. Add its host in Settings → Project.')
  }

  const { properties, ...sender } = reading.sender
  const events = reading.events(body.what).map((event) => about(event, properties))
  const receipt = await desk.take(events, envelopeOf(request, project, { dialect: name, ...sender }))
  return receipt.taken ? answer(200, 'OK', droppedHeader(receipt)) : laterAnswer(receipt)
}

const about = (event: IncomingEvent, more: Properties = {}): IncomingEvent => ({
  ...event,
  properties: { ...event.properties, ...more },
})

const answer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): WireAnswer => ({
  status,
  headers: {
    ...openToAll,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
  },
  body,
})
