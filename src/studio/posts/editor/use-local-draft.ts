'use client'

import { useEffect, useRef, useState } from 'react'
import type { Post } from '#posts/post'
import { differencesOf, draftOf, type PostDraft } from './draft'
import { type LocalDraft, LocalDrafts } from './local-draft'

const saveAfterMs = 500

/** Stores unsaved changes in this browser, and finds stored ones of an earlier visit. */
export function useLocalDraft(slug: string, base: Post, draft: PostDraft, isUnsaved: boolean) {
  const [looked, setLooked] = useState<{ found: LocalDraft | undefined }>()
  const [isKept, setKept] = useState(false)
  const drafts = useRef<LocalDrafts>(undefined)
  drafts.current ??= new LocalDrafts(slug, base.id, () => localStorage)
  // a stored draft is not overwritten until the member restores or discards it
  const isFree = looked !== undefined && looked.found === undefined

  useEffect(() => {
    const last = drafts.current?.find(draftOf(base))
    setLooked({ found: last && differencesOf(last.draft, draftOf(base)).length > 0 ? last : undefined })
    // only at the beginning
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    if (!isFree) return undefined
    if (!isUnsaved) return drafts.current?.forget()
    const keep = () =>
      setKept(drafts.current?.save({ version: base.version, at: new Date(), draft }) ?? false)
    const timer = setTimeout(keep, saveAfterMs)
    return () => clearTimeout(timer)
  }, [isFree, isUnsaved, base.version, draft])

  const forget = () => {
    drafts.current?.forget()
    setLooked({ found: undefined })
  }
  return {
    found: looked?.found,
    isKept: isKept && isUnsaved,
    isOlder: looked?.found !== undefined && looked.found.version < base.version,
    forget,
    /** Returns the stored draft, which is then not stored any more. */
    take: () => {
      forget()
      return looked?.found?.draft
    },
  }
}
