'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '#ui/page/Notice'
import { Skeleton } from '#ui/page/Skeleton'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { previewText } from '../actions'
import { type PreviewTheme, PreviewSheet } from '../PreviewSheet'

const debounceMs = 250

interface PreviewProps {
  slug: string
  title: string
  body: string
  theme: PreviewTheme
}

/** The text as readers will see it, a moment after it was typed. What was drawn last stays until the next is there. */
export function Preview({ slug, title, body, theme }: PreviewProps) {
  const { drawn, trouble } = useRenderedPreview(slug, body)
  return (
    <div className="flex flex-col gap-4">
      {trouble && (
        <Notice tone="warning" title="The preview is not up to date">
          {trouble}
        </Notice>
      )}
      <PreviewSheet look={theme}>
        <p className="mb-5 text-2xl font-semibold text-balance">{title || 'Untitled'}</p>
        {drawn ?? <Skeleton className="h-64 w-full" />}
      </PreviewSheet>
    </div>
  )
}

/** Sends one request at a time: text typed during a request is sent after it. */
function useRenderedPreview(slug: string, body: string) {
  const [drawn, setDrawn] = useState<ReactNode>()
  const [trouble, setTrouble] = useState<string>()
  const latestBody = useRef(body)
  const isAsking = useRef(false)

  useEffect(() => {
    latestBody.current = body
    const ask = async () => {
      if (isAsking.current) return
      isAsking.current = true
      for (let requestedBody: string | undefined; requestedBody !== latestBody.current;) {
        requestedBody = latestBody.current
        const answer = await withNetworkErrors(() => previewText(slug, latestBody.current))
        setTrouble(answer.done ? undefined : answer.problems.map(({ message }) => message).join(' '))
        if (answer.done) setDrawn(answer.drawn)
      }
      isAsking.current = false
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => clearTimeout(timer)
  }, [slug, body])

  return { drawn, trouble }
}
