import { z } from 'zod'
import { defaultRollout } from '../rollout'

const step = z.strictObject({
  share: z
    .number({ error: 'Give the share in percent.' })
    .gt(0, 'A step lets in more than 0%.')
    .max(100, 'A step lets in 100% at most.')
    .meta({ description: 'Percent of people who take part, control and new variant together' }),
  minutes: z
    .number({ error: 'Give the minutes as a whole number.' })
    .int('Give the minutes as a whole number.')
    .min(5, 'A step lasts at least 5 minutes.')
    .max(90 * 24 * 60, 'A step lasts 90 days at most.')
    .meta({ description: 'The shortest time that the step lasts' }),
})

const steps = z
  .array(step, { error: 'Give the steps as a list.' })
  .min(1, 'Give at least one step.')
  .max(20, 'A ramp has at most 20 steps.')
  .refine((all) => all.every(({ share }, i) => i === 0 || share > (all[i - 1]?.share ?? 0)), {
    error: 'Each step lets more people in than the one before.',
  })

/** The course of a rollout to everyone: its variants keep their weights while more and more people take part. */
export const rolloutSettings = z.strictObject({
  set: z.number().int().min(0).max(100).default(defaultRollout.set).meta({
    description: 'The index of the flag’s condition set whose percentage grows',
  }),
  steps: steps.default([...defaultRollout.steps]),
  waitsForPeople: z.boolean().default(defaultRollout.waitsForPeople).meta({
    description: 'Whether a step waits until enough is known of every guardrail',
  }),
  whenDone: z.enum(['ship', 'wait']).default(defaultRollout.whenDone).meta({
    description: 'After the last step: everyone gets the new variant, or a member decides',
  }),
})
