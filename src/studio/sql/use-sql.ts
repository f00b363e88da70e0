'use client'

import { useEffect, useRef, useState } from 'react'
import type { SqlChartType } from '#studio/insights/kinds/sql/chart-type'
import { longestQuery } from '#insights/text/query-text'
import { paths } from '#studio/paths'
import { remember } from './sql-history'
import { type SqlDraft, draftText, hasPeriod } from './sql-draft'
import type { SqlResult } from './sql-result'

export type SqlRun =
  | { state: 'idle' }
  | { state: 'running'; draft: SqlDraft }
  | { state: 'told'; draft: SqlDraft; result: SqlResult }

/** Runs the editor's content, one statement at a time; leaving the page aborts it. */
export function useSql(slug: string, initialDraft: SqlDraft | undefined) {
  const [run, setRun] = useState<SqlRun>({ state: 'idle' })
  const going = useRef<AbortController>(undefined)

  async function start(draft: SqlDraft) {
    going.current?.abort()
    const now = (going.current = new AbortController())
    setRun({ state: 'running', draft })
    putInAddress(slug, draft)
    remember(slug, draft)
    const result = await ask(slug, draft, now.signal)
    if (going.current === now && result) setRun({ state: 'told', draft, result })
  }

  function stop() {
    going.current?.abort()
    going.current = undefined
    setRun({ state: 'idle' })
  }

  function show(chart: SqlChartType) {
    if (run.state !== 'told') return
    const draft = { ...run.draft, chart }
    setRun({ ...run, draft })
    putInAddress(slug, draft)
  }

  useEffect(() => {
    // an address with a statement is a shared link, so it runs at once
    if (initialDraft) void start(initialDraft)
    return () => going.current?.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what the page was opened with
  }, [])

  return { run, start, stop, show }
}

async function ask(slug: string, draft: SqlDraft, signal: AbortSignal): Promise<SqlResult | undefined> {
  try {
    const answer = await fetch(paths.sqlAnswer(slug), {
      method: 'POST',
      body: formOf(draft),
      signal,
    })
    // our own route, which always responds in this shape
    return (await answer.json()) as SqlResult
  } catch {
    return signal.aborted ? undefined : unanswered
  }
}

/** A form, for that is all that pages take. */
function formOf({ text, period }: SqlDraft): FormData {
  const form = new FormData()
  form.set('text', text)
  if (hasPeriod(text)) form.set('period', period)
  return form
}

const unanswered: SqlResult = {
  done: false,
  isTrouble: true,
  problems: [{ message: 'Tilth did not respond. Check that it is running, then try again.' }],
}

/** A statement that is too long for an address is in the history. */
function putInAddress(slug: string, draft: SqlDraft) {
  const q = draftText(draft)
  window.history.replaceState(null, '', paths.sql(slug, q.length > longestQuery ? {} : { q }))
}
