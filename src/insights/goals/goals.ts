import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import { goal } from '../compile/goal'

const goalFields = z.strictObject({
  name: nameFor('Name the goal.'),
  goal,
})

/** A saved goal of visitors. */
const savedGoal = entrySchema(goalFields.shape)
export type SavedGoal = z.infer<typeof savedGoal>

export const goalCollection = declareCollection({
  name: 'goal',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: goalFields,
  change: goalFields.partial(),
  limit: { count: 200, message: 'A project has at most 200 goals. Remove one first.' },
  table: entryTable('goals', savedGoal, { orderBy: ['createdAt'] }),
  idOf: ({ id }) => id,
  audit: { subject: ({ name }) => name, fields: ({ name, goal: wanted }) => ({ name, goal: wanted }) },
  applyNew: (input, { created }) => ({ ...created, ...input }),
  applyChange: (before, change) => ({ ...before, ...change }),
  api: {
    summaries: {
      list: 'List goals',
      create: 'Create a goal',
      change: 'Change a goal',
      remove: 'Remove a goal; its events stay',
    },
    ...shownAs('Goal', savedGoal.omit({ projectId: true })),
  },
})

export class Goals extends collectionClass(goalCollection) {}
