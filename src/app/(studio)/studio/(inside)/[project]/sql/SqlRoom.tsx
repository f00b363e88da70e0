'use client'

import { Play, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import type { SqlTable } from '../../../../../../insights/ask'
import { PeriodPicker } from '../../../../../../insights/PeriodPicker'
import { Button } from '../../../../../../ui/Button'
import { CodeEditor, insertText } from '../../../../../../ui/CodeEditor'
import { Icon } from '../../../../../../ui/Icon'
import { KeyHint } from '../../../../../../ui/KeyHint'
import { Notice } from '../../../../../../ui/Notice'
import { Tabs } from '../../../../../../ui/Tabs'
import { examples } from './examples'
import { History } from './History'
import { type Draft, hasPeriod, usualPeriod } from './question'
import { Results } from './Results'
import { ExampleList, TableList } from './Schema'
import { offsetOf, placeIn, type SqlTold } from './telling'
import { type Run, useSql } from './use-sql'

const first: Draft = { text: examples[0]?.text ?? '', period: usualPeriod }

/** An editor, what it can read, and what came of it. */
export function SqlRoom({
  slug,
  tables,
  asked,
}: {
  slug: string
  tables: readonly SqlTable[]
  asked: Draft | undefined
}) {
  const [draft, setDraft] = useState(asked ?? first)
  const { run, start, stop } = useSql(slug, asked)
  const field = useRef<HTMLTextAreaElement>(null)
  const write = (text: string) => setDraft({ ...draft, text })
  const insert = (text: string) => field.current && insertText(field.current, text)

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <Writing
          draft={draft}
          run={run}
          field={field}
          onChange={setDraft}
          onRun={() => void start(draft)}
          onStop={stop}
        />
        <Results slug={slug} run={run} onRetry={() => void start(draft)} />
      </div>
      <Tabs
        label="Beside the editor"
        look="segment"
        tabs={[
          { value: 'tables', label: 'Tables', content: <TableList tables={tables} onInsert={insert} /> },
          { value: 'examples', label: 'Examples', content: <ExampleList onChoose={write} /> },
          {
            value: 'history',
            label: 'History',
            content: <History key={run.state} slug={slug} onChoose={setDraft} />,
          },
        ]}
      />
    </div>
  )
}

interface WritingProps {
  draft: Draft
  run: Run
  field: React.RefObject<HTMLTextAreaElement | null>
  onChange: (draft: Draft) => void
  onRun: () => void
  onStop: () => void
}

const wrongId = 'sql-wrong'

function Writing({ draft, run, field, onChange, onRun, onStop }: WritingProps) {
  const wrong = wrongIn(run)
  const place = wrong && placeIn(wrong)
  // what was mended since is not wrong any more
  const isAsRun = run.state === 'told' && run.draft.text === draft.text
  const goThere = () => {
    const at = place ? offsetOf(draft.text, place) : 0
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  }
  return (
    <section aria-label="Statement" className="flex flex-col gap-3">
      <CodeEditor
        ref={field}
        label="SQL"
        value={draft.text}
        onChange={(text) => onChange({ ...draft, text })}
        onSubmit={onRun}
        placeholder="select count() from events"
        {...(isAsRun && place && { wrongLine: place.line })}
        {...(wrong && { describedBy: wrongId })}
      />
      {wrong && (
        <div id={wrongId}>
          <Notice
            tone="danger"
            title="This cannot be answered"
            urgent
            action={
              place &&
              isAsRun && (
                <Button size="sm" onClick={goThere}>
                  Go to line {place.line}
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
            {...(draft.text.trim() === '' && { disabledReason: 'Write a statement first.' })}
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

/** Trouble that passes is told in the place of the answer. */
const wrongIn = (run: Run): string | undefined =>
  run.state === 'told' && !run.told.done && !run.told.isTrouble ? sentencesOf(run.told) : undefined

const sentencesOf = ({ problems }: Extract<SqlTold, { done: false }>): string =>
  problems.map(({ message }) => message).join(' ')
