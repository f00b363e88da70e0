'use client'

import { useEffect, useRef, useState } from 'react'
import { longestQuestion } from '../../../../../../insights/question-text'
import { paths } from '../../../../../paths'
import { remember } from './history'
import { type Draft, draftText, hasPeriod } from './question'
import type { SqlTold } from './telling'

export type Run =
  | { state: 'idle' }
  | { state: 'running'; draft: Draft }
  | { state: 'told'; draft: Draft; told: SqlTold }

/** Runs what stands in the editor, one statement at a time; leaving the page stops it. */
export function useSql(slug: string, asked: Draft | undefined) {
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const going = useRef<AbortController>(undefined)

  async function start(draft: Draft) {
    going.current?.abort()
    const now = (going.current = new AbortController())
    setRun({ state: 'running', draft })
    keepInAddress(slug, draft)
    remember(slug, draft)
    const told = await ask(slug, draft, now.signal)
    if (going.current === now && told) setRun({ state: 'told', draft, told })
  }

  function stop() {
    going.current?.abort()
    going.current = undefined
    setRun({ state: 'idle' })
  }

  useEffect(() => {
    // an address with a statement in it is somebody's answer
    if (asked) void start(asked)
    return () => going.current?.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what the page was opened with
  }, [])

  return { run, start, stop }
}

async function ask(slug: string, draft: Draft, signal: AbortSignal): Promise<SqlTold | undefined> {
  try {
    const answer = await fetch(paths.sqlAnswer(slug), {
      method: 'POST',
      body: formOf(draft),
      signal,
    })
    // our own route, which answers in this shape whatever happens
    return (await answer.json()) as SqlTold
  } catch {
    return signal.aborted ? undefined : unanswered
  }
}

/** A form, for that is all that pages take. */
function formOf({ text, period }: Draft): FormData {
  const form = new FormData()
  form.set('text', text)
  if (hasPeriod(text)) form.set('period', period)
  return form
}

const unanswered: SqlTold = {
  done: false,
  isTrouble: true,
  problems: [{ message: 'Tilth did not answer. Look whether it runs, and try again.' }],
}

/** What is too long for an address is in the list of what was run. */
function keepInAddress(slug: string, draft: Draft) {
  const q = draftText(draft)
  window.history.replaceState(null, '', paths.sql(slug, q.length > longestQuestion ? {} : { q }))
}
