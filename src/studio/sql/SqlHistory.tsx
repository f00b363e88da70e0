'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { forget, remembered } from './sql-history'
import type { SqlDraft } from './sql-draft'

/** Recent queries, stored only in this browser. */
export function SqlHistory({ slug, onChoose }: { slug: string; onChoose: (draft: SqlDraft) => void }) {
  const [drafts, setDrafts] = useState<readonly SqlDraft[]>(() => remembered(slug))

  if (drafts.length === 0)
    return (
      <Panel>
        <EmptyMessage
          title="No queries yet"
          body="The last 20 queries you run in this browser appear here."
        />
      </Panel>
    )
  const clear = () => {
    forget(slug)
    setDrafts([])
  }
  return (
    <Panel footer="Stored in this browser only.">
      <ul className="flex flex-col gap-2">
        {drafts.map((draft) => (
          <li key={draft.text} className="flex flex-col gap-1.5 border-b border-line pb-2 last:border-b-0">
            <div className="rounded-md bg-sunken px-2.5 py-2">
              <pre className="line-clamp-4 font-mono text-2xs break-words whitespace-pre-wrap text-muted">
                {draft.text}
              </pre>
            </div>
            <span>
              <Button
                size="sm"
                aria-label={`Use again: ${draft.text.slice(0, 60)}`}
                onClick={() => onChoose(draft)}
              >
                Use again
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div className="pt-2">
        <Button variant="quiet" size="sm" onClick={clear}>
          Clear history
        </Button>
      </div>
    </Panel>
  )
}
