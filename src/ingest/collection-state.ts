import type { DetachedPart } from '#engine/engine'
import type { MonthDifference } from './event-tally'
import type { MissingSegment } from './internal/journal-segment-list'
import type { RefusedRequestCount } from './internal/refused-requests'

/**
 * Everything that can be wrong with collecting events, and how far storing lags. One function computes it; readiness,
 * metrics, the doctor and the studio show it. It is sent as JSON, so instants are ISO texts.
 */
export interface CollectionState {
  /** The number of events on disk that no answer includes yet. */
  backlog: number
  /** The part of it of which the project is known, without projects of which nothing waits. */
  backlogByProject: Readonly<Record<number, number>>
  /** Whether events from before this start are still being counted. Until then, `backlog` is estimated by size. */
  isEstimate: boolean
  /** The arrival time of the oldest of them. */
  oldestAt: string | undefined
  troubles: readonly CollectionTrouble[]
}

type CollectionTrouble =
  | { kind: 'refusing'; reason: string }
  | { kind: 'requests-lost'; senders: readonly RefusedRequestCount[] }
  | { kind: 'not-storing'; reason: string }
  | { kind: 'behind'; minutes: number }
  | { kind: 'events-lost'; months: readonly MonthDifference[] }
  | { kind: 'events-unexpected'; months: readonly MonthDifference[] }
  | { kind: 'detached'; parts: readonly DetachedPart[] }
  | { kind: 'repairing'; parts: readonly DetachedPart[] }
  | { kind: 'journal-damaged'; files: number }
  | { kind: 'journal-gone'; segments: readonly MissingSegment[] }
  | { kind: 'quarantined'; files: number }

type TroubleKind = CollectionTrouble['kind']

interface TroubleDescription {
  title: string
  /** The remedy, as a sentence to the operator. */
  remedy: string
  /** Whether new events are refused or never reach an answer. If so, Tilth is not ready. */
  blocks: boolean
}

type TroubleOf<Kind extends TroubleKind> = Extract<CollectionTrouble, { kind: Kind }>

/** The texts that project members and operators read. They contain no path of the machine and no address. */
const troubleDescriptions: { [Kind in TroubleKind]: (trouble: TroubleOf<Kind>) => TroubleDescription } = {
  refusing: ({ reason }) => ({
    title: 'Events are refused',
    remedy: `${reason} Senders keep their events and try again.`,
    blocks: true,
  }),
  'requests-lost': ({ senders }) => ({
    title: `Events of these clients were lost: ${senders.map(({ dialect, requests }) => `${dialect} (${amountOf(requests, 'request')})`).join(', ')}`,
    remedy:
      'More arrived than this server could take, or its disk was full, and these clients do not send again what is answered 503. Give it more processors, or send less to it. This stays for an hour after the last one.',
    blocks: false,
  }),
  'not-storing': ({ reason }) => ({
    title: 'Events are kept, but not stored yet',
    remedy: `${reason} They wait on disk and are stored once this passes.`,
    blocks: true,
  }),
  behind: ({ minutes }) => ({
    title: `Figures are ${amountOf(minutes, 'minute')} behind`,
    remedy: 'More events arrive, or wait from before a restart, than were stored by now. Storing goes on.',
    blocks: false,
  }),
  'events-lost': ({ months }) => ({
    title: `Stored events are missing: ${monthsInWords(months, 'missing')}`,
    remedy:
      'They were deleted in the engine without Tilth, or it was put back from an older state. Restore it from a backup, or run tilth doctor --accept-loss if they are gone for good; new events are collected meanwhile.',
    blocks: false,
  }),
  'events-unexpected': ({ months }) => ({
    title: `There are more events than were stored: ${monthsInWords(months, 'too many')}`,
    remedy:
      'They were inserted into the engine without Tilth, or the store was put back from an older state. Restore both from one backup, or run tilth doctor --accept-loss to accept all events that are there.',
    blocks: false,
  }),
  detached: ({ parts }) => ({
    title: `Damaged data was taken out of use: ${amountOfRows(parts)} in ${amountOf(parts.length, 'part')}`,
    remedy:
      'No answer includes these rows; others of the same parts were kept. Restore them from a backup, then delete the parts under detached/ in the folder of the engine.',
    blocks: false,
  }),
  repairing: ({ parts }) => ({
    title: `Damaged data is being repaired: ${amountOfRows(parts)} in ${amountOf(parts.length, 'part')}`,
    remedy:
      'The ClickHouse server fetches these parts from another replica. If this stays, look for errors in its system.replication_queue.',
    blocks: false,
  }),
  'journal-damaged': ({ files }) => ({
    title: `Damage was found in the journal: ${amountOf(files, 'piece')} could not be read`,
    remedy:
      'These events are lost unless a backup has them. The unreadable bytes are in journal/damaged in the data folder; delete them once they are of no use.',
    blocks: false,
  }),
  'journal-gone': ({ segments }) => ({
    title: `${amountOf(segments.length, 'file')} of the journal ${segments.length === 1 ? 'is' : 'are'} gone: ${segments.map(rangeOf).join(', ')}`,
    remedy:
      'The events in these records that were not stored yet are lost unless a backup has them. The notes in journal/gone in the data folder name them; delete the notes once they are of no use.',
    blocks: false,
  }),
  quarantined: ({ files }) => ({
    title: `The engine would not take some events: ${amountOf(files, 'file')} in quarantine`,
    remedy:
      'The files in journal/quarantine in the data folder hold each event with the reason. Delete them once they are of no use.',
    blocks: false,
  }),
}

