import type { PreparedEvent, Properties } from '#events/event'
import { applyPersonChanges } from '../person'
import type { ExportedGroup } from '../profile'

/** Several persons acting as one: a company, a team, an account. */
export interface Group {
  projectId: number
  type: string
  key: string
  properties: Properties
  createdAt: Date
}

/** Returns the groups that a batch changes. */
export function changedGroups(known: readonly Group[], events: readonly PreparedEvent[]): Group[] {
  const groups = new Map(known.map((group) => [nameOf(group), group]))
  const changedNames = new Set<string>()
  for (const event of events) {
    for (const [type, key] of groupsMentioned(event)) {
      const name = nameOf({ projectId: event.projectId, type, key })
      const before = groups.get(name)
      const after = applyGroupProperties(before ?? newGroup(event, type, key), event)
      if (after !== before) changedNames.add(name)
      groups.set(name, after)
    }
  }
  return [...changedNames].flatMap((name) => groups.get(name) ?? [])
}

/** Returns the groups that profiles change. What is set here already takes precedence. */
export function restoredGroups(
  known: readonly Group[],
  profiles: readonly ExportedGroup[],
  projectId: number,
): Group[] {
  const groups = new Map(known.map((group) => [nameOf(group), group]))
  const changed = new Map<string, Group>()
  for (const { type, key, createdAt, properties } of profiles) {
    const name = nameOf({ projectId, type, key })
    const before = groups.get(name)
    const isNew = Object.keys(properties).some((property) => before?.properties[property] === undefined)
    if (before && !isNew && before.createdAt <= createdAt) continue
    const after: Group = {
      projectId,
      type,
      key,
      properties: { ...properties, ...before?.properties },
      createdAt: before && before.createdAt < createdAt ? before.createdAt : createdAt,
    }
    groups.set(name, after)
    changed.set(name, after)
  }
  return [...changed.values()]
}

/** A group exists from the first event that names it, with or without properties. */
export function* groupsMentioned({ groups, group }: PreparedEvent): Generator<[type: string, key: string]> {
  yield* Object.entries(groups)
  if (group && groups[group.type] !== group.key) yield [group.type, group.key]
}

const newGroup = ({ projectId, at }: PreparedEvent, type: string, key: string): Group => ({
  projectId,
  type,
  key,
  properties: {},
  createdAt: at,
})

function applyGroupProperties(group: Group, event: PreparedEvent): Group {
  if (event.group?.type !== group.type || event.group.key !== group.key) return group
  const properties = applyPersonChanges(group.properties, {
    set: event.group.set,
    setOnce: {},
    unset: [],
    add: {},
  })
  return properties === group.properties ? group : { ...group, properties }
}

const nameOf = ({ projectId, type, key }: Pick<Group, 'projectId' | 'type' | 'key'>): string =>
  `${projectId} ${type} ${key}`
