'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '../../../../../../../ui/Notice'
import { Skeleton } from '../../../../../../../ui/Skeleton'
import { reached } from '../../../../../reached'
import { previewText } from '../actions'
import { type PreviewLook, PreviewSheet } from '../PreviewSheet'

const settleMs = 250

interface PreviewProps {
  slug: string
  title: string
  body: string
  look: PreviewLook
}

/** The text as readers will see it, a moment after it was typed. What was drawn last stays until the next is there. */
export function Preview({ slug, title, body, look }: PreviewProps) {
  const { drawn, trouble } = useDrawn(slug, body)
  return (
    <div className="flex flex-col gap-4">
      {trouble && (
        <Notice tone="warning" title="The preview is not up to date">
          {trouble}
        </Notice>
      )}
      <PreviewSheet look={look}>
        <p className="mb-5 text-2xl font-semibold text-balance">{title || 'Untitled'}</p>
        {drawn ?? <Skeleton className="h-64 w-full" />}
      </PreviewSheet>
    </div>
  )
}

/** One question at a time: what was typed while one is answered is asked about once it has been. */
function useDrawn(slug: string, body: string) {
  const [drawn, setDrawn] = useState<ReactNode>()
  const [trouble, setTrouble] = useState<string>()
  const wanted = useRef(body)
  const isAsking = useRef(false)

  useEffect(() => {
    wanted.current = body
    const ask = async () => {
      if (isAsking.current) return
      isAsking.current = true
      for (let asked: string | undefined; asked !== wanted.current;) {
        asked = wanted.current
        const answer = await reached(() => previewText(slug, wanted.current))
        setTrouble(answer.done ? undefined : answer.problems.map(({ message }) => message).join(' '))
        if (answer.done) setDrawn(answer.drawn)
      }
      isAsking.current = false
    }
    const timer = setTimeout(() => void ask(), settleMs)
    return () => clearTimeout(timer)
  }, [slug, body])

  return { drawn, trouble }
}
