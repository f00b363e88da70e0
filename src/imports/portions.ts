import type { Properties } from '#events/event'
import type { DailySum } from './daily/daily-sum'
import type { FileRow } from './files/read-rows'
import type { ImportedEvent } from './internal/imported-event'
import type { ImportedProfile } from './internal/imported-profile'
import type { FindDetails, ImportSource, RowOutcome } from './sources/internal/source'

/** Rows that are sent at once. */
export interface Portion {
  rows: number
  events: ImportedEvent[]
  /** Daily totals of the other product. */
  sums: DailySum[]
  /** Persons and groups. */
  profiles: ImportedProfile[]
  /** The number of rows that are left out, by the reason. */
  dropped: Record<string, number>
}

export interface PortionSettings {
  source: ImportSource
  /** Events at this instant or later are left out. */
  until?: Date | undefined
  now: Date
  /** Rows that an earlier run has sent. */
  skip?: number
  /** Names of events so far, of an import whose rows come in several parts. */
  names?: Set<string>
  mostEvents?: number
  mostBytes?: number
}

const hourMs = 3_600_000
/** The limit of the future, as for events that clients send. */
const furthestAheadMs = 23 * hourMs
const oldest = Date.UTC(2000, 0, 1)
/** The most names. Beyond it names are ids or addresses; lists of events, and the memory for them, end far below. */
export const mostNames = 10_000
const mostEventBytes = 1_500_000
export const atCutOver = 'at the cut-over or later'

/** Makes portions of the rows of files, in their order. */
export async function* portionsOf(
  { rows, details = () => [] }: { rows: AsyncIterable<FileRow>; details?: FindDetails },
  { mostEvents = 500, mostBytes = 3_000_000, skip = 0, names = new Set(), ...rules }: PortionSettings,
): AsyncGenerator<Portion> {
  const filled = { portion: emptyPortion(), bytes: 0 }
  let read = 0
  try {
    for await (const one of rows) {
      const outcome = limited(outcomeOf(one, details, rules), names)
      if (read++ < skip) continue
      const { portion } = filled
      addTo(portion, outcome)
      if ('bytes' in outcome) filled.bytes += outcome.bytes
      if (!isFull(filled, { mostEvents, mostBytes })) continue
      yield portion
      Object.assign(filled, { portion: emptyPortion(), bytes: 0 })
    }
  } catch (problem) {
    // of a file that is damaged, what was read before the damage is sent
    if (filled.portion.rows > 0) yield filled.portion
    throw problem
  }
  if (filled.portion.rows > 0) yield filled.portion
}

/** Rows that are left out take no room, but how far the import got is to be known now and then. */
const rowsPerEvent = 20

const isFull = (
  { portion, bytes }: { portion: Portion; bytes: number },
  { mostEvents, mostBytes }: Required<Pick<PortionSettings, 'mostEvents' | 'mostBytes'>>,
): boolean =>
  Math.max(portion.events.length, portion.sums.length, portion.profiles.length) >= mostEvents ||
  bytes >= mostBytes ||
  portion.rows >= mostEvents * rowsPerEvent

function addTo(portion: Portion, outcome: LimitedOutcome): void {
  portion.rows++
  if ('event' in outcome) portion.events.push(outcome.event)
  else if ('sums' in outcome) portion.sums.push(...outcome.sums)
  else if ('profile' in outcome) portion.profiles.push(outcome.profile)
  else portion.dropped[outcome.reason] = (portion.dropped[outcome.reason] ?? 0) + 1
}

const outcomeOf = (
  one: FileRow,
  details: FindDetails,
  rules: Pick<PortionSettings, 'source' | 'until' | 'now'>,
): RowOutcome => ('row' in one ? converted(one.row, details, rules) : { kept: false, reason: one.problem })

const emptyPortion = (): Portion => ({ rows: 0, events: [], sums: [], profiles: [], dropped: {} })

function converted(
  row: Properties,
  details: FindDetails,
  { source, until, now }: Pick<PortionSettings, 'source' | 'until' | 'now'>,
): RowOutcome {
  const outcome = source.eventOf(row, details)
  if (!outcome.kept) return outcome
  const at = instantOf(outcome)
  if (until && at >= until.getTime()) return { kept: false, reason: atCutOver }
  if (at > now.getTime() + furthestAheadMs) return { kept: false, reason: 'dated in the future' }
  return at < oldest ? { kept: false, reason: 'dated before the year 2000' } : outcome
}

function instantOf(outcome: Extract<RowOutcome, { kept: true }>): number {
  if ('event' in outcome) return Date.parse(outcome.event.at)
  return 'sums' in outcome ? firstDayOf(outcome.sums) : Date.parse(outcome.profile.createdAt)
}

const firstDayOf = (sums: readonly DailySum[]): number => Math.min(...sums.map(({ day }) => Date.parse(day)))

type LimitedOutcome =
  | Exclude<RowOutcome, { event: ImportedEvent } | { profile: ImportedProfile }>
  | { kept: true; event: ImportedEvent; bytes: number }
  | { kept: true; profile: ImportedProfile; bytes: number }

function limited(outcome: RowOutcome, names: Set<string>): LimitedOutcome {
  if (!outcome.kept || 'sums' in outcome) return outcome
  if ('profile' in outcome) {
    const size = JSON.stringify(outcome.profile).length
    return size > mostEventBytes ? { kept: false, reason: 'larger than 1 MB' } : { ...outcome, bytes: size }
  }
  const { event } = outcome
  const bytes = JSON.stringify(event).length
  if (bytes > mostEventBytes) return { kept: false, reason: 'larger than 1 MB' }
  if (!names.has(event.name) && names.size >= mostNames)
    return { kept: false, reason: `beyond the first ${mostNames.toLocaleString('en')} names of events` }
  names.add(event.name)
  return { kept: true, event, bytes }
}
