import { inBatches } from '#store/rows'
import type { TableSource } from '#store/store'
import { openTables } from '#store/tables'

interface KeptIdTables {
  flagKeptIds: { projectId: number; personId: string; flagKey: string; keptId: string }
}

const open = openTables<KeptIdTables>()

/** Ids by flag of a person who has any of these numbers. */
export const keptIdsOf = async (
  store: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<Record<string, string>> => firstKeptIds(await keptIdsOfEach(store, projectId, numbers), numbers)

/** Merges the ids that a person has kept under several numbers; those of the first number count. */
export const firstKeptIds = (
  kept: ReadonlyMap<string, Readonly<Record<string, string>>>,
  numbers: readonly string[],
): Record<string, string> =>
  Object.assign(
    {},
    ...numbers
      .toSorted()
      .toReversed()
      .map((number) => kept.get(number)),
  )

/** The ids that flags have kept under each of many numbers, by flag. */
export async function keptIdsOfEach(
  store: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const kept = new Map<string, Record<string, string>>()
  for (const portion of inBatches(numbers)) {
    const rows = await open(store)
      .selectFrom('flagKeptIds')
      .selectAll()
      .where('projectId', '=', projectId)
      .where('personId', 'in', portion)
      .execute()
    for (const { personId, flagKey, keptId } of rows)
      kept.set(personId, { ...kept.get(personId), [flagKey]: keptId })
  }
  return kept
}

/** Saves ids by flag for a person. Existing ids stay. */
export async function keepIds(
  store: TableSource,
  projectId: number,
  number: string,
  kept: Readonly<Record<string, string>>,
): Promise<void> {
  for (const portion of inBatches(Object.entries(kept))) {
    await open(store)
      .insertInto('flagKeptIds')
      .values(portion.map(([flagKey, keptId]) => ({ projectId, personId: number, flagKey, keptId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Deletes the ids of an erased person, under every id they had. */
export async function forgetKeptIds(
  store: TableSource,
  projectId: number,
  numbers: readonly string[],
): Promise<void> {
  for (const portion of inBatches(numbers)) {
    await open(store)
      .deleteFrom('flagKeptIds')
      .where('projectId', '=', projectId)
      .where('personId', 'in', portion)
      .execute()
  }
}
