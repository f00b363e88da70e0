'use server'

import { type Answer, told } from '../../../../../answer'
import { formIn, textIn } from '../../../../../given'
import { changingProject } from '../../../../../refusals'

export async function changeCollection(slug: unknown, form: unknown): Promise<Answer> {
  const given = formIn(form)
  const lines = (name: string): string[] => linesOf(textIn(given.get(name)))
  const answer = await changingProject(slug, ({ projects }, projectId, viewer) =>
    projects.change(
      projectId,
      {
        hosts: lines('hosts'),
        aliases: lines('aliases'),
        intake: {
          shields: {
            addresses: lines('intake.shields.addresses'),
            countries: lines('intake.shields.countries'),
            pages: lines('intake.shields.pages'),
          },
          dropTraffic: given.getAll('intake.dropTraffic'),
          spamReferrers: given.get('intake.spamReferrers') === 'drop' ? 'drop' : 'keep',
          optOut: given.get('intake.optOut'),
          hashRouting: given.get('intake.hashRouting') === 'on',
          monthlyEvents: numberIn(textIn(given.get('intake.monthlyEvents'))),
        },
      },
      viewer,
    ),
  )
  return told(answer, () => ({}))
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Nothing is no bound; what is no number is left for the settings to object to. */
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
