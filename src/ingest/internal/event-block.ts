import {
  nativeBlock,
  NativeLongIntegers,
  NativeMaps,
  NativeNumbers,
  NativeTexts,
  NativeUuids,
  NativeWords,
} from '#engine/native-block'
import type { PreparedEvent } from '#events/event'
import { parseRowDetails } from '#events/row'
import { textColumns } from '#events/text-columns'

/** A row of the table `events`, as far as it is known before it is written in a format. */
export interface RowToEncode {
  event: PreparedEvent
  personId: string
  sessionId: string
  /** The JSON of its columns and properties. */
  details: string
}

/** Texts that seldom repeat, which a list of words would make larger. */
const longTexts: ReadonlySet<string> = new Set(['referrer', 'elements'])

const wordColumns = ['traffic', ...textColumns.filter((name) => !longTexts.has(name)), 'string_keys']

/** Times that every format of the engine reads alike: from 1970, and as long as a DateTime of 32 bits lasts. */
const firstMs = 0
const lastMs = 2 ** 32 * 1000 - 1
const mostUint32 = 2 ** 32 - 1
const mostUint8 = 2 ** 8 - 1

/** The escape of a lone surrogate, which no UTF-8 can hold; the engine decides about it. */
const loneSurrogate = '\\ud'

/**
 * Rows of the table `events` as a block of columns: the engine takes a third of the work that JSON costs it. Only rows
 * whose values fit their columns exactly are taken. The caller sends any other row as JSON, so that the engine decides
 * about it.
 */
export class EventBlock {
  private readonly uuids: NativeUuids
  private readonly persons: NativeUuids
  private readonly sessions: NativeUuids
  private readonly projects: NativeNumbers<Uint32Array>
  private readonly names: NativeWords
  private readonly times: NativeLongIntegers
  private readonly receipts: NativeNumbers<Uint32Array>
  private readonly distinctIds = new NativeTexts()
  private readonly referrers = new NativeTexts()
  private readonly elements = new NativeTexts()
  private readonly hasPerson: NativeNumbers<Uint8Array>
  private readonly isCookieless: NativeNumbers<Uint8Array>
  private readonly revenues: NativeNumbers<Float64Array>
  private readonly engagements: NativeNumbers<Uint32Array>
  private readonly scrollDepths: NativeNumbers<Uint8Array>
  private readonly words: ReadonlyMap<string, NativeWords>
  private readonly groups: NativeMaps
  private readonly properties: NativeMaps
  private length = 0

  constructor(private readonly rows: number) {
    this.uuids = new NativeUuids(rows)
    this.persons = new NativeUuids(rows)
    this.sessions = new NativeUuids(rows)
    this.projects = new NativeNumbers('UInt32', new Uint32Array(rows))
    this.names = new NativeWords(rows)
    this.times = new NativeLongIntegers("DateTime64(3, 'UTC')", rows)
    this.receipts = new NativeNumbers("DateTime('UTC')", new Uint32Array(rows))
    this.hasPerson = new NativeNumbers('Bool', new Uint8Array(rows))
    this.isCookieless = new NativeNumbers('Bool', new Uint8Array(rows))
    this.revenues = new NativeNumbers('Float64', new Float64Array(rows))
    this.engagements = new NativeNumbers('UInt32', new Uint32Array(rows))
    this.scrollDepths = new NativeNumbers('UInt8', new Uint8Array(rows))
    this.words = new Map(wordColumns.map((name) => [name, new NativeWords(rows)]))
    this.groups = new NativeMaps(rows)
    this.properties = new NativeMaps(rows)
  }

  /** Returns false if a value does not fit its column. The block is of no use then. */
  add(row: RowToEncode): boolean {
    const { columns, properties } = parseRowDetails(row.details)
    const fits =
      !row.details.includes(loneSurrogate) &&
      this.addHead(row) &&
      this.addColumns(columns) &&
      Object.values(row.event.groups).every(isText) &&
      addMap(this.groups, row.event.groups) &&
      addMap(this.properties, properties)
    this.length += 1
    return fits
  }

  /** Returns the bytes for `Engine.insertNative`. */
  finish(): Buffer {
    return nativeBlock(
      {
        project_id: this.projects,
        uuid: this.uuids,
        event: this.names,
        timestamp: this.times,
        received_at: this.receipts,
        distinct_id: this.distinctIds,
        person_id: this.persons,
        session_id: this.sessions,
        has_person: this.hasPerson,
        is_cookieless: this.isCookieless,
        referrer: this.referrers,
        elements: this.elements,
        revenue: this.revenues,
        engaged_ms: this.engagements,
        scroll_depth: this.scrollDepths,
        groups: this.groups,
        properties: this.properties,
        ...Object.fromEntries(this.words),
      },
      this.length,
    )
  }

  private addHead({ event, personId, sessionId }: RowToEncode): boolean {
    const at = event.at.getTime()
    const receivedAt = event.receivedAt.getTime()
    const { length: row } = this
    this.times.set(row, at)
    this.receipts.values[row] = Math.floor(receivedAt / 1000)
    this.projects.values[row] = event.projectId
    this.hasPerson.values[row] = Number(event.hasPerson)
    this.isCookieless.values[row] = Number(event.isCookieless)
    return (
      isInteger(event.projectId, 0, mostUint32) &&
      isInteger(at, firstMs, lastMs) &&
      isInteger(receivedAt, firstMs, lastMs) &&
      isBoolean(event.hasPerson) &&
      isBoolean(event.isCookieless) &&
      this.uuids.set(row, event.uuid) &&
      this.persons.set(row, personId) &&
      (sessionId === '' || this.sessions.set(row, sessionId)) &&
      this.addHeadTexts(event)
    )
  }

  private addHeadTexts({ name, distinctId }: PreparedEvent): boolean {
    if (!isText(name) || !isText(distinctId)) return false
    this.names.set(this.length, name)
    this.distinctIds.add(distinctId)
    return true
  }

  private addColumns(columns: Readonly<Record<string, unknown>>): boolean {
    const { referrer = '', elements = '' } = columns
    if (typeof referrer !== 'string' || typeof elements !== 'string') return false
    this.referrers.add(referrer)
    this.elements.add(elements)
    for (const name in columns) if (!this.setColumn(name, columns[name])) return false
    return true
  }

  private setColumn(name: string, value: unknown): boolean {
    const { length: row } = this
    const words = this.words.get(name)
    if (words) {
      if (typeof value !== 'string') return false
      words.set(row, value)
      return true
    }
    if (longTexts.has(name)) return true
    if (typeof value !== 'number') return false
    if (name === 'revenue') this.revenues.values[row] = value
    else if (name === 'engaged_ms') this.engagements.values[row] = value
    else if (name === 'scroll_depth') this.scrollDepths.values[row] = value
    else return false
    return name === 'revenue' || isInteger(value, 0, name === 'engaged_ms' ? mostUint32 : mostUint8)
  }
}

/** Returns false if it is no map of texts, which a bug might make. */
function addMap(column: NativeMaps, map: unknown): boolean {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
  for (const [name, value] of Object.entries(map)) {
    if (typeof value !== 'string') return false
    column.addEntry(name, value)
  }
  column.endRow()
  return true
}

const isInteger = (value: number, from: number, to: number): boolean =>
  Number.isInteger(value) && value >= from && value <= to

const isBoolean = (value: unknown): boolean => value === true || value === false

/** A text of the head of a row, whose JSON is not looked at here. */
const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed()
