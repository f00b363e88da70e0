'use client'

import { useCallback, useState, useTransition, useEffect } from 'react'
import type { Post } from '#posts/post'
import { withUnpublished } from '#posts/unpublished'
import { useToast } from '#ui/overlay/Toast'
import { type SortedProblems, sortProblems } from '#studio/parts/action-result'
import { differingParts, draftOf, type PostDraft, rebaseDraft } from './draft'
import { useLocalDraft } from './use-local-draft'
import { usePostSaving } from './use-post-saving'

const noProblems: SortedProblems = { errors: {}, messages: [] }

interface PostDraftOptions {
  /** What is said after a save. */
  saved: string
  isReadOnly: boolean
}

/** A post as it was opened, the draft of it, the draft in this browser, and the version another member saved meanwhile. */
export function usePostDraft(slug: string, stored: Post, { saved, isReadOnly }: PostDraftOptions) {
  const post = withUnpublished(stored)
  const [base, setBase] = useState(post)
  const [draft, setDraft] = useState(() => draftOf(post))
  const [theirs, setTheirs] = useState<Post>()
  const [{ errors, messages }, setProblems] = useState(noProblems)
  const [isSaving, startSaving] = useTransition()
  const showToast = useToast()
  const [autosaved, setAutosaved] = useState<PostDraft>()
  const lines = differingParts(draft, draftOf(base))
  // the server trims what it stores, so a saved draft may differ from it
  const isUnsaved = lines.length > 0 && draft !== autosaved
  const kept = useLocalDraft(slug, base, draft, isUnsaved)

  function settle(next: Post) {
    setBase(next)
    setTheirs(undefined)
    setProblems(noProblems)
  }

  function adopt(next: Post) {
    settle(next)
    setDraft(draftOf(next))
  }

  if (post.version > base.version && post.version !== theirs?.version) {
    if (isUnsaved) setTheirs(post)
    else adopt(post)
  }

  const { save, autosave, decide } = usePostSaving(
    slug,
    { base, draft },
    {
      onSaved: (sent, next, isAutosave) => {
        settle(next)
        if (isAutosave) setAutosaved(sent)
        else setDraft((now) => rebaseDraft(now, sent, draftOf(next)))
      },
      onOvertaken: setTheirs,
      onProblems: (problems) => setProblems(sortProblems(problems, (name) => Object.hasOwn(draft, name))),
    },
  )

  const isHeld = !isUnsaved || isReadOnly || theirs !== undefined || kept.found !== undefined
  const isAutosaving = useAutosave(autosave, isHeld ? undefined : draft)

  return {
    base,
    draft,
    isAutosaving,
    isAutosaved: autosaved !== undefined,
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
    restoreKept: () => setDraft(kept.take() ?? draft),
    theirs: theirs && {
      lines: differingParts(draftOf(base), draftOf(theirs)),
      take: () => adopt(theirs),
      /** What is written here is held against theirs from now on. */
      keepMine: () => settle(theirs),
    },
  }
}

export type PostEditing = ReturnType<typeof usePostDraft>

/** A pause in writing after which the draft is saved by itself. */
const saveAfterMs = 2000

/** Saves a draft once it has rested; a save that fails is tried again with the next change. Returns whether it saves now. */
function useAutosave(save: () => Promise<unknown>, draft: PostDraft | undefined): boolean {
  const [isSaving, setSaving] = useState(false)
  useEffect(() => {
    if (draft === undefined) return undefined
    const timer = setTimeout(() => {
      setSaving(true)
      void save().finally(() => setSaving(false))
    }, saveAfterMs)
    return () => clearTimeout(timer)
    // `save` is another function in every render and always saves the latest draft
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft])
  return isSaving
}
