import { z } from 'zod'
import { entrySchema } from '#collection/entry-shape'
import { conditionSet } from './flag-schema'
import { metric } from './guard-input'

/** A guardrail of an experiment, whose figures the experiment computes. */
const guardrailMetric = z.strictObject({
  type: z.literal('guardrail'),
  metric: z.string(),
  name: z.string(),
  goal: z.enum(['increase', 'decrease']),
  isShare: z.boolean(),
  /** Of figures that are money. */
  currency: z.string().optional(),
  worse: z.number(),
})

/** A metric that must not get worse, and the accepted increase in per cent. */
export const guardMetric = z.discriminatedUnion('type', [...metric.options, guardrailMetric])

export const guardReading = z.strictObject({
  /** 'unknown' if the metric could not be read. */
  state: z.enum(['well', 'broken', 'too-few', 'unknown']),
  /** Exceptions per visitor, the third quartile of visitors, or the share that converted. */
  got: z.number().nullable(),
  others: z.number().nullable(),
  /** The number of people on the smaller side, in the step with the most people. */
  people: z.strictObject({ got: z.number(), others: z.number() }),
  /** Why it is unknown, where that is known. */
  why: z.string().optional(),
})

export const guardLogEntry = z.strictObject({
  at: z.date(),
  event: z.enum(['began', 'step', 'paused', 'resumed', 'rolled-back', 'completed', 'stopped']),
  /** The event as a sentence. */
  note: z.string(),
  by: z.string(),
})

export const rampStep = z.strictObject({
  percentage: z.number(),
  /** The time since the guard began. */
  afterMinutes: z.number(),
})

export const takenStep = z.strictObject({ percentage: z.number(), at: z.date() })

/** A guarded rollout: it proceeds step by step while its metrics are good, and rolls back when they are not. */
export const guardSchema = entrySchema({
  flagId: z.number(),
  flagKey: z.string(),
  environment: z.string(),
  /** The experiment whose guardrails it watches; undefined for a rollout of the flag alone. */
  experiment: z.string().optional().meta({ description: 'Whose guardrails it watches' }),
  /** The index of the flag's condition set that grows. */
  set: z.number(),
  /** The variant to compare with all other visitors. Without one, every value but "off" is compared with "off". */
  variant: z.string().optional(),
  steps: z.array(rampStep),
  metrics: z.array(guardMetric),
  /** Number of people each side needs before the guard draws a conclusion. */
  minimum: z.number(),
  /** Whether a due step waits for the minimum number of people. */
  waitsForPeople: z.boolean(),
  /** The time for which the metrics are checked after the last step. */
  watchMinutes: z.number(),
  /** The rollout before the guard began, to which it rolls back. */
  before: z.strictObject({ isOn: z.boolean(), set: conditionSet }),
  /** The completed steps, the oldest first. */
  taken: z.array(takenStep),
  /** While it is paused, no step is taken; the metrics are watched all the same. */
  pausedAt: z.date().optional(),
  /** The latest pause ended then: the step that it interrupted lasts its full time from there. */
  resumedAt: z.date().optional(),
  log: z.array(guardLogEntry).meta({ description: 'What happened, the oldest first' }),
  state: z.enum(['running', 'rolled-back', 'completed', 'stopped']),
  /** The reason for the state, in a sentence. */
  why: z.string(),
  /** The latest figures, one for each metric. */
  readings: z.array(guardReading),
  lookedAt: z.date().optional(),
  endedAt: z.date().optional(),
})
