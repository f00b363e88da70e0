'use client'

import { useCallback, useState, useTransition } from 'react'
import type { Post } from '#posts/post'
import { withUnpublished } from '#posts/unpublished'
import { useToast } from '#ui/overlay/Toast'
import { type SortedProblems, sortProblems } from '#app/(studio)/action-result'
import { differingParts, draftOf, type PostDraft, rebaseDraft } from './draft'
import { useLocalDraft } from './use-local-draft'
import { usePostSaving } from './use-post-saving'

const noProblems: SortedProblems = { errors: {}, messages: [] }

/** A post as it was opened, the draft of it, the draft in this browser, and the version another member saved meanwhile. */
export function usePostDraft(slug: string, stored: Post, saved: string) {
  const post = withUnpublished(stored)
  const [base, setBase] = useState(post)
  const [draft, setDraft] = useState(() => draftOf(post))
  const [theirs, setTheirs] = useState<Post>()
  const [{ errors, messages }, setProblems] = useState(noProblems)
  const [isSaving, startSaving] = useTransition()
  const showToast = useToast()
  const lines = differingParts(draft, draftOf(base))
  const isUnsaved = lines.length > 0
  const kept = useLocalDraft(slug, base, draft, isUnsaved)

  function adopt(next: Post) {
    setBase(next)
    setDraft(draftOf(next))
    setTheirs(undefined)
    setProblems(noProblems)
  }

  if (post.version > base.version && post.version !== theirs?.version) {
    if (isUnsaved) setTheirs(post)
    else adopt(post)
  }

  const { save, decide } = usePostSaving(
    slug,
    { base, draft },
    {
      onSaved: (sent, next) => {
        setBase(next)
        setDraft((now) => rebaseDraft(now, sent, draftOf(next)))
        setTheirs(undefined)
        setProblems(noProblems)
      },
      onOvertaken: setTheirs,
      onProblems: (problems) => setProblems(sortProblems(problems, (name) => Object.hasOwn(draft, name))),
    },
  )

  return {
    base,
    draft,
    change: useCallback((part: Partial<PostDraft>) => setDraft((before) => ({ ...before, ...part })), []),
    isUnsaved,
    lines,
    errors,
    messages,
    isSaving,
    save,
    saveSoon: () =>
      startSaving(async () => {
        if (await save()) showToast({ title: saved, tone: 'success' })
      }),
    /** Whether readers would see something else if everything were published. */
    hasChanges: isUnsaved || base.unpublished !== undefined,
    decide,
    startSaving,
    kept,
    restoreKept: () => {
      if (kept.found) setDraft(kept.found.draft)
      kept.forget()
    },
    theirs: theirs && {
      lines: differingParts(draftOf(base), draftOf(theirs)),
      take: () => adopt(theirs),
      /** What is written here is held against theirs from now on. */
      keepMine: () => {
        setBase(theirs)
        setTheirs(undefined)
      },
    },
  }
}
