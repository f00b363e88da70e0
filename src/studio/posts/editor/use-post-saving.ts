'use client'

import { useEffect, useRef } from 'react'
import type { Post } from '#posts/post'
import type { InputProblem } from '#projects/problems'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { withUnpublished } from '#posts/unpublished'
import type { ActionResult } from '#studio/parts/action-result'
import { reloadPost, savePost } from '../actions'
import { differingParts, draftOf, inputOf, type PostDraft, rebaseDraft } from './draft'

/** A draft, and the saved post that it is based on, with its unpublished changes as content. */
interface DraftOnBase {
  base: Post
  draft: PostDraft
}

interface SavingListeners {
  onSaved: (sent: PostDraft, post: Post, isAutosave: boolean) => void
  /** Called when another member saved the post first. */
  onOvertaken: (theirs: Post) => void
  onProblems: (problems: readonly InputProblem[]) => void
}

/** Publishes or discards the unpublished changes of a version. */
type ChangesDecision = (slug: string, id: string, version: number) => Promise<ActionResult<{ post: Post }>>

/** Saves one draft after the other; edits made during a save are saved next, based on its result. */
export function usePostSaving(slug: string, draftOnBase: DraftOnBase, listeners: SavingListeners) {
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(draftOnBase)
  const { base, draft } = draftOnBase
  useEffect(() => {
    latest.current = { base, draft }
  }, [base, draft])

  async function saveLatest(isAutosave = false): Promise<boolean> {
    const sent = latest.current
    const { id, version } = sent.base
    if (differingParts(sent.draft, draftOf(sent.base)).length === 0) return true
    const answer = await withNetworkErrors(() => savePost(slug, id, inputOf(sent.draft, version), isAutosave))
    return await conclude(sent, answer, isAutosave)
  }

  async function conclude(
    sent: DraftOnBase,
    answer: ActionResult<{ post: Post }>,
    isAutosave = false,
  ): Promise<boolean> {
    if (!answer.done) return await explain(answer.problems, sent.base)
    const next = withUnpublished(answer.post)
    const { draft: written } = latest.current
    latest.current = {
      base: next,
      draft: isAutosave ? written : rebaseDraft(written, sent.draft, draftOf(next)),
    }
    listeners.onSaved(sent.draft, next, isAutosave)
    return true
  }

  /** Saves first, so that the history has what is published or discarded. */
  async function decideOnLatest(decide: ChangesDecision): Promise<DecidedChanges | undefined> {
    if (!(await saveLatest())) return undefined
    const sent = latest.current
    const { id, version, unpublished } = sent.base
    if (!unpublished) return { version: undefined }
    const done = await conclude(sent, await withNetworkErrors(() => decide(slug, id, version)))
    return done ? { version: unpublished.version } : undefined
  }

  async function explain(problems: readonly InputProblem[], { id, version }: Post): Promise<false> {
    const newest = await withNetworkErrors(() => reloadPost(slug, id))
    if (newest.done && newest.post.version > version) listeners.onOvertaken(withUnpublished(newest.post))
    else listeners.onProblems(problems)
    return false
  }

  function enqueue<Done>(work: () => Promise<Done>): Promise<Done> {
    const result = turn.current.then(work)
    turn.current = result.catch(() => undefined)
    return result
  }

  return {
    /** Resolves to whether everything is on the server. */
    save: () => enqueue(() => saveLatest()),
    /** The same, while the text is being written: the server’s form of it does not replace it. */
    autosave: () => enqueue(() => saveLatest(true)),
    /** Resolves to undefined if it failed. */
    decide: (decision: ChangesDecision) => enqueue(() => decideOnLatest(decision)),
  }
}

/** The version that had the changes; undefined if there were none. */
interface DecidedChanges {
  version: number | undefined
}
