import type { Engine } from '#engine/engine'
import type { Json, Properties } from '#events/event'
import type { Store } from '#store/store'
import { nameIdOf } from './person'
import { isFullBatch, markMirrored, type MirrorBatch, loadMirrorBatch } from './internal/stored-mirror'

/**
 * Copies changed persons into the engine, which answers queries. The store is authoritative. The engine's rows have a
 * version and the highest one counts, so writing a row twice is harmless. Only the writing is exclusive: what was read
 * before a backup copied the store is known there as not yet mirrored, and is mirrored again after a restore.
 */
export async function mirrorToEngine(store: Store, engine: Engine): Promise<void> {
  for (;;) {
    const batch = await loadMirrorBatch(store)
    if (isEmptyBatch(batch)) return
    await store.exclusively('mirror persons', () => insertAll(engine, batch))
    await store.transaction((transaction) => markMirrored(transaction, batch, store.form), 'unlocked')
    // what another front is changing is not marked; that front mirrors it again
    if (!isFullBatch(batch)) return
  }
}

const isEmptyBatch = ({ persons, overrides, groups }: MirrorBatch): boolean =>
  persons.length + overrides.length + groups.length === 0

async function insertAll(engine: Engine, { persons, overrides, groups }: MirrorBatch): Promise<void> {
  // overrides come last: a query in between sees two persons rather than none
  await insert(engine, 'persons', persons.map(personRow))
  await insert(engine, 'groups', groups.map(groupRow))
  await insert(engine, 'person_overrides', overrides.map(overrideRow))
}

async function insert(engine: Engine, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await engine.insert(table, rows.map((row) => JSON.stringify(row)).join('\n'))
}

const personRow = ({ person, version, isGone }: MirrorBatch['persons'][number]) => ({
  project_id: person.projectId,
  person_id: person.id,
  properties: toTextProperties(person.properties),
  is_identified: person.isIdentified ? 1 : 0,
  created_at: engineTime(person.createdAt),
  name_id: nameIdOf(person),
  version,
  is_deleted: isGone ? 1 : 0,
})

const overrideRow = ({ projectId, from, to, version }: MirrorBatch['overrides'][number]) => ({
  project_id: projectId,
  from_person_id: from,
  to_person_id: to,
  version,
})

const groupRow = ({ group, version }: MirrorBatch['groups'][number]) => ({
  project_id: group.projectId,
  type: group.type,
  key: group.key,
  properties: toTextProperties(group.properties),
  created_at: engineTime(group.createdAt),
  version,
})

/** Converts properties to the engine's format: numbers keep their digits, nested values are JSON, null is omitted. */
function toTextProperties(properties: Properties): Record<string, string> {
  const known = Object.entries(properties).filter(([, value]) => value !== null)
  return Object.fromEntries(known.map(([name, value]) => [name, textOf(value)]))
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const engineTime = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')
