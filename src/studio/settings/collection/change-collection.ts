'use server'

import { type ActionResult, mapOutcome } from '#studio/parts/action-result'
import { asFormData, asText } from '#studio/parts/form-data'
import { runProjectChange } from '#studio/parts/refusals'

export async function changeCollection(slug: unknown, form: unknown): Promise<ActionResult> {
  const formData = asFormData(form)
  const lines = (name: string): string[] => linesOf(asText(formData.get(name)))
  const answer = await runProjectChange(slug, ({ projects }, projectId, viewer) =>
    projects.changeSettings(
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
          dropTraffic: formData.getAll('intake.dropTraffic'),
          spamReferrers: formData.get('intake.spamReferrers') === 'drop' ? 'drop' : 'keep',
          capture: formData.getAll('intake.capture'),
          optOut: formData.get('intake.optOut'),
          hashRouting: formData.get('intake.hashRouting') === 'on',
          channels: formData.get('intake.channels'),
          monthlyEvents: numberIn(asText(formData.get('intake.monthlyEvents'))),
        },
      },
      viewer,
    ),
  )
  return mapOutcome(answer, () => ({}))
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An empty text means no limit; the settings' schema refuses a text that is not a number. */
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))
