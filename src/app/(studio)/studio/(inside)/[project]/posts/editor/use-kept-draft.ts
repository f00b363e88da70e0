'use client'

import { useEffect, useRef, useState } from 'react'
import type { Post } from '../../../../../../../posts/post'
import { differing, draftOf, type PostDraft } from './draft'
import { type KeptDraft, KeptDrafts } from './kept-draft'

const keepAfterMs = 500

/** Keeps what is not saved in this browser, and finds what it kept the last time. */
export function useKept(slug: string, base: Post, draft: PostDraft, isUnsaved: boolean) {
  const [looked, setLooked] = useState<{ found: KeptDraft | undefined }>()
  const [isKept, setKept] = useState(false)
  const drafts = useRef<KeptDrafts>(undefined)
  drafts.current ??= new KeptDrafts(slug, base.id, () => localStorage)
  // nothing is written over what was found until somebody has decided about it
  const isFree = looked !== undefined && looked.found === undefined

  useEffect(() => {
    const last = drafts.current?.find(draftOf(base))
    setLooked({ found: last && differing(last.draft, draftOf(base)).length > 0 ? last : undefined })
    // only at the beginning
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    if (!isFree) return undefined
    if (!isUnsaved) return drafts.current?.forget()
    const keep = () =>
      setKept(drafts.current?.keep({ version: base.version, at: new Date(), draft }) ?? false)
    const timer = setTimeout(keep, keepAfterMs)
    return () => clearTimeout(timer)
  }, [isFree, isUnsaved, base.version, draft])

  return {
    found: looked?.found,
    isKept: isKept && isUnsaved,
    isOlder: looked?.found !== undefined && looked.found.version < base.version,
    forget: () => {
      drafts.current?.forget()
      setLooked({ found: undefined })
    },
  }
}
