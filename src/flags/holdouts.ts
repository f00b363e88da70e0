import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import type { Flag } from './flag'
import { percentage } from './internal/field-schemas'
import { refuseWhileUsed } from './internal/refuse-while-used'
import { flagsOf } from './store'
import { forgetHoldout, holdoutsOf, saveHoldout } from './internal/stored-holdouts'

const holdoutFields = z.strictObject({
  name: nameFor('Name the holdout after what is measured with it.'),
  percentage,
})

/** A holdout: people who see none of the flags it covers, so that the effect of all of them can be measured. */
const projectHoldout = entrySchema(holdoutFields.shape).extend({ id: z.number() })
export type ProjectHoldout = z.infer<typeof projectHoldout>

/**
 * Holdouts are stable: a held-out person stays so when the holdout grows, and is the last to be included when it
 * shrinks.
 */
export const holdoutCollection = declareCollection({
  name: 'holdout',
  rights: { read: 'project:read', write: 'flags:write' },
  newEntry: holdoutFields,
  change: holdoutFields.partial(),
  limit: { count: 1000, message: 'A project has at most 1,000 holdouts. Remove one first.' },
  table: { list: holdoutsOf, save: saveHoldout, remove: forgetHoldout },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, percentage: share }) => ({ name, percentage: share }),
  },
  applyNew: (input, { created, existing }) => ({
    ...created,
    ...input,
    id: Math.max(0, ...existing.map(({ id }) => id)) + 1,
  }),
  applyChange: (before, { name = before.name, percentage: share = before.percentage }) => ({
    ...before,
    name,
    percentage: share,
  }),
  refuseRemoval: async ({ id }, transaction, projectId) => {
    const users = (await flagsOf(transaction, projectId)).filter((flag) => holdsOut(flag, id))
    return refuseWhileUsed(users, 'It is used by')
  },
  topic: 'flags',
  api: {
    summaries: {
      list: 'List holdouts',
      create: 'Make a holdout',
      change: 'Change a holdout, for all flags that use it',
      remove: 'Remove a holdout that no flag uses',
    },
    ...shownAs('Holdout', projectHoldout.omit({ projectId: true })),
  },
})

export class Holdouts extends collectionClass(holdoutCollection) {}

const holdsOut = ({ environments }: Flag, id: number): boolean =>
  Object.values(environments).some(({ holdout }) => holdout?.id === id)
