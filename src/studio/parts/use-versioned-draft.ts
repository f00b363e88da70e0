import { useCallback, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import type { FailedOutcome, InputProblem } from '#projects/problems'
import { useToast } from '#ui/overlay/Toast'
import type { ActionResult } from './action-result'
import { rebaseDraft } from './draft-fields'
import { withNetworkErrors } from './with-network-errors'

type SubjectResult<Subject> = Promise<ActionResult<{ subject: Subject }>>

/** The rules for editing and saving a versioned subject. */
export interface DraftRules<Subject, Draft> {
  draftOf: (subject: Subject) => Draft
  /** The differences, a line for each change. */
  differencesOf: (before: Draft, after: Draft) => string[]
  /** Whether one was saved after the other. */
  isNewer: (subject: Subject, than: Subject) => boolean
  save: (draft: Draft, base: Subject, options: SaveOptions) => SubjectResult<Subject>
  /** Loads the current state, after a save was refused. */
  reload: (base: Subject) => SubjectResult<Subject>
  /** By field; those of no field stand under ''. */
  problemsIn: (problems: readonly InputProblem[], draft: Draft) => Readonly<Record<string, string>>
  savedMessage: (subject: Subject) => string
  /** The author of a state, if it names one; a refused save does in any case. */
  authorOf?: (subject: Subject) => string
}

interface SaveOptions {
  /** A change note for the history, or ''. */
  note: string
  /** Whether it is saved while it is being written. */
  isAutosave: boolean
}

/** A draft with its change note, and the saved state that it is based on. */
interface DraftOnBase<Subject, Draft> {
  base: Subject
  draft: Draft
  note: string
}

/** A state that another member saved. */
interface OtherState<Subject> {
  subject: Subject
  changedBy?: string | undefined
}

const noProblems: Readonly<Record<string, string>> = {}

/**
 * The subject as it was opened, its draft, and the state that another member saved meanwhile. No edit is lost: one
 * made during a save is kept on top of its result, and a save never replaces a state that this page has not shown.
 */
export function useVersionedDraft<Subject extends object, Draft extends object>(
  subject: Subject,
  rules: DraftRules<Subject, Draft>,
) {
  const { draftOf, differencesOf, isNewer } = rules
  const state = useDraftState(subject, draftOf)
  const { base, draft, note, otherState, setBase, setDraft, setNote, setTheirs, settle, adopt } = state
  const [autosaved, setAutosaved] = useState<Draft>()
  const [isSaving, startSaving] = useTransition()
  const showToast = useToast()
  const lines = useMemo(() => differencesOf(draftOf(base), draft), [base, draft, draftOf, differencesOf])
  // the server trims what it stores, so a draft that was saved by itself may differ from it
  const isUnsaved = lines.length > 0 && draft !== autosaved

  if (isNewer(subject, base) && !(otherState && !isNewer(subject, otherState.subject))) {
    const arrived = draftOf(subject)
    const isOnlyState = differencesOf(draftOf(base), arrived).length === 0
    if (!isUnsaved || differencesOf(arrived, draft).length === 0) adopt(subject)
    else if (isOnlyState) setBase(subject)
    else setTheirs({ subject })
  }

  const saving = useSaving({ base, draft, note }, rules, {
    onSaved(sent, next, isAutosave) {
      const saved = draftOf(next)
      settle(next)
      setNote((now) => (now === sent.note ? '' : now))
      if (isAutosave) setAutosaved(sent.draft)
      else setDraft((now) => rebaseDraft(now, sent.draft, saved))
    },
    onOvertaken(other) {
      setTheirs(other)
      state.setProblems(noProblems)
    },
    onRefused: (refused, sent) => state.setProblems(rules.problemsIn(refused, sent.draft)),
  })

  return {
    ...saving,
    base,
    draft,
    setDraft,
    change: useCallback((part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })), [setDraft]),
    lines,
    isUnsaved,
    isAutosaved: autosaved !== undefined,
    note,
    setNote,
    problems: state.problems,
    isSaving,
    startSaving,
    /** Saves and says so. */
    saveSoon: () =>
      startSaving(async () => {
        const saved = await saving.save()
        if (saved) showToast({ title: rules.savedMessage(saved), tone: 'success' })
      }),
    discard: () => adopt(otherState?.subject ?? base),
    otherChange: otherState && {
      changedBy: otherState.changedBy ?? rules.authorOf?.(otherState.subject),
      lines: differencesOf(draftOf(base), draftOf(otherState.subject)),
      take: () => adopt(otherState.subject),
      /** The draft is compared with their state from now on, and a save replaces it. */
      keepMine: () => settle(otherState.subject),
    },
  }
}

