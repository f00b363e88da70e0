import { longestField } from '#surveys/run/prefill'
import type { ServedSurvey } from '#surveys/run/mounted-survey'

/**
 * Hidden fields that the page gives: in its address, or before that in `data-survey-fields` of a script element, as in
 * `plan=pro`.
 */
export function givenFields({ content: { hiddenFields } }: ServedSurvey): Record<string, string> {
  const given = document.querySelector<HTMLElement>('[data-survey-fields]')?.dataset['surveyFields']
  const fields = [...new URLSearchParams(location.search), ...new URLSearchParams(given)]
  const known = fields.filter(([name]) => hiddenFields.includes(name))
  return Object.fromEntries(known.map(([name, value]) => [name, value.slice(0, longestField)]))
}
