import { z } from 'zod'
import { hasNoChanges, type IncomingEvent, type PersonChanges, type Properties } from '#events/event'

/**
 * Any object. Portions are parsed from JSON, so that what is in it is JSON by definition; to check each value took longer
 * than everything else that is done with an event here.
 */
const properties = z.looseObject({}) as z.ZodType<Properties>
const names = z.record(z.string(), z.string())

/** An event of another product in Tilth's terms, as it is sent to the Tilth that runs. */
export const importedEvent = z.strictObject({
  uuid: z.guid(),
  name: z.string(),
  distinctId: z.string(),
  at: z.iso.datetime(),
  hasPerson: z.boolean(),
  properties,
  person: z
    .strictObject({
      set: properties,
      setOnce: properties,
      unset: z.array(z.string()).readonly(),
      add: z.record(z.string(), z.number()).readonly(),
    })
    .optional(),
  identity: z
    .union([
      z.strictObject({ kind: z.literal('identify'), anonymous: z.string() }),
      z.strictObject({ kind: z.literal('alias'), alias: z.string() }),
      z.strictObject({ kind: z.literal('merge'), other: z.string() }),
    ])
    .optional(),
  groups: names.optional(),
  group: z.strictObject({ type: z.string(), key: z.string(), set: properties }).optional(),
})
export type ImportedEvent = z.infer<typeof importedEvent>

const noChanges: PersonChanges = { set: {}, setOnce: {}, unset: [], add: {} }

export const incomingEventOf = ({
  at,
  person = noChanges,
  identity,
  groups = {},
  group,
  ...rest
}: ImportedEvent): IncomingEvent => ({
  ...rest,
  timestamp: new Date(at),
  ageMs: undefined,
  person,
  identity,
  groups,
  group,
})

/** The parts of an event that a source knows besides its id and time. */
export type SourceEvent = Pick<
  IncomingEvent,
  'name' | 'hasPerson' | 'properties' | 'person' | 'identity' | 'groups' | 'group'
> & { distinctId: string }

/** The other way round: the event as a source of imports makes it. */
export const importedEventOf = (
  { name, distinctId, hasPerson, properties: own, person, identity, groups, group }: SourceEvent,
  { uuid, at }: { uuid: string; at: Date },
): ImportedEvent => ({
  uuid,
  name,
  distinctId,
  at: at.toISOString(),
  hasPerson,
  properties: own,
  person: hasNoChanges(person) ? undefined : withoutLists(person),
  identity,
  groups: { ...groups },
  group,
})

/** No export tells of changes of lists. */
const withoutLists = ({ set, setOnce, unset, add }: PersonChanges) => ({ set, setOnce, unset, add })
