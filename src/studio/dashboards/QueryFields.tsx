'use client'

import { useEffect, useState } from 'react'
import { InsightForm } from '#studio/insights/form/InsightForm'
import type { KindName, QueryByKind } from '#insights/answered-query'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Skeleton } from '#ui/page/Skeleton'
import { builtKinds } from '#studio/insights/kinds'
import { StudioPickers } from '#studio/insights/pickers'
import { defaultQuery } from './changes'

type EditedCardQuery = { kind: string; [part: string]: unknown }

/** The kind and the fields of a query. */
export function QueryFields({
  slug,
  query: insightQuery,
  isNew,
  onChange,
}: {
  slug: string
  query: EditedCardQuery
  isNew: boolean
  onChange: (query: EditedCardQuery) => void
}) {
  // a saved query was parsed by its kind; a new one begins with the kind's defaults
  const [isRead, setRead] = useState(!isNew)
  const choose = async (kind: string) => {
    const usual = await defaultQuery(slug, kind)
    if (!usual.done) return
    onChange({ ...usual.question, kind })
    setRead(true)
  }
  useEffect(() => {
    if (!isRead) void choose(insightQuery.kind)
    // only at the beginning
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  return (
    <StudioPickers slug={slug}>
      {isNew && (
        <Field label="Insight type">
          <Select
            options={builtKinds.map(({ kind, label, asks }) => ({ value: kind, label, hint: asks }))}
            value={insightQuery.kind}
            onChange={(kind) => void choose(kind)}
          />
        </Field>
      )}
      {isRead ? (
        <div key={insightQuery.kind} className="flex flex-col gap-5">
          <InsightForm
            // read by its kind, on the server
            query={insightQuery as unknown as QueryByKind[KindName]}
            onChange={onChange}
          />
        </div>
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </StudioPickers>
  )
}
