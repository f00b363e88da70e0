import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'

const definedTypes = ['event', 'event property', 'person property'] as const

const definitionFields = {
  description: z.string().trim().max(1000, 'A description has at most 1000 characters.'),
  /** Left out of lists to choose from. */
  isHidden: z.boolean(),
  /** Confirmed by a member: it means what its description says. */
  isVerified: z.boolean(),
}

/** The members' description of an event or a property: what it means, and whether to use it. */
const dataDefinition = entrySchema({
  type: z.enum(definedTypes, { error: `Choose one of ${definedTypes.join(', ')}.` }),
  name: z.string().min(1, 'Name the event or property.').max(200, 'No name has over 200 characters.'),
  ...definitionFields,
})
export type DataDefinition = z.infer<typeof dataDefinition>
export type DefinedType = DataDefinition['type']

const { type: definedType, name: definedName } = dataDefinition.shape

export const definitionCollection = declareCollection({
  name: 'definition',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({
    type: definedType,
    name: definedName,
    description: definitionFields.description.default(''),
    isHidden: definitionFields.isHidden.default(false),
    isVerified: definitionFields.isVerified.default(false),
  }),
  change: z.strictObject(definitionFields).partial(),
  limit: { count: 5000, message: 'A project has at most 5000 definitions. Remove one first.' },
  table: entryTable('definitions', dataDefinition, { orderBy: ['type', 'name'] }),
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ type, description, isHidden, isVerified }) => ({ type, description, isHidden, isVerified }),
  },
  applyNew: (input, { created, existing }) =>
    existing.some(({ type, name }) => type === input.type && name === input.name)
      ? failedOutcome('This name has a definition already. Change that one.', 'name')
      : { ...created, ...input },
  applyChange: (before, change) => ({ ...before, ...change }),
  api: {
    summaries: {
      list: 'List the definitions of events and properties',
      create: 'Define an event or a property',
      change: 'Change a definition',
      remove: 'Remove a definition; the events stay',
    },
    ...shownAs('DataDefinition', dataDefinition.omit({ projectId: true })),
  },
})

export class DataDefinitions extends collectionClass(definitionCollection) {}
