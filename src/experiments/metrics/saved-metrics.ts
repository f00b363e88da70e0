import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import { entrySchema, shownAs } from '#collection/entry-shape'
import { definedMetric } from '#insights/kinds/experiment/schema'
import { nameFor } from '#projects/name'
import { removeSavedMetric, savedMetricsOf, saveSavedMetric } from './store'

const tag = z.string().trim().min(1, 'Write a tag, or leave it out.').max(50)

const fields = {
  name: nameFor('Name the metric.'),
  description: z.string().trim().max(2000),
  goal: z.enum(['increase', 'decrease']),
  measured: definedMetric,
  /** Metrics with the same tag are a group. */
  tags: z.array(tag).max(20, 'A metric has at most 20 tags.'),
}

/** A metric that several experiments use, and that is defined once. */
export const savedMetric = entrySchema(fields)

const newSavedMetric = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  goal: fields.goal.default('increase'),
  tags: fields.tags.default([]),
})

const mostSavedMetrics = 500

export const savedMetricCollection = declareCollection({
  name: 'metric',
  noun: 'saved metric',
  rights: { read: 'experiments:read', write: 'experiments:write' },
  newEntry: newSavedMetric,
  change: z.strictObject(fields).partial(),
  limit: {
    count: mostSavedMetrics,
    message: `A project has at most ${mostSavedMetrics} saved metrics. Remove one first.`,
  },
  table: { list: savedMetricsOf, save: saveSavedMetric, remove: removeSavedMetric },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, description, goal, measured, tags }) => ({ name, description, goal, measured, tags }),
  },
  applyNew: (input, { created }) => ({ ...created, ...input }),
  applyChange: (before, change) => ({ ...before, ...change }),
  api: {
    summaries: {
      list: 'List saved metrics, which several experiments use',
      create: 'Save a metric',
      change: 'Change a saved metric; drafts take the change over at their start, running experiments do not',
      remove: 'Remove a saved metric; experiments that use it keep their copy',
    },
    ...shownAs('SavedMetric', savedMetric.omit({ projectId: true })),
  },
})

/** The metrics of a project that several experiments use. */
export class SavedMetrics extends collectionClass(savedMetricCollection) {}
