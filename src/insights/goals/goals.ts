import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entryTable } from '#collection/entry-table'
import { entryShape } from '#collection/entry-shape'
import { nameFor } from '#projects/name'
import { type Goal, goal } from '../compile/goal'

/** A saved goal of visitors. */
export interface SavedGoal {
  id: string
  projectId: number
  name: string
  goal: Goal
  createdBy: string
  createdAt: Date
}

const newGoal = z.strictObject({
  name: nameFor('Name the goal.'),
  goal,
})

export const goalCollection = declareCollection({
  name: 'goal',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: newGoal,
  change: newGoal.partial(),
  limit: { count: 200, message: 'A project has at most 200 goals. Remove one first.' },
  table: entryTable<SavedGoal>('goals', {
    fields: { name: 'value', goal: 'json' },
    orderBy: ['createdAt'],
  }),
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
    shape: entryShape('Goal', { name: z.string(), goal }),
    show: ({ projectId: _, ...shown }) => shown,
  },
})

export class Goals extends collectionClass(goalCollection) {}
