'use client'

import type { SurveyContent } from '#surveys/survey'
import { useEditedDraft } from '#studio/parts/use-edited-draft'
import { reloadSurvey, saveSurvey } from '../actions'
import { changeOf, differencesOf, draftOf, fieldProblems, type OpenedSurvey, type SurveyDraft } from './draft'

/** A survey as it was opened, the draft of it, and the revision that another member saved meanwhile. */
export function useSurveyDraft(slug: string, survey: OpenedSurvey) {
  const { setDraft, ...editing } = useEditedDraft<OpenedSurvey, SurveyDraft>(survey, {
    draftOf,
    differencesOf,
    isNewer: (one, other) => one.revision > other.revision,
    save: async (draft, base) => subjectOf(await saveSurvey(slug, base.id, changeOf(draft, base))),
    reload: async ({ id }) => subjectOf(await reloadSurvey(slug, id)),
    problemsIn: fieldProblems,
  })
  return {
    ...editing,
    changeContent: (change: (content: SurveyContent) => SurveyContent) =>
      setDraft((before) => ({ ...before, content: change(before.content) })),
  }
}

const subjectOf = (answer: Awaited<ReturnType<typeof saveSurvey>>) =>
  answer.done ? { done: true as const, subject: answer.survey } : answer

export type SurveyEditing = ReturnType<typeof useSurveyDraft>
