import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entryShape } from '#collection/entry-shape'
import { failedOutcome } from '#projects/problems'

const definedTypes = ['event', 'event property', 'person property'] as const
export type DefinedType = (typeof definedTypes)[number]

/** The members' description of an event or a property: what it means, and whether to use it. */
export interface DataDefinition {
  id: string
  projectId: number
  type: DefinedType
  name: string
  description: string
  /** Left out of lists to choose from. */
  isHidden: boolean
  /** Confirmed by a member: it means what its description says. */
  isVerified: boolean
  createdBy: string
  createdAt: Date
}

const definitionFields = {
  description: z.string().trim().max(1000, 'A description has at most 1000 characters.'),
  isHidden: z.boolean(),
  isVerified: z.boolean(),
}

export const definitionCollection = declareCollection({
  name: 'definition',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: z.strictObject({
    type: z.enum(definedTypes, { error: `Choose one of ${definedTypes.join(', ')}.` }),
    name: z.string().min(1, 'Name the event or property.').max(200, 'No name has over 200 characters.'),
    description: definitionFields.description.default(''),
    isHidden: definitionFields.isHidden.default(false),
    isVerified: definitionFields.isVerified.default(false),
  }),
  change: z.strictObject(definitionFields).partial(),
  limit: { count: 5000, message: 'A project has at most 5000 definitions. Remove one first.' },
  table: entryTable<DataDefinition>('definitions', {
    fields: { type: 'value', name: 'value', description: 'value', isHidden: 'value', isVerified: 'value' },
    orderBy: ['type', 'name'],
  }),
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
    shape: entryShape('DataDefinition', {
      type: z.enum(definedTypes),
      name: z.string(),
      description: z.string(),
      isHidden: z.boolean(),
      isVerified: z.boolean(),
    }),
    show: ({ projectId: _, ...shown }) => shown,
  },
})

export class DataDefinitions extends collectionClass(definitionCollection) {}
