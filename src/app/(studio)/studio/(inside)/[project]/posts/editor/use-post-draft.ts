'use client'

import { useCallback, useState, useTransition } from 'react'
import type { Post } from '../../../../../../../posts/post'
import { useToast } from '../../../../../../../ui/Toast'
import { type Sorted, sortProblems } from '../../../../../answer'
import { differing, draftOf, type PostDraft, rebased } from './draft'
import { useKept } from './use-kept-draft'
import { useSaving } from './use-saving'

const noProblems: Sorted = { errors: {}, messages: [] }

/** A post as it was opened, as it is being written, as this browser kept it, and as somebody else made it meanwhile. */
export function usePostDraft(slug: string, post: Post, saved: string) {
  const [base, setBase] = useState(post)
  const [draft, setDraft] = useState(() => draftOf(post))
  const [theirs, setTheirs] = useState<Post>()
  const [{ errors, messages }, setProblems] = useState(noProblems)
  const [isSaving, startSaving] = useTransition()
  const say = useToast()
  const lines = differing(draft, draftOf(base))
  const isUnsaved = lines.length > 0
  const kept = useKept(slug, base, draft, isUnsaved)

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

  const save = useSaving(
    slug,
    { base, draft },
    {
      onSaved: (sent, next) => {
        setBase(next)
        setDraft((now) => rebased(now, sent, draftOf(next)))
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
        if (await save()) say({ title: saved, tone: 'success' })
      }),
    kept,
    restoreKept: () => {
      if (kept.found) setDraft(kept.found.draft)
      kept.forget()
    },
    theirs: theirs && {
      lines: differing(draftOf(base), draftOf(theirs)),
      take: () => adopt(theirs),
      /** What is written here is held against theirs from now on. */
      keepMine: () => {
        setBase(theirs)
        setTheirs(undefined)
      },
    },
  }
}
