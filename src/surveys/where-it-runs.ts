import { posthogKinds, type QuestionKind } from './question'
import type { Survey, SurveyPlacement, SurveyTargeting } from './survey'

export const surveyPlaces = ['posthog', 'widget', 'inline', 'hosted', 'api'] as const
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

/** Where a survey can be shown as it is defined now. */
export function whereItRuns(survey: PlacedSurvey): PlaceVerdict[] {
  const empty = survey.content.questions.length === 0 ? ['The survey has no question yet.'] : []
  return surveyPlaces.map((place) => {
    const reasons = [...empty, ...objections[place](survey)]
    return { place, runs: reasons.length === 0, reasons }
  })
}

const objections: Record<SurveyPlace, (survey: PlacedSurvey) => string[]> = {
  posthog: ({ content, placement, targeting }) => [
    ...(placement.kind === 'hosted' ? [notPlaced.hosted] : []),
    ...unknownKinds(content.questions),
    ...unknownConditions(targeting),
  ],
  widget: ({ placement }) =>
    onPage.has(placement.kind) ? [] : [`It appears ${placementWords[placement.kind]}.`],
  inline: ({ placement }) =>
    placement.kind === 'inline' ? [] : [`It appears ${placementWords[placement.kind]}, not within a page.`],
  hosted: ({ hostedPage, placement }) =>
    hostedPage.isOpen || placement.kind === 'hosted' ? [] : ['Its hosted page is closed.'],
  api: ({ placement }) =>
    placement.kind === 'api'
      ? []
      : [`It appears ${placementWords[placement.kind]} and is not fetched by code.`],
}

const onPage: ReadonlySet<SurveyPlacement['kind']> = new Set(['popover', 'tab', 'selector'])

const notPlaced = { hosted: 'It appears only at its own address.' }

const placementWords: Record<SurveyPlacement['kind'], string> = {
  popover: 'as a popover',
  tab: 'behind a tab at the edge',
  selector: 'after a click on an element',
  inline: 'within a page or post',
  hosted: 'only at its own address',
  api: 'in an interface of your own',
}

function unknownKinds(questions: Survey['content']['questions']): string[] {
  const kinds = new Set(questions.map(({ kind }) => kind).filter((kind) => !posthogKinds.has(kind)))
  return Array.from(kinds, (kind) => `PostHog’s SDK cannot draw ${kindWords[kind] ?? kind} questions.`)
}

const kindWords: Partial<Record<QuestionKind, string>> = { picture: 'picture choice' }

const conditionWords = {
  languages: 'on the language',
  screenWidth: 'on the screen width',
  scrollPercent: 'on scrolling',
  exitIntent: 'on exit intent',
} satisfies Partial<Record<keyof SurveyTargeting, string>>

const unknownConditions = (targeting: SurveyTargeting): string[] =>
  Object.entries(conditionWords)
    .filter(([name]) => Boolean(targeting[name as keyof typeof conditionWords])) // the keys of the table above
    .map(([, words]) => `PostHog’s SDK knows no condition ${words}.`)
