import type { Erasure } from './erasures/erasures'
import { personIdOf } from './person'

/** The identity of a row in a file. */
export interface RowOnDisk {
  projectId: number
  distinctId: string
  /** Absent if the row was set aside before its person was resolved. */
  personId: string | undefined
  at: Date
  receivedAt: Date
}

/** Returns the id of the erasure that covers a row, if any. */
export type ErasureLookup = (row: RowOnDisk) => string | undefined

export interface ErasedRows {
  /** The number of removed rows, by erasure id. */
  rows: ReadonlyMap<string, number>
  /** Bytes without a readable row, which may still contain data of anyone. */
  unsearchedBytes: number
}

/** Rows of events in files of the data folder, outside the engine and the store. */
export interface RowsOnDisk {
  /** Returns a text that changes whenever the files change. */
  version(): Promise<string>
  forget(erasureOf: ErasureLookup): Promise<ErasedRows>
}

/**
 * Finds the erasure of a row by its person, or else by the person of its distinct id. After an erasure, the same id
 * belongs to a new person.
 */
export function createErasureLookup(erasures: readonly Erasure[]): ErasureLookup {
  const byNumber = Map.groupBy(
    erasures.flatMap((erasure) => erasure.numbers.map((number) => ({ number, erasure }))),
    ({ number, erasure: { projectId } }) => keyOf(projectId, number),
  )
  return (row) => {
    const own = personIdOf(row.projectId, row.distinctId)
    const numbers = row.personId === undefined ? [own] : [row.personId, own]
    const candidates = numbers.flatMap((number) => byNumber.get(keyOf(row.projectId, number)) ?? [])
    return candidates.find(({ erasure }) => isBefore(row, erasure.finishedAt))?.erasure.id
  }
}

const keyOf = (projectId: number, number: string): string => `${projectId} ${number}`

const isBefore = ({ at, receivedAt }: RowOnDisk, finishedAt: Date | undefined): boolean =>
  finishedAt === undefined || receivedAt <= finishedAt || at <= finishedAt
