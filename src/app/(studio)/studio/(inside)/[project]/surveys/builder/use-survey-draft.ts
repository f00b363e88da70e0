'use client'

import { useMemo, useState, useTransition } from 'react'
import type { SurveyContent } from '#surveys/survey'
import { useToast } from '#ui/overlay/Toast'
import { withNetworkErrors } from '#app/(studio)/with-network-errors'
import { reloadSurvey, saveSurvey } from '../actions'
import {
  changeOf,
  differencesOf,
  draftOf,
  type FieldProblems,
  fieldProblems,
  type OpenedSurvey,
  type SurveyDraft,
} from './draft'

const noProblems: FieldProblems = {}

/** A survey as it was opened, the draft of it, and the revision that another member saved meanwhile. */
export function useSurveyDraft(slug: string, survey: OpenedSurvey) {
  const [base, setBase] = useState(survey)
  const [draft, setDraft] = useState(() => draftOf(survey))
  const [theirs, setTheirs] = useState<OpenedSurvey>()
  const [problems, setProblems] = useState(noProblems)
  const [isPending, startTransition] = useTransition()
  const showToast = useToast()
  const lines = useMemo(() => differencesOf(draftOf(base), draft), [base, draft])

  function adopt(next: OpenedSurvey) {
    setBase(next)
    setDraft(draftOf(next))
    setTheirs(undefined)
    setProblems(noProblems)
  }

  if (survey.revision > base.revision && survey.revision !== theirs?.revision) {
    const isOnlyState = differencesOf(draftOf(base), draftOf(survey)).length === 0
    if (lines.length === 0) adopt(survey)
    else if (isOnlyState) setBase(survey)
    else setTheirs(survey)
  }

  const save = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => saveSurvey(slug, base.id, changeOf(draft, base)))
      if (answer.done) {
        adopt(answer.survey)
        return showToast({ title: `${answer.survey.name} saved`, tone: 'success' })
      }
      const newest = await withNetworkErrors(() => reloadSurvey(slug, base.id))
      if (newest.done && newest.survey.revision > base.revision) return setTheirs(newest.survey)
      setProblems(fieldProblems(answer.problems, draft))
    })

  return {
    base,
    draft,
    change: (part: Partial<SurveyDraft>) => setDraft((before) => ({ ...before, ...part })),
    changeContent: (change: (content: SurveyContent) => SurveyContent) =>
      setDraft((before) => ({ ...before, content: change(before.content) })),
    lines,
    problems,
    isPending,
    save,
    discard: () => adopt(theirs ?? base),
    theirs: theirs && {
      changedBy: theirs.changedBy,
      lines: differencesOf(draftOf(base), draftOf(theirs)),
      take: () => adopt(theirs),
      /** The draft is compared with their revision from now on, and a save replaces it. */
      keepMine: () => {
        setBase(theirs)
        setTheirs(undefined)
      },
    },
  }
}

export type SurveyEditing = ReturnType<typeof useSurveyDraft>
