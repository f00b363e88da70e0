import type { PreparedEvent } from '../events/event'
import { eventOfRow, rowWithoutPerson } from '../events/row'

/**
 * One event as a line of the journal: its row as the engine will get it, still without the person, and after a tab what
 * it claims about people, if anything. JSON has neither tabs nor line breaks of its own.
 */
export function lineOf(event: PreparedEvent): string {
  const row = rowWithoutPerson(event)
  const claims = claimsOf(event)
  return claims ? `${row}\t${JSON.stringify(claims)}` : row
}

type Claims = Partial<Pick<PreparedEvent, 'person' | 'identity' | 'group'>>

export interface JournaledEvent {
  event: PreparedEvent
  /** As it goes to the engine once its person is known. */
  row: string
}

/** Throws where another version wrote lines otherwise. */
export function eventOfLine(line: string): JournaledEvent {
  const tab = line.indexOf('\t')
  const row = tab < 0 ? line : line.slice(0, tab)
  // only `lineOf` writes these, and the journal's checksum vouches for every byte
  const claims = (tab < 0 ? {} : JSON.parse(line.slice(tab + 1))) as Claims
  const { person = noChanges, identity, group } = claims
  const event = eventOfRow(row)
  if (typeof event.uuid !== 'string' || Number.isNaN(event.at.getTime()))
    throw new TypeError('It is no event.')
  return { event: { ...event, person, identity, group }, row }
}

const noChanges: PreparedEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

function claimsOf({ person, identity, group }: PreparedEvent): Claims | undefined {
  const changes = saysNothing(person) ? undefined : person
  return changes || identity || group ? { person: changes, identity, group } : undefined
}

function saysNothing({ set, setOnce, unset, add }: PreparedEvent['person']): boolean {
  return isEmpty(set) && isEmpty(setOnce) && unset.length === 0 && isEmpty(add)
}

function isEmpty(properties: object): boolean {
  for (const _ in properties) return false
  return true
}