export function describeTrouble<Kind extends TroubleKind>(trouble: TroubleOf<Kind>): TroubleDescription {
  // each entry takes trouble of its own kind, which the compiler cannot infer through a union
  return (troubleDescriptions[trouble.kind] as (trouble: TroubleOf<Kind>) => TroubleDescription)(trouble)
}

const amountOf = (amount: number, thing: string): string => `${amount} ${thing}${amount === 1 ? '' : 's'}`

/** All months are in the metrics. */
const mostMonthsInWords = 3

function monthsInWords(months: readonly MonthDifference[], what: string): string {
  const named = months
    .slice(0, mostMonthsInWords)
    .map(
      ({ month, expected, found }) =>
        `${Math.abs(expected - found)} ${what} ${month === undefined ? '' : `in ${monthInWords(month)} `}(${found} of ${expected})`,
    )
  const others = months.length - named.length
  return `${named.join(', ')}${others > 0 ? `, and in ${amountOf(others, 'other month')}` : ''}`
}

/** 202603 as 2026-03. */
export const monthInWords = (month: number): string =>
  `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`

const rangeOf = ({ first, last }: MissingSegment): string =>
  last === undefined ? `records from ${first}` : `records ${first} to ${last}`

function amountOfRows(parts: readonly DetachedPart[]): string {
  const rows = parts.reduce((sum, part) => sum + (part.rows ?? 0), 0)
  return parts.some((part) => part.rows === undefined) ? `at least ${rows} rows` : amountOf(rows, 'row')
}

/** The facts from which the state is computed. */
export interface CollectionFacts {
  now: Date
  backlog: number
  backlogByProject: Readonly<Record<number, number>>
  isEstimate: boolean
  oldestAt: Date | undefined
  /** The reason why the journal refuses events, if it does. */
  refusing: string | undefined
  /** The requests that were answered 503 lately and are not sent again. */
  lostRequests: readonly RefusedRequestCount[]
  /** The reason why storing fails, and since when, if it does. */
  notStoring: { reason: string; since: Date } | undefined
  /** The months of which the engine holds more or fewer events than it should. */
  differences: readonly MonthDifference[]
  detached: readonly DetachedPart[]
  /** Damaged parts of replicated tables. */
  repairing: readonly DetachedPart[]
  damagedFiles: number
  /** Segments of the journal that disappeared before they were stored. */
  gone: readonly MissingSegment[]
  quarantineFiles: number
}

/** A short failure is retried at once; one that lasts this long is reported. */
const reportAfterMs = 15_000
const behindAfterMs = 2 * 60_000

function differenceTroubles(differences: readonly MonthDifference[]): CollectionTrouble[] {
  const lost = differences.filter(({ expected, found }) => found < expected)
  const unexpected = differences.filter(({ expected, found }) => found > expected)
  return [
    ...(lost.length > 0 ? [{ kind: 'events-lost', months: lost } as const] : []),
    ...(unexpected.length > 0 ? [{ kind: 'events-unexpected', months: unexpected } as const] : []),
  ]
}

/** Computes the state. It is the only place that does. */
export function collectionState(facts: CollectionFacts): CollectionState {
  const { now, oldestAt, notStoring, detached, damagedFiles, quarantineFiles } = facts
  const behind = oldestAt ? now.getTime() - oldestAt.getTime() : 0
  const troubles: CollectionTrouble[] = []
  if (facts.refusing !== undefined) troubles.push({ kind: 'refusing', reason: facts.refusing })
  if (facts.lostRequests.length > 0) troubles.push({ kind: 'requests-lost', senders: facts.lostRequests })
  if (notStoring && now.getTime() - notStoring.since.getTime() >= reportAfterMs)
    troubles.push({ kind: 'not-storing', reason: notStoring.reason })
  if (behind >= behindAfterMs) troubles.push({ kind: 'behind', minutes: Math.floor(behind / 60_000) })
  troubles.push(...differenceTroubles(facts.differences))
  if (detached.length > 0) troubles.push({ kind: 'detached', parts: detached })
  if (facts.repairing.length > 0) troubles.push({ kind: 'repairing', parts: facts.repairing })
  if (damagedFiles > 0) troubles.push({ kind: 'journal-damaged', files: damagedFiles })
  if (facts.gone.length > 0) troubles.push({ kind: 'journal-gone', segments: facts.gone })
  if (quarantineFiles > 0) troubles.push({ kind: 'quarantined', files: quarantineFiles })
  return {
    backlog: facts.backlog,
    backlogByProject: facts.backlogByProject,
    isEstimate: facts.isEstimate,
    oldestAt: oldestAt?.toISOString(),
    troubles,
  }
}
