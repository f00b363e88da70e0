'use client'

import { Play, Square } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { SqlTableDescription } from '#insights/ask'
import { PeriodPicker } from '#studio/insights/form/PeriodPicker'
import { sqlOver } from '#studio/insights/kinds/sql/sql-language'
import { Button } from '#ui/Button'
import { CodeEditor } from '#ui/form/CodeEditor'
import { insertText } from '#ui/form/insert-text'
import { Icon } from '#ui/Icon'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { Notice } from '#ui/page/Notice'
import { Tabs } from '#ui/page/Tabs'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import { examples } from './examples'
import { type SqlDraft, hasPeriod, usualPeriod } from './sql-draft'
import { Results } from './Results'
import { ExampleList, TableList } from './Schema'
import { offsetOf, positionIn, type SqlResult } from './sql-result'
import { type SqlRun, useSql } from './use-sql'
import { forget, remembered } from './sql-history'

const first: SqlDraft = { text: examples[0]?.text ?? '', period: usualPeriod, chart: 'table' }

/** The editor, the schema and the results. */
export function SqlWorkbench({
  slug,
  tables,
  asked: initialDraft,
}: {
  slug: string
  tables: readonly SqlTableDescription[]
  asked: SqlDraft | undefined
}) {
  const [draft, setDraft] = useState(initialDraft ?? first)
  const { run, start, stop, show } = useSql(slug, initialDraft)
  const field = useRef<HTMLTextAreaElement>(null)
  const write = (text: string) => setDraft({ ...draft, text })
  const insert = (text: string) => field.current && insertText(field.current, text)

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <SqlEditor
          tables={tables}
          draft={draft}
          run={run}
          field={field}
          onChange={setDraft}
          onRun={() => void start(draft)}
          onStop={stop}
        />
        <Results
          slug={slug}
          run={run}
          onRetry={() => void start(draft)}
          onChart={(chart) => {
            setDraft({ ...draft, chart })
            show(chart)
          }}
        />
      </div>
      <Tabs
        label="Side panel"
        look="segment"
        tabs={[
          { value: 'tables', label: 'Tables', content: <TableList tables={tables} onInsert={insert} /> },
          { value: 'examples', label: 'Examples', content: <ExampleList onChoose={write} /> },
          {
            value: 'history',
            label: 'History',
            content: <SqlHistory key={run.state} slug={slug} onChoose={setDraft} />,
          },
        ]}
      />
    </div>
  )
}

interface SqlEditorProps {
  tables: readonly SqlTableDescription[]
  draft: SqlDraft
  run: SqlRun
  field: React.RefObject<HTMLTextAreaElement | null>
  onChange: (draft: SqlDraft) => void
  onRun: () => void
  onStop: () => void
}

const errorId = 'sql-wrong'

function SqlEditor({ tables, draft, run, field, onChange, onRun, onStop }: SqlEditorProps) {
  const language = useMemo(() => sqlOver(tables), [tables])
  const wrong = errorIn(run)
  const errorPosition = wrong && positionIn(wrong)
  // an edited statement may no longer have the error
  const isAsRun = run.state === 'told' && run.draft.text === draft.text
  const goThere = () => {
    const at = errorPosition ? offsetOf(draft.text, errorPosition) : 0
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  }
  return (
    <section aria-label="Query" className="flex flex-col gap-3">
      <CodeEditor
        ref={field}
        label="SQL"
        language={language}
        value={draft.text}
        onChange={(text) => onChange({ ...draft, text })}
        onSubmit={onRun}
        placeholder="select count() from events"
        {...(isAsRun && errorPosition && { wrongLine: errorPosition.line })}
        {...(wrong && { describedBy: errorId })}
      />
      {wrong && (
        <div id={errorId}>
          <Notice
            tone="danger"
            title="The query cannot run"
            urgent
            action={
              errorPosition &&
              isAsRun && (
                <Button size="sm" onClick={goThere}>
                  Go to line {errorPosition.line}
                </Button>
              )
            }
          >
            {wrong}
          </Notice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {run.state === 'running' ? (
          <Button key="stop" variant="primary" icon={<Icon of={Square} />} onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button
            key="run"
            variant="primary"
            icon={<Icon of={Play} />}
            onClick={onRun}
            {...(draft.text.trim() === '' && { disabledReason: 'Write a query first.' })}
          >
            Run
          </Button>
        )}
        {hasPeriod(draft.text) && (
          <PeriodPicker value={draft.period} onChange={(period) => onChange({ ...draft, period })} />
        )}
        <span className="text-xs text-muted max-sm:hidden">
          <KeyHint keys="mod+enter" /> runs it
        </span>
      </div>
    </section>
  )
}

/** A temporary error is shown in place of the results. */
const errorIn = (run: SqlRun): string | undefined =>
  run.state === 'told' && !run.result.done && !run.result.isTrouble ? sentencesOf(run.result) : undefined

const sentencesOf = ({ problems }: Extract<SqlResult, { done: false }>): string =>
  problems.map(({ message }) => message).join(' ')

/** Recent queries, stored only in this browser. */
function SqlHistory({ slug, onChoose }: { slug: string; onChoose: (draft: SqlDraft) => void }) {
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
