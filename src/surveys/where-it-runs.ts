import { reasonsAgainstPosthog } from './posthog/internal/posthog-limits'
import type { Survey, SurveyPlacement } from './survey'

const surveyPlaces = ['posthog', 'widget', 'inline', 'hosted', 'api'] as const
export type SurveyPlace = (typeof surveyPlaces)[number]

/** Whether a survey can be shown in a place, and if not, one sentence for each reason. */
export interface PlaceVerdict {
  place: SurveyPlace
  runs: boolean
  reasons: string[]
}

type PlacedSurvey = Pick<Survey, 'content' | 'placement' | 'targeting'> & {
  hostedPage: Pick<Survey['hostedPage'], 'isOpen'>
}

/** Returns a verdict on each place for a survey as it is defined now. */
export function whereItRuns(survey: PlacedSurvey): PlaceVerdict[] {
  const isEmpty = survey.content.questions.length === 0
  return surveyPlaces.map((place) => {
    const reasons = isEmpty ? ['The survey has no question yet.'] : objections[place](survey)
    return { place, runs: reasons.length === 0, reasons }
  })
}

const objections: Record<SurveyPlace, (survey: PlacedSurvey) => string[]> = {
  posthog: reasonsAgainstPosthog,
  widget: ({ placement }) =>
    onPage.has(placement.kind) ? [] : [`It appears ${placementWords[placement.kind]}.`],
  inline: ({ placement }) =>
    placement.kind === 'inline' ? [] : [`It appears ${placementWords[placement.kind]}, not within a page.`],
  hosted: ({ hostedPage }) => (hostedPage.isOpen ? [] : ['Its hosted page is closed.']),
  api: ({ placement }) =>
    placement.kind === 'api'
      ? []
      : [`It appears ${placementWords[placement.kind]} and is not fetched by code.`],
}

const onPage: ReadonlySet<SurveyPlacement['kind']> = new Set(['popover', 'tab', 'selector'])

const placementWords: Record<SurveyPlacement['kind'], string> = {
  popover: 'as a popover',
  tab: 'behind a tab at the edge',
  selector: 'after a click on an element',
  inline: 'within a page or post',
  hosted: 'only at its own address',
  api: 'by API',
}
