import { useMemo, useState, useTransition } from 'react'
import type { InputProblem } from '#projects/problems'
import { useToast } from '#ui/overlay/Toast'
import type { ActionResult } from './action-result'
import { withNetworkErrors } from './with-network-errors'

export interface DraftRules<Subject, Draft> {
  draftOf: (subject: Subject) => Draft
  /** The fields that differ, by their labels. */
  differencesOf: (before: Draft, after: Draft) => string[]
  /** Whether one was saved after the other. */
  isNewer: (subject: Subject, than: Subject) => boolean
  save: (draft: Draft, base: Subject) => Promise<ActionResult<{ subject: Subject }>>
  reload: (base: Subject) => Promise<ActionResult<{ subject: Subject }>>
  /** The first problem of each field. */
  problemsIn: (problems: readonly InputProblem[], draft: Draft) => Readonly<Record<string, string>>
}

const noProblems: Readonly<Record<string, string>> = {}

/** Something as it was opened, the draft of it, and the state that another member saved meanwhile. */
export function useEditedDraft<Subject extends { name: string }, Draft>(
  subject: Subject,
  { draftOf, differencesOf, isNewer, ...rules }: DraftRules<Subject, Draft>,
) {
  const [base, setBase] = useState(subject)
  const [draft, setDraft] = useState(() => draftOf(subject))
  const [theirs, setTheirs] = useState<Subject>()
  const [problems, setProblems] = useState(noProblems)
  const [isPending, startTransition] = useTransition()
  const showToast = useToast()
  const lines = useMemo(() => differencesOf(draftOf(base), draft), [base, draft, draftOf, differencesOf])

  function adopt(next: Subject) {
    setBase(next)
    setDraft(draftOf(next))
    setTheirs(undefined)
    setProblems(noProblems)
  }

  const isKnown = theirs !== undefined && !isNewer(subject, theirs) && !isNewer(theirs, subject)
  if (isNewer(subject, base) && !isKnown) {
    const isOnlyState = differencesOf(draftOf(base), draftOf(subject)).length === 0
    if (lines.length === 0) adopt(subject)
    else if (isOnlyState) setBase(subject)
    else setTheirs(subject)
  }

  const save = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => rules.save(draft, base))
      if (answer.done) {
        adopt(answer.subject)
        return showToast({ title: `${answer.subject.name} saved`, tone: 'success' })
      }
      const newest = await withNetworkErrors(() => rules.reload(base))
      if (newest.done && isNewer(newest.subject, base)) return setTheirs(newest.subject)
      setProblems(rules.problemsIn(answer.problems, draft))
    })

  return {
    base,
    draft,
    setDraft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    lines,
    problems,
    isPending,
    save,
    discard: () => adopt(theirs ?? base),
    theirs: theirs && {
      subject: theirs,
      lines: differencesOf(draftOf(base), draftOf(theirs)),
      take: () => adopt(theirs),
      /** The draft is compared with their state from now on, and a save replaces it. */
      keepMine: () => {
        setBase(theirs)
        setTheirs(undefined)
      },
    },
  }
}
