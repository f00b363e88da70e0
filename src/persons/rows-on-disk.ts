import type { Erasure } from './erasures/erasures'
import { personIdOf } from './person'

/** What a row in a file says about its person. */
export interface RowOnDisk {
  projectId: number
  distinctId: string
  /** Absent where the row was put aside before its person was known. */
  personId: string | undefined
  at: Date
  receivedAt: Date
}

/** The id of the erasure that a row falls under, if any. */
export type ErasureLookup = (row: RowOnDisk) => string | undefined

export interface ErasedRows {
  /** How many rows were taken out, by the id of the erasure. */
  rows: ReadonlyMap<string, number>
  /** What no row could be read from, and so may still say something about anybody. */
  unsearchedBytes: number
}

/** Rows of events in files of the data folder, which neither the engine nor the store knows of. */
export interface RowsOnDisk {
  /** Another text means that the files have changed since. */
  version(): Promise<string>
  forget(erasureOf: ErasureLookup): Promise<ErasedRows>
}

/**
 * Finds the erasure of a row by the person that it names, or else by the person its distinct id stands for. After an
 * erasure, the same id belongs to a new person.
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
