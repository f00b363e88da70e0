'use client'

import { useEffect, useRef } from 'react'
import type { Post } from '#posts/post'
import type { InputProblem } from '#projects/problems'
import { withNetworkErrors } from '#app/(studio)/with-network-errors'
import { reloadPost, savePost } from '../actions'
import { differingParts, draftOf, inputOf, type PostDraft, rebaseDraft } from './draft'

/** A draft, and the saved post that it is based on. */
interface DraftOnBase {
  base: Post
  draft: PostDraft
}

interface SavingListeners {
  onSaved: (sent: PostDraft, post: Post) => void
  /** Called when another member saved the post first. */
  onOvertaken: (theirs: Post) => void
  onProblems: (problems: readonly InputProblem[]) => void
}

/** Saves one draft after the other; edits made during a save are saved next, based on its result. */
export function usePostSaving(
  slug: string,
  draftOnBase: DraftOnBase,
  listeners: SavingListeners,
): () => Promise<boolean> {
  const turn = useRef(Promise.resolve(true))
  const latest = useRef(draftOnBase)
  const { base, draft } = draftOnBase
  useEffect(() => {
    latest.current = { base, draft }
  }, [base, draft])

  async function saveLatest(): Promise<boolean> {
    const sent = latest.current
    const { id, version } = sent.base
    if (differingParts(sent.draft, draftOf(sent.base)).length === 0) return true
    const answer = await withNetworkErrors(() => savePost(slug, id, inputOf(sent.draft, version)))
    if (!answer.done) return await explain(answer.problems, sent.base)
    const next = answer.post
    latest.current = { base: next, draft: rebaseDraft(latest.current.draft, sent.draft, draftOf(next)) }
    listeners.onSaved(sent.draft, next)
    return true
  }

  async function explain(problems: readonly InputProblem[], { id, version }: Post): Promise<false> {
    const newest = await withNetworkErrors(() => reloadPost(slug, id))
    if (newest.done && newest.post.version > version) listeners.onOvertaken(newest.post)
    else listeners.onProblems(problems)
    return false
  }

  /** Whether all of it is on the server then. */
  return () => {
    turn.current = turn.current.catch(() => false).then(saveLatest)
    return turn.current
  }
}
