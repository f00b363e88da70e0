import { z } from 'zod'
import { filter } from '#filters/filter'
import type { Project } from '#projects/project'
import { type BounceRule, bounceRuleFrom, bounceRuleNames } from './bounce-rule'
import { weekStarts } from './calendar/period'

const pageGroup = z
  .string({ error: 'Write a group of pages as text, such as "/boards/:id".' })
  .trim()
  .min(2, 'Write more than "/" for a group of pages.')
  .max(300, 'Use at most 300 characters for a group of pages.')
  .startsWith('/', 'Begin a group of pages with "/", such as "/boards/:id".')
  .refine((pattern) => pattern.split('*').length <= 6, 'Use at most five "*" in a group of pages.')

/** A project's settings for answers. */
export const answersOfProject = z.object({
  weekStart: z.enum(weekStarts).default('monday'),
  /** The filter of test accounts, which queries may leave out. */
  testAccounts: filter.optional(),
  /** The currency of displayed amounts. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Write the three letters of the currency, such as "EUR".')
    .default('EUR'),
  /** The rule by which a visit with one view is a bounce. */
  bounceRule: z
    .enum(bounceRuleNames, { error: `Write one of: ${bounceRuleNames.join(', ')}.` })
    .default('plausible'),
  /**
   * The seconds that make a visit no bounce. By Plausible's rule, they are of engagement; absent if only actions count.
   * By PostHog's rule, they are the visit's length; 10 seconds if absent.
   */
  bounceSeconds: z
    .number({ error: 'Write seconds as a number.' })
    .int('Use whole seconds.')
    .min(1, 'Use at least one second.')
    .max(3600, 'Use at most 3600 seconds.')
    .optional(),
  /** The touch that conversions are attributed to where a report does not say. */
  attribution: z.enum(['first', 'last']).default('last'),
  /** Patterns of pages that differ by ids, which web analytics shows as one. */
  pageGroups: z.array(pageGroup).max(100, 'Use at most 100 groups of pages.').default([]),
})
export type ProjectAnswerSettings = z.infer<typeof answersOfProject>

const usual: ProjectAnswerSettings = answersOfProject.parse({})

/** Invalid settings, such as those of a newer Tilth, give the defaults. */
export function answerSettingsOf({ answers }: Pick<Project, 'answers'>): ProjectAnswerSettings {
  const read = answersOfProject.safeParse(answers)
  return read.success ? read.data : usual
}

export const bounceRuleOf = (project: Pick<Project, 'answers'>): BounceRule =>
  bounceRuleFrom(answerSettingsOf(project))
