import type { Envelope, IncomingEvent } from '#events/event'
import type { IngestStep } from './step'

const hour = 3_600_000
const year = 365.25 * 24 * hour

/** PostHog's bound: a clock may be in any time zone, but not a day ahead. */
const furthestAhead = 23 * hour
/** Older than any phone that comes back from a drawer: the clock was never set. */
const oldestLive = 20 * year
/** What is brought along deliberately may be older; but every month is a partition of the engine, and those have a limit. */
const oldestHistorical = Date.UTC(2000, 0, 1)

/**
 * When it happened by our clock. SDKs stamp events with the device's, which may be hours off; `sentAt` is the same wrong
 * clock when the request left, so what lies between `sentAt` and now is its error. What cannot be true is replaced by
 * the time of arrival.
 */
export const correctTime: IngestStep = (draft, { envelope }) => {
  const { event } = draft
  const claimedTimesMs = claimedTimes(event, envelope)
  const plausible = claimedTimesMs.find((at) => isPlausible(at, envelope))
  draft.at = new Date(plausible ?? envelope.receivedAt)
  if (plausible === undefined && claimedTimesMs.length > 0)
    draft.notes['$claimed_time'] = formatClaimedTime(claimedTimesMs.at(-1))
}

/** All that the sender says about the time, the most trustworthy first. */
function claimedTimes(event: IncomingEvent, { receivedAt, sentAt }: Envelope): number[] {
  const received = receivedAt.getTime()
  const stamped = event.timestamp?.getTime()
  const claims: (number | undefined)[] = []
  const clockIsRight = event.properties['$ignore_sent_at'] === true
  if (stamped !== undefined && sentAt && !clockIsRight) claims.push(received + (stamped - sentAt.getTime()))
  if (stamped === undefined && event.ageMs !== undefined) claims.push(received - event.ageMs)
  claims.push(stamped)
  return claims
    .filter((claim) => claim !== undefined && Number.isFinite(claim))
    .map((claim) => Math.trunc(Number(claim)))
}

function isPlausible(at: number, { receivedAt, isHistorical }: Envelope): boolean {
  const received = receivedAt.getTime()
  if (at > received + furthestAhead) return false
  return at >= (isHistorical ? oldestHistorical : Math.max(oldestHistorical, received - oldestLive))
}

/** As a date where it is one: a number of milliseconds can be beyond the last of them. */
function formatClaimedTime(claim = Number.NaN): string {
  const date = new Date(claim)
  return Number.isNaN(date.getTime()) ? String(claim) : date.toISOString()
}
