import type { Envelope, IncomingEvent } from '#events/event'
import type { IngestStep } from './step'

const hour = 3_600_000
const year = 365.25 * 24 * hour

/** PostHog's limit: a clock may be in any time zone, but not a day ahead. */
const furthestAhead = 23 * hour
/** No stored device clock is older; such a clock was never set. */
const oldestLive = 20 * year
/** The limit for imported events. Every month is a partition of the engine, whose number is limited. */
const oldestHistorical = Date.UTC(2000, 0, 1)

/**
 * Computes the time of the event by our clock. SDKs use the device's clock, which may be hours off. `sentAt` is the
 * same clock at send time, so its difference from the arrival time is the error. An impossible time is replaced by the
 * arrival time.
 */
export const correctTime: IngestStep = (draft, { envelope }) => {
  const { event } = draft
  const claimedTimesMs = claimedTimes(event, envelope)
  const plausible = claimedTimesMs.find((at) => isPlausible(at, envelope))
  draft.at = new Date(plausible ?? envelope.receivedAt)
  if (plausible === undefined && claimedTimesMs.length > 0)
    draft.notes['$claimed_time'] = formatClaimedTime(claimedTimesMs.at(-1))
}

/** The times that the client claims, the most reliable first. */
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

/** Formats a claimed time as a date if it is valid: a number of milliseconds may exceed the range of dates. */
function formatClaimedTime(claim = Number.NaN): string {
  const date = new Date(claim)
  return Number.isNaN(date.getTime()) ? String(claim) : date.toISOString()
}
