'use client'

import { useEffect, useRef } from 'react'
import type { Post } from '../../../../../../../posts/post'
import type { Problem } from '../../../../../../../projects/problems'
import { reached } from '../../../../../reached'
import { newestPost, savePost } from '../actions'
import { differing, draftOf, inputOf, type PostDraft, rebased } from './draft'

/** What is written, and what it was made from. */
interface Written {
  base: Post
  draft: PostDraft
}

interface Hearing {
  onSaved: (sent: PostDraft, post: Post) => void
  /** Somebody else was faster. */
  onOvertaken: (theirs: Post) => void
  onProblems: (problems: readonly Problem[]) => void
}

/** Saves one after the other: what is written meanwhile has its turn, and begins with what the last has made. */
export function useSaving(slug: string, written: Written, hearing: Hearing): () => Promise<boolean> {
  const turn = useRef(Promise.resolve(true))
  const latest = useRef(written)
  const { base, draft } = written
  useEffect(() => {
    latest.current = { base, draft }
  }, [base, draft])

  async function saveLatest(): Promise<boolean> {
    const sent = latest.current
    const { id, version } = sent.base
    if (differing(sent.draft, draftOf(sent.base)).length === 0) return true
    const answer = await reached(() => savePost(slug, id, inputOf(sent.draft, version)))
    if (!answer.done) return await explain(answer.problems, sent.base)
    const next = answer.post
    latest.current = { base: next, draft: rebased(latest.current.draft, sent.draft, draftOf(next)) }
    hearing.onSaved(sent.draft, next)
    return true
  }

  async function explain(problems: readonly Problem[], { id, version }: Post): Promise<false> {
    const newest = await reached(() => newestPost(slug, id))
    if (newest.done && newest.post.version > version) hearing.onOvertaken(newest.post)
    else hearing.onProblems(problems)
    return false
  }

  /** Whether all of it is on the server then. */
  return () => {
    turn.current = turn.current.catch(() => false).then(saveLatest)
    return turn.current
  }
}