function useDraftState<Subject, Draft>(subject: Subject, draftOf: (subject: Subject) => Draft) {
  const [base, setBase] = useState(subject)
  const [draft, setDraft] = useState(() => draftOf(subject))
  const [note, setNote] = useState('')
  const [otherState, setOtherState] = useState<OtherState<Subject>>()
  const [problems, setProblems] = useState(noProblems)

  /** Bases the draft on a saved state. */
  function settle(next: Subject) {
    setBase(next)
    setOtherState(undefined)
    setProblems(noProblems)
  }

  /** Replaces the draft as well. */
  function adopt(next: Subject) {
    settle(next)
    setDraft(draftOf(next))
    setNote('')
  }

  const values = { base, draft, note, otherState, problems }
  return { ...values, setBase, setDraft, setNote, setTheirs: setOtherState, setProblems, settle, adopt }
}

export type VersionedDraft = ReturnType<typeof useVersionedDraft>

interface SavingListeners<Subject, Draft> {
  onSaved: (sent: DraftOnBase<Subject, Draft>, saved: Subject, isAutosave: boolean) => void
  /** Called when another member saved first. */
  onOvertaken: (otherState: OtherState<Subject>) => void
  onRefused: (problems: readonly InputProblem[], sent: DraftOnBase<Subject, Draft>) => void
}

/** Saves one draft after the other; edits made during a save are saved next, based on its result. */
function useSaving<Subject, Draft extends object>(
  { base, draft, note }: DraftOnBase<Subject, Draft>,
  { draftOf, differencesOf, isNewer, ...rules }: DraftRules<Subject, Draft>,
  listeners: SavingListeners<Subject, Draft>,
) {
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef({ base, draft, note })
  useEffect(() => {
    latest.current = { base, draft, note }
  }, [base, draft, note])

  async function saveLatest(isAutosave = false): Promise<Subject | undefined> {
    const sent = latest.current
    if (differencesOf(draftOf(sent.base), sent.draft).length === 0) return sent.base
    const options = { note: sent.note.trim(), isAutosave }
    const answer = await withNetworkErrors(() => rules.save(sent.draft, sent.base, options))
    return await conclude(sent, answer, isAutosave)
  }

  async function conclude(
    sent: DraftOnBase<Subject, Draft>,
    answer: Awaited<SubjectResult<Subject>>,
    isAutosave: boolean,
  ): Promise<Subject | undefined> {
    if (!answer.done) return await explain(answer, sent)
    const { subject } = answer
    const now = latest.current
    const rebased = isAutosave ? now.draft : rebaseDraft(now.draft, sent.draft, draftOf(subject))
    latest.current = { ...now, base: subject, draft: rebased }
    listeners.onSaved(sent, subject, isAutosave)
    return subject
  }

  async function explain(
    { problems, changedBy }: FailedOutcome,
    sent: DraftOnBase<Subject, Draft>,
  ): Promise<undefined> {
    const newest = await withNetworkErrors(() => rules.reload(sent.base))
    if (newest.done && isNewer(newest.subject, sent.base))
      listeners.onOvertaken({ subject: newest.subject, changedBy })
    else listeners.onRefused(problems, sent)
  }

  /** Makes a change of what is saved, once it is saved. */
  async function changeLatest(change: (base: Subject) => SubjectResult<Subject> | undefined) {
    const saved = await saveLatest()
    const changing = saved && change(saved)
    if (!changing) return saved
    const sent = latest.current
    return await conclude(sent, await withNetworkErrors(() => changing), false)
  }

  function enqueue<Done>(work: () => Promise<Done>): Promise<Done> {
    const result = turn.current.then(work)
    turn.current = result.catch(() => undefined)
    return result
  }

  // each resolves to what is on the server then, and to undefined if it failed
  return {
    save: () => enqueue(() => saveLatest()),
    /** The same, while it is being written: the server’s form of it does not replace the draft. */
    autosave: () => enqueue(() => saveLatest(true)),
    saveAndChange: (change: (base: Subject) => SubjectResult<Subject> | undefined) =>
      enqueue(() => changeLatest(change)),
  }
}
