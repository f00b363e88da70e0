import { z } from 'zod'
import { filter } from '#filters/filter'
import type { VitalName } from '#insights/compile/web-vitals'
import { mainEnvironment } from './flag'
import { key, percentage } from './internal/field-schemas'

const minutes = (most: number, sentence: string) =>
  z.number({ error: sentence }).int(sentence).min(0, sentence).max(most, sentence)

const ninetyDays = 90 * 24 * 60

const step = z.strictObject({
  percentage,
  afterMinutes: minutes(ninetyDays, 'Say after how many minutes, from 0 to 129600 (90 days).'),
})

const worse = z
  .number({ error: 'Say by how many per cent it may get worse.' })
  .min(0, 'Say by how many per cent it may get worse, from 0 on.')
  .max(1000, 'What may get ten times as bad needs no guard.')

const atMostAll = worse.max(100, 'Nothing is left of it at 100 % fewer. Use at most 100.')

const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const satisfies readonly VitalName[]

export const metric = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('exceptions'), worse: worse.default(20) }),
    z.strictObject({
      type: z.literal('vital'),
      vital: z.enum(vitals).default('LCP'),
      worse: worse.default(20),
    }),
    z.strictObject({
      type: z.literal('event'),
      event: z.string({ error: 'Name the event.' }).min(1, 'Name the event.').max(200),
      filter: filter.optional(),
      worse: atMostAll.default(20),
    }),
    z.strictObject({
      type: z.literal('goal'),
      goal: z.string({ error: 'Choose a goal.' }).min(1, 'Choose a goal.').max(100),
      worse: atMostAll.default(20),
    }),
  ],
  { error: 'Guard "exceptions", a "vital", an "event" or a "goal".' },
)

const steps = z
  .array(step, { error: 'Give the steps as a list.' })
  .min(1, 'Give at least one step.')
  .max(20, 'A ramp has at most 20 steps.')
  .refine((all) => isIncreasing(all.map((one) => one.percentage)), {
    error: 'Each step lets more people in than the one before.',
  })
  .refine((all) => isIncreasing(all.map((one) => one.afterMinutes)), {
    error: 'Each step is later than the one before.',
  })

const isIncreasing = (numbers: readonly number[]): boolean =>
  numbers.every((one, i) => i === 0 || one > (numbers[i - 1] ?? 0))

/** The fields that can change while the guard runs. */
const parts = {
  metrics: z
    .array(metric, { error: 'Give the metrics as a list.' })
    .min(1, 'Choose something to look at.')
    .max(5, 'Look at five metrics at most: the more there are, the longer each takes to be sure of.'),
  /** The tests are not reliable below twenty. */
  minimum: z
    .number({ error: 'Say how many people each side needs.' })
    .int('Give people as a whole number.')
    .min(20, 'Fewer than 20 people on a side say nothing.')
    .max(1_000_000, 'Ask for at most a million people on each side.'),
  waitsForPeople: z.boolean({ error: 'Say true or false.' }),
  watchMinutes: minutes(ninetyDays, 'Say for how many minutes, from 0 to 129600 (90 days).'),
}

export const newGuard = z.strictObject({
  flag: key,
  environment: z.string({ error: 'Name the environment.' }).min(1).max(40).default(mainEnvironment),
  set: z.number({ error: 'Name the condition set by its number, from 0.' }).int().min(0).default(0),
  variant: z.string().min(1).max(200).optional(),
  steps,
  metrics: parts.metrics,
  minimum: parts.minimum.default(100),
  waitsForPeople: parts.waitsForPeople.default(true),
  watchMinutes: parts.watchMinutes.default(24 * 60),
})
export type NewGuard = z.infer<typeof newGuard>

export const guardChange = z.strictObject(parts).partial()

export const guardStop = z.strictObject({
  /** Whether to return to the initial rollout instead of keeping the current one. */
  rollsBack: z.boolean({ error: 'Say true or false.' }).default(false),
})
