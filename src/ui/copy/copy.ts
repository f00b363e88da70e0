'use client'

import { useEffect, useState } from 'react'

const shownForMs = 1600

type CopyOutcome = 'copied' | 'failed'

/** Copies to the clipboard and knows, for a moment, what became of it. */
export function useCopy(text: string): { copy: () => void; outcome: CopyOutcome | undefined } {
  const [outcome, setOutcome] = useState<CopyOutcome>()

  useEffect(() => {
    const timer = outcome && setTimeout(() => setOutcome(undefined), shownForMs)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = () => {
    write(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }
  return { copy, outcome }
}

/** Browsers give the clipboard to secure pages only; on a plain http address the old command still works. */
async function write(text: string) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else if (!writeByCommand(text)) throw new Error('Copying failed')
}

function writeByCommand(text: string): boolean {
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.position = 'fixed'
  document.body.append(holder)
  holder.select()
  const isWritten = document.execCommand('copy')
  holder.remove()
  return isWritten
}
