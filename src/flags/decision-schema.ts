import { z } from 'zod'
import { type DecisionReasonCode, reasonCodes } from './decision'
import { condition, flagSchema } from './flag-schema'

/** False: off. True: on without a variant. A text: the variant's key. */
export const flagValue = z.union([z.boolean(), z.string()])

// the keys of the codes are their names
export const reasonCode = z.enum(Object.keys(reasonCodes) as DecisionReasonCode[])

const reason = z.strictObject({
  code: reasonCode,
  /** The index of the condition set. */
  condition: z.number().optional(),
})

/** The value that one visitor gets, and the reason. */
export const decisionSchema = z.strictObject({
  flag: flagSchema,
  value: flagValue,
  /** JSON text. */
  payload: z.string().optional(),
  reason,
})

const filterAnswer = z.union([z.boolean(), z.literal('unknown')])

const explainedSet = z.strictObject({
  /** Whether the set was evaluated before the decision. */
  isReached: z.boolean(),
  holds: filterAnswer,
  isInPercentage: z.boolean(),
  conditions: z.array(z.strictObject({ condition, answer: filterAnswer })),
})

/** Why a visitor gets a value, step by step in the order of evaluation. */
export const explanationSchema = z.strictObject({
  decision: decisionSchema,
  /** The id by which they are bucketed; undefined if there is none, for example without their group. */
  bucketedBy: z.string().optional(),
  /** From 0 to 1. A set includes the visitor if this is at or below its percentage. Undefined without an id. */
  bucket: z.number().optional(),
  /** From 0 to 1. Chooses the variant by the variants' shares. Undefined without variants. */
  variantBucket: z.number().optional(),
  /** From 0 to 1. The visitor is held out if this is at or below the holdout's percentage. Undefined without one. */
  holdoutBucket: z.number().optional(),
  /** From 0 to 1. The visitor may get the flag if this is in its slice. Undefined without a layer. */
  layerBucket: z.number().optional(),
  sets: z.array(explainedSet),
  /** Decisions of the flags that this one depends on, by key. */
  dependencies: z.record(z.string(), decisionSchema),
  /** The evaluation, one sentence for each step. */
  steps: z.array(z.string()),
})
