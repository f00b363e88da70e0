import type { Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { rowProblems } from '../../files/limits'
import type { DailySum } from '../../daily/daily-sum'
import { type ImportedEvent, importedEventOf, type SourceEvent } from '../../internal/imported-event'
import type { ImportedProfile } from '../../internal/imported-profile'

/** The outcome of a row: an event, totals of a day, a person or a group, or the reason why it is left out. */
export type RowOutcome =
  | { kept: true; event: ImportedEvent }
  | { kept: true; sums: readonly DailySum[] }
  | { kept: true; profile: ImportedProfile }
  | { kept: false; reason: string }

/** Rows of one file that belong to rows of another, by a key. */
export interface DetailRow {
  kind: string
  key: string
  row: Properties
}

/** A distinct id, and the number that its person has in the export. */
export interface PersonOfRow {
  person: string
  distinctId: string
}

/** The kind of detail that has the first distinct id of a person, by the person's number. */
export const firstIdOfPerson = 'first id of a person'

/** Returns the rows that belong to a key. */
export type FindDetails = (kind: string, key: string) => readonly Properties[]

/** A product whose export files can be imported. */
export interface ImportSource {
  label: string
  /** The files of the export that are read, for the command's help. */
  files: string
  /** The columns by which its rows are known, for the sentence about files of another form. */
  columns: string
  /** Recognises a row that only says more about others, such as a property. Those are read first, and not counted. */
  detailOf?: (row: Properties) => DetailRow | undefined
  /** Whether rows of persons are read before those of events; otherwise they come last. */
  personsFirst?: true
  /** Names the person and the distinct id of an event's row, where only the rows together say which ids are one person. */
  personOf?: (row: Properties) => PersonOfRow | undefined
  /** Returns the rows that a row consists of, such as the actions of a visit. */
  partsOf?: (row: Properties) => readonly Properties[]
  /** Makes an event of a row. The same row becomes the same event, with the same uuid, whenever it is read. */
  eventOf: (row: Properties, details: FindDetails) => RowOutcome
}

export const leftOut = (reason: string): RowOutcome => ({ kept: false, reason })

/** An event with a uuid of the source's own, or else of the whole row. */
export const keptEvent = (
  event: SourceEvent,
  { at, uuid, of }: { at: Date; uuid?: string | undefined; of: { source: string; row: Properties } },
): RowOutcome => ({
  kept: true,
  event: importedEventOf(event, { at, uuid: uuid ?? uuidFrom(`${of.source} ${JSON.stringify(of.row)}`) }),
})

export const noPersonChanges: SourceEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

/** An event of a visitor, anonymous unless it says otherwise. */
export const visitorEvent = (
  event: Pick<SourceEvent, 'name' | 'properties' | 'distinctId'> & Partial<SourceEvent>,
): SourceEvent => ({
  hasPerson: false,
  person: noPersonChanges,
  identity: undefined,
  groups: {},
  group: undefined,
  ...event,
})

export const reasons = {
  noTime: 'without a time',
  noName: 'without the name of an event',
  noVisitor: 'without a visitor',
  unknownForm: 'not a row of this export',
  robot: 'from a bot',
  notJson: 'with properties that are not JSON',
} as const

const reasonsOfForm: ReadonlySet<string> = new Set([
  reasons.noTime,
  reasons.noName,
  reasons.noVisitor,
  reasons.unknownForm,
  reasons.notJson,
  ...Object.values(rowProblems),
])

/** Whether a row is left out for its form, so that it may be no row of the source at all. */
export const isReasonOfForm = (reason: string): boolean => reasonsOfForm.has(reason)
