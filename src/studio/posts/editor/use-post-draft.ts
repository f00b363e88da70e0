'use client'

import { useEffect, useState } from 'react'
import type { Post } from '#posts/post'
import { withUnpublished } from '#posts/unpublished'
import { type ActionResult, problemsByField } from '#studio/parts/action-result'
import { useVersionedDraft } from '#studio/parts/use-versioned-draft'
import { reloadPost, savePost } from '../actions'
import { differencesOf, draftOf, inputOf, type PostDraft } from './draft'
import { useLocalDraft } from './use-local-draft'

interface PostDraftOptions {
  saved: string
  isReadOnly: boolean
}

type PostResult = ActionResult<{ post: Post }>

/** Publishes or discards the unpublished changes of a version. */
type ChangesDecision = (slug: string, id: string, version: number) => Promise<PostResult>

/** The draft of a post, which saves itself while it is written, and is stored in this browser until it is saved. */
export function usePostDraft(slug: string, stored: Post, { saved, isReadOnly }: PostDraftOptions) {
  const editing = useVersionedDraft<Post, PostDraft>(withUnpublished(stored), {
    draftOf,
    differencesOf,
    isNewer: (one, other) => one.version > other.version,
    save: async (draft, { id, version }, { isAutosave }) =>
      subjectOf(await savePost(slug, id, inputOf(draft, version), isAutosave)),
    reload: async ({ id }) => subjectOf(await reloadPost(slug, id)),
    problemsIn: (problems, sent) => problemsByField(problems, (name) => Object.hasOwn(sent, name)),
    savedMessage: () => saved,
  })
  const { base, draft, setDraft, isUnsaved, otherChange } = editing
  const kept = useLocalDraft(slug, base, draft, isUnsaved)
  const isHeld = !isUnsaved || isReadOnly || otherChange !== undefined || kept.found !== undefined
  const isAutosaving = useAutosave(editing.autosave, isHeld ? undefined : draft)

  return {
    ...editing,
    isAutosaving,
    /** Whether readers would see something else if everything were published. */
    hasChanges: isUnsaved || base.unpublished !== undefined,
    /**
     * Saves first, so that the history has what is published or discarded. Resolves to the version that had the
     * changes, if there were any, and to undefined if it failed.
     */
    async decide(decision: ChangesDecision): Promise<{ version: number | undefined } | undefined> {
      let decided: number | undefined
      const done = await editing.saveAndChange(({ id, version, unpublished }) => {
        decided = unpublished?.version
        return unpublished && decision(slug, id, version).then(subjectOf)
      })
      return done && { version: decided }
    },
    kept,
    restoreKept: () => setDraft(kept.take() ?? draft),
  }
}

const subjectOf = (answer: PostResult) =>
  answer.done ? { done: true as const, subject: withUnpublished(answer.post) } : answer

export type PostEditing = ReturnType<typeof usePostDraft>

/** A pause in writing after which the draft is saved by itself. */
const saveAfterMs = 2000

/** Saves a draft once it has rested; the next change retries a failed save. Returns whether it is saving now. */
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
