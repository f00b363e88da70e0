'use client'

import { type ReactNode, Suspense, useState } from 'react'
import { queryText } from '#insights/text/query-text'
import { Button } from '#ui/Button'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Progress } from '#ui/Progress'
import { Skeleton } from '#ui/page/Skeleton'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { InsightForm } from './form/InsightForm'
import { insightOver } from './insight-over'
import { StudioPickers } from './pickers'
import type { SavedInsightFields } from './InsightFields'
import { SaveActions } from './SaveActions'
import type { SavingChoices } from './saving-choices'
import { type KindQuery, useQueryDraft } from './use-query-draft'

interface BuilderProps extends SavingChoices {
  slug: string
  /** The query that the answer on the page is to. */
  answered: KindQuery
  /** The query in the address, as text. */
  q: string | undefined
  /** The problem with the query in the address, if any. */
  problem?: string
  /** The insight that is being changed; none where it is a new one. */
  saved?: SavedInsightFields & { query: KindQuery }
  whyNot?: string
  /** The answer, drawn by the server. */
  children: ReactNode
}

/** A query is built on one side; its answer follows on the other. */
export function Builder({ slug, answered, q, problem, saved, children, ...saving }: BuilderProps) {
  const asking = useQueryDraft({ slug, insightId: saved?.id, answered, q })
  const { question, ask } = asking
  const [opened] = useState(question)

  return (
    <StudioPickers slug={slug}>
      <div className="grid items-start gap-5 lg:grid-cols-[21rem_minmax(0,1fr)]">
        <div className="min-w-0 max-lg:order-last">
          <Panel title="Definition">
            <Suspense fallback={<FormLoading />}>
              <div className="flex flex-col gap-5" onBlur={asking.settle}>
                <InsightForm query={question} onChange={(next) => ask(next)} />
              </div>
            </Suspense>
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-16">
          <SaveActions
            slug={slug}
            query={question}
            saved={saved}
            cancelHref={saved && insightOver(opened.period, { slug, id: saved.id, kept: saved.query })}
            {...saving}
          />
          <LeavingGuard isUnsaved={saved !== undefined && queryText(question) !== queryText(opened)} />
          {problem && <Notice tone="warning" title={problem} />}
          {asking.isTooLong && (
            <Notice tone="warning" title="This insight is too large for a URL">
              Remove some filters or values. The chart below shows the previous definition.
            </Notice>
          )}
          <Waiting {...asking} />
          <div
            aria-busy={asking.isPending}
            className={`min-w-0 transition-opacity ${asking.isPending ? 'opacity-55' : ''}`}
          >
            {children}
          </div>
        </div>
      </div>
    </StudioPickers>
  )
}

/** After a moment it is said that the answer takes its time; until then nothing jumps. */
function Waiting({ isSlow, cancel }: Pick<ReturnType<typeof useQueryDraft>, 'isSlow' | 'cancel'>) {
  if (!isSlow) return null
  return (
    <div className="flex items-center gap-3">
      <output className="grow">
        <Progress label="Loading" />
      </output>
      <Button size="sm" onClick={cancel}>
        Cancel
      </Button>
    </div>
  )
}

const FormLoading = () => (
  <div className="flex flex-col gap-4">
    {Array.from({ length: 6 }, (_, index) => (
      <Skeleton key={index} className="h-8 w-full" />
    ))}
  </div>
)
