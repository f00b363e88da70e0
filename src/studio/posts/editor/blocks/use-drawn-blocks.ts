'use client'

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { addressesFor } from '#posts/source-blocks'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { previewBlocksOf } from '../../actions'
import { isUndrawn } from './block-kinds'
import type { EditorBlock } from './block-document'

const debounceMs = 120
/** In one request; the server takes no more. */
const batchSize = 40

type DrawnBlocks = ReadonlyMap<string, ReactNode>

/** Draws blocks as readers will see them; returns what is drawn of a block, once it is. */
export function useDrawnBlocks(slug: string, body: string, blocks: readonly EditorBlock[], activeId: number) {
  const [drawn, setDrawn] = useState<DrawnBlocks>(new Map())
  const [problem, setProblem] = useState<string>()
  const addresses = useMemo(() => addressesFor(body), [body])
  const textOf = ({ source }: EditorBlock): string => addresses(source) + source
  const missing = blocks
    .filter((block) => block.id !== activeId && block.type !== 'table' && !isUndrawn(block))
    .map(textOf)
    .filter((text) => !drawn.has(text))
    .slice(0, batchSize)
  const wanted = [...new Set(missing)]
  const key = JSON.stringify(wanted)
  const latest = useRef(wanted)
  const isAsking = useRef(false)

  useEffect(() => {
    // the key is made above, of texts
    latest.current = JSON.parse(key) as string[]
    const ask = async () => {
      const texts = latest.current
      if (isAsking.current || texts.length === 0) return
      isAsking.current = true
      const answer = await withNetworkErrors(() => previewBlocksOf(slug, texts))
      isAsking.current = false
      setProblem(answer.done ? undefined : answer.problems[0]?.message)
      const found = answer.done ? answer.drawn : []
      if (found.length > 0)
        setDrawn(
          (before) => new Map([...before, ...found.map((one, index) => [texts[index] ?? '', one] as const)]),
        )
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => clearTimeout(timer)
  }, [slug, key])

  return { drawnOf: (block: EditorBlock): ReactNode => drawn.get(textOf(block)), problem }
}
