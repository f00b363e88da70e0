import type { Survey, SurveyPlacement, SurveyStatus } from '#surveys/survey'
import type { SurveysFilter } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'

export const statusLabels: Record<SurveyStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  running: 'Running',
  full: 'Full',
  ended: 'Ended',
  archived: 'Archived',
}

export const listedStates = ['draft', 'scheduled', 'running', 'full', 'ended'] as const

export const placementLabels: Record<SurveyPlacement['kind'], string> = {
  popover: 'Popover',
  tab: 'Tab',
  selector: 'On an element',
  inline: 'Inline',
  hosted: 'Hosted page',
  api: 'API',
}

/** An address may say anything; what is not a question here is not asked. */
export const surveysFilterIn = ({ search, state, placement, show }: SearchParams): SurveysFilter => ({
  search: textOf(search)?.slice(0, 200),
  state: listedStates.find((one) => one === state),
  placement: Object.keys(placementLabels).find((one) => one === placement),
  show: show === 'archived' ? show : undefined,
})

/** Filters the surveys of a list. */
export function filterSurveys<Listed extends Pick<Survey, 'name' | 'description' | 'placement'>>(
  surveys: readonly Listed[],
  { search, state, placement, show }: SurveysFilter,
  statusOf: (survey: Listed) => SurveyStatus,
): Listed[] {
  const words = search?.toLowerCase()
  return surveys.filter((survey) => {
    const status = statusOf(survey)
    return (
      (status === 'archived') === (show === 'archived') &&
      (words === undefined || `${survey.name}\n${survey.description}`.toLowerCase().includes(words)) &&
      (state === undefined || status === state) &&
      (placement === undefined || survey.placement.kind === placement)
    )
  })
}
