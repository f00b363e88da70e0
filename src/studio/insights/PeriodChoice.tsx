'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { LinkButton } from '#ui/LinkButton'
import { paths } from '#studio/paths'
import { PeriodPicker } from './form/PeriodPicker'
import { insightOver } from './insight-over'
import type { KindQuery } from './use-query-draft'

/** Changes the period for this view only; the saved insight stays unchanged. */
export function PeriodChoice({
  slug,
  id,
  kept,
  shown,
}: {
  slug: string
  id: string
  kept: KindQuery
  shown: KindQuery
}) {
  const [{ period }, ask] = useAddressParameters(
    { period: shown.period },
    (next) => insightOver(next.period, { slug, id, kept }),
    { scroll: false },
  )

  return (
    <div className="flex flex-wrap items-center gap-2">
      <PeriodPicker isOfPage value={period} onChange={(next) => ask({ period: next })} />
      {period !== kept.period && (
        <LinkButton href={paths.insight(slug, id)} variant="quiet">
          Reset
        </LinkButton>
      )}
    </div>
  )
}
