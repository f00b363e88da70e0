import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryShape } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import type { Flag, Holdout } from './flag'
import { percentage } from './internal/input/field-schemas'
import { refuseWhileUsed } from './internal/refuse-while-used'
import { flagsOf } from './store'
import { forgetHoldout, holdoutsOf, saveHoldout } from './internal/stored-holdouts'

/** A holdout: people who see none of the flags it covers, so that the effect of all of them can be measured. */
export interface ProjectHoldout extends Holdout {
  projectId: number
  name: string
  createdBy: string
  createdAt: Date
}

const newHoldout = z.strictObject({
  name: nameFor('Name the holdout after what is measured with it.'),
  percentage,
})

/**
 * Holdouts are stable: a held-out person stays so when the holdout grows, and is the last to be included when it
 * shrinks.
 */
export const holdoutCollection = declareCollection({
  name: 'holdout',
  rights: { read: 'project:read', write: 'flags:write' },
  newEntry: newHoldout,
  change: newHoldout.partial(),
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
    shape: entryShape('Holdout', { name: z.string(), percentage: z.number() }, z.number()),
    show: ({ projectId: _, ...holdout }) => holdout,
  },
})

export class Holdouts extends collectionClass(holdoutCollection) {}

const holdsOut = ({ environments }: Flag, id: number): boolean =>
  Object.values(environments).some(({ holdout }) => holdout?.id === id)
