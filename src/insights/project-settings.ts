import { z } from 'zod'
import { filter } from '#filters/filter'
import type { Project } from '#projects/project'
import { weekStarts } from './calendar/period'

/** A project's settings for answers. */
export const answersOfProject = z.object({
  weekStart: z.enum(weekStarts).default('monday'),
  /** The filter of test accounts, which questions may leave out. */
  testAccounts: filter.optional(),
  /** The currency of displayed amounts. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Write the three letters of the currency, such as "EUR".')
    .default('EUR'),
})
export type ProjectAnswerSettings = z.infer<typeof answersOfProject>

const usual: ProjectAnswerSettings = answersOfProject.parse({})

/** Invalid settings, such as those of a newer Tilth, give the defaults. */
export function answerSettingsOf({ answers }: Pick<Project, 'answers'>): ProjectAnswerSettings {
  const read = answersOfProject.safeParse(answers)
  return read.success ? read.data : usual
}
