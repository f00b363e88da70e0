import { z } from 'zod'
import { filter } from '../filters/filter'
import type { Project } from '../projects/project'
import { weekStarts } from './period'

/** What a project's owners decided about how its questions are answered. */
export const answersOfProject = z.object({
  weekStart: z.enum(weekStarts).default('monday'),
  /** Who works on the product: left out wherever a question says so. */
  testAccounts: filter.optional(),
  /** In which sums of money are shown. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Write the three letters of the currency, such as "EUR".')
    .default('EUR'),
})
export type ProjectAnswerSettings = z.infer<typeof answersOfProject>

const usual: ProjectAnswerSettings = answersOfProject.parse({})

/** Settings written by a newer Tilth count as the usual. */
export function answerSettingsOf({ answers }: Pick<Project, 'answers'>): ProjectAnswerSettings {
  const read = answersOfProject.safeParse(answers)
  return read.success ? read.data : usual
}
