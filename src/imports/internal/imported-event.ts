import { z } from 'zod'
import {
  hasNoChanges,
  type IncomingEvent,
  type PersonChanges,
  type Properties,
  trafficKinds,
} from '#events/event'
import { textColumns } from '#events/text-columns'

/**
 * Any object. Portions are parsed from JSON, so that what is in it is JSON by definition; to check each value took longer
 * than everything else that is done with an event here.
 */
export const propertiesInput = z.looseObject({}) as z.ZodType<Properties>
const names = z.record(z.string(), z.string())

const text = z.string().optional()
const amount = z.number().optional()

/** A list in JSON, as pages about persons parse it. */
const namesInJson = text.refine((list) => list === undefined || list === '' || isListOfNames(list), {
  error: 'Use a list of names in JSON.',
})

export function isListOfNames(list: string): boolean {
  try {
    return z.array(z.string()).safeParse(JSON.parse(list)).success
  } catch {
    return false
  }
}

/** Names of the columns that are numbers. */
export const numberColumns = ['revenue', 'engaged_ms', 'scroll_depth'] as const

const shapeOf = <Name extends string, Value extends z.ZodType>(
  columns: readonly Name[],
  value: Value,
): Record<Name, Value> =>
  // one entry for each name
  Object.fromEntries(columns.map((name) => [name, value])) as Record<Name, Value>

const derivedColumns = z.strictObject({
  traffic: z.enum(trafficKinds),
  ...shapeOf(textColumns, text),
  ...shapeOf(numberColumns, amount),
  string_keys: namesInJson,
})
export type DerivedColumns = z.infer<typeof derivedColumns>

/** An event of another product in Tilth's terms, as it is sent to the Tilth that runs. */
export const importedEvent = z.strictObject({
  uuid: z.guid(),
  name: z.string(),
  distinctId: z.string(),
  at: z.iso.datetime(),
  hasPerson: z.boolean(),
  properties: propertiesInput,
  person: z
    .strictObject({
      set: propertiesInput,
      setOnce: propertiesInput,
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
  group: z.strictObject({ type: z.string(), key: z.string(), set: propertiesInput }).optional(),
  derived: z
    .strictObject({
      columns: derivedColumns,
      sessionId: z.union([z.guid(), z.literal('')]),
      isCookieless: z.boolean(),
    })
    .optional()
    .meta({ description: 'What another Tilth derived from the event; absent for every other source' }),
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
> & { distinctId: string; derived?: ImportedEvent['derived'] }

/** The other way round: the event as a source of imports makes it. */
export const importedEventOf = (
  { name, distinctId, hasPerson, properties: own, person, identity, groups, group, derived }: SourceEvent,
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
  ...(derived && { derived }),
})

/** No export tells of changes of lists. */
const withoutLists = ({ set, setOnce, unset, add }: PersonChanges) => ({ set, setOnce, unset, add })
