import { z } from 'zod'
import { funnelShape, shapeProblems } from '../funnel/schema'

const correlationSubjects = ['event', 'event property', 'person property'] as const
export type CorrelationSubject = (typeof correlationSubjects)[number]

/** Compares persons who reach a step of a funnel with those who entered and did not. */
export const correlationQuery = z
  .object({
    kind: z.literal('correlation'),
    ...funnelShape,
    by: z
      .enum(correlationSubjects, { error: `Choose one of ${correlationSubjects.join(', ')}.` })
      .default('event'),
    /** The step that counts as conversion; the last one if absent. */
    step: z.number().int().min(1, 'Choose a step after the first.').optional(),
    /** Whether page leaves, web vitals and other events that no one sends on purpose are traits. */
    systemEvents: z.boolean().default(false),
    /** Traits of fewer persons are left out: a few persons are no pattern. */
    leastPersons: z
      .number()
      .int('Write a whole number of persons.')
      .min(1, 'A trait has at least one person.')
      .max(1_000_000, 'A minimum of persons is at most 1,000,000.')
      .default(10),
  })
  .superRefine((query, context) => {
    for (const { path, message } of shapeProblems(query)) context.addIssue({ code: 'custom', path, message })
    if (query.step !== undefined && query.step >= query.steps.length)
      context.addIssue({
        code: 'custom',
        path: ['step'],
        message: `The funnel has no step ${query.step + 1}.`,
      })
  })
export type CorrelationQuery = z.infer<typeof correlationQuery>

export const stepOf = ({ step, steps }: CorrelationQuery): number => step ?? steps.length - 1
