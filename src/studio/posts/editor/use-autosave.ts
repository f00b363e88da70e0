'use client'

import { useEffect, useState } from 'react'
import type { PostDraft } from './draft'

/** A pause in writing after which the draft is saved by itself. */
const saveAfterMs = 2000

/** Saves a draft once it has rested; a save that fails is tried again with the next change. Returns whether it saves now. */
export function useAutosave(save: () => Promise<unknown>, draft: PostDraft | undefined): boolean {
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
