import { hiddenFieldsFrom } from '#surveys/run/prefill'
import type { ServedSurvey } from './mount'

/** Hidden fields that the page gives: in `data-survey-fields` of a script element, as in `plan=pro`, or in its address. */
export function givenFields({ content: { hiddenFields } }: ServedSurvey): Record<string, string> {
  const tag = document.querySelector<HTMLElement>('script[data-survey-fields]')
  const given = [tag?.dataset['surveyFields'] ?? '', location.search.slice(1)].join('&')
  return hiddenFieldsFrom(new URLSearchParams(given), hiddenFields)
}
