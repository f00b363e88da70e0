import type { InputProblem } from '#projects/problems'
import { type EditableSurvey, editablePartOf, type Survey, withoutPinHash } from '#surveys/survey'
import { changedLabels } from '#studio/parts/draft-fields'

/** A survey as the builder changes it. */
export interface SurveyDraft extends Omit<EditableSurvey, 'hostedPage'> {
  hostedPage: Omit<EditableSurvey['hostedPage'], 'pin'> & {
    /** A new PIN; null takes the old one away, undefined leaves it. */
    pin: string | null | undefined
  }
}

/** The survey as the browser gets it: the hash of its PIN stays on the server. */
export const openedSurvey = (survey: Survey) => withoutPinHash(survey)
export type OpenedSurvey = ReturnType<typeof openedSurvey>

export function draftOf(survey: OpenedSurvey): SurveyDraft {
  const { hostedPage, ...editable } = editablePartOf(survey)
  return { ...editable, hostedPage: { ...hostedPage, pin: undefined } }
}

/** The change that makes a survey what the draft is. A field that is taken away is null. */
export function changeOf(draft: SurveyDraft, base: OpenedSurvey) {
  const { pin, ...page } = draft.hostedPage
  const removed = Object.keys(base.targeting).map((name) => [name, null] as const)
  return {
    ...draft,
    revision: base.revision,
    content: { ...draft.content, intro: draft.content.intro ?? null },
    targeting: { ...Object.fromEntries(removed), ...definedIn(draft.targeting) },
    responseLimit: draft.responseLimit ?? null,
    endsAt: draft.endsAt ?? null,
    hostedPage: pin === undefined ? page : { ...page, pin },
  }
}

const definedIn = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const labels = {
  name: 'Name',
  description: 'Note',
  content: 'Questions, texts or appearance',
  placement: 'Placement',
  targeting: 'Targeting',
  schedule: 'Frequency',
  responseLimit: 'Response limit',
  notify: 'Recipients of e-mails',
  endsAt: 'End',
  hostedPage: 'Hosted page',
} satisfies Record<keyof SurveyDraft, string>

/** The parts of a survey that differ, by their labels. */
export const differencesOf = (before: SurveyDraft, after: SurveyDraft): string[] =>
  changedLabels(labels, before, after)

/** Problems by field. Those of a question are kept under its id, so that they move with it. */
export type FieldProblems = Readonly<Record<string, string>>

export function fieldProblems(problems: readonly InputProblem[], { content }: SurveyDraft): FieldProblems {
  const named = problems.map(({ field = '', message }) => {
    const [, index, rest = ''] = /^content\.questions\.(\d+)\.?(.*)$/.exec(field) ?? []
    const question = index === undefined ? undefined : content.questions[Number(index)]
    return [question ? `${question.id}:${rest}` : field, message] as const
  })
  return Object.fromEntries(named.toReversed())
}

/** The first problem of a field or of a part of it. */
export function problemAt(problems: FieldProblems, field: string): string | undefined {
  const found = Object.keys(problems).find((name) => name === field || name.startsWith(`${field}.`))
  return found === undefined ? undefined : problems[found]
}

export const builderTabs = ['questions', 'audience', 'appearance', 'translations', 'launch'] as const
export type BuilderTab = (typeof builderTabs)[number]

/** The tab on which a problem is shown. */
export function tabOf(field: string): BuilderTab {
  if (field.startsWith('content.appearance')) return 'appearance'
  if (field.startsWith('content.translations')) return 'translations'
  if (field.startsWith('content') || field.includes(':')) return 'questions'
  if (/^(?:targeting|placement|schedule|responseLimit|endsAt)/.test(field)) return 'audience'
  return 'launch'
}
