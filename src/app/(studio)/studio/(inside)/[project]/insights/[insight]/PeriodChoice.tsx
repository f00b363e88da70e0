'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { PeriodPicker } from '#insights/calendar/PeriodPicker'
import { questionText } from '#insights/text/question-text'
import { LinkButton } from '#ui/LinkButton'
import { Spinner } from '#ui/Spinner'
import { paths } from '#app/paths'
import type { KindQuestion } from '#app/(studio)/insights/use-question-draft'

/** Changes the period for this view only; the saved insight stays unchanged. */
export function PeriodChoice({
  slug,
  id,
  kept,
  shown,
}: {
  slug: string
  id: string
  kept: KindQuestion
  shown: KindQuestion
}) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const choose = (period: string) =>
    startTransition(() =>
      router.replace(
        period === kept.period
          ? paths.insight(slug, id)
          : paths.insight(slug, id, { q: questionText({ ...kept, period }) }),
        { scroll: false },
      ),
    )

  return (
    <div className="flex flex-wrap items-center gap-2">
      <PeriodPicker value={shown.period} onChange={choose} />
      {shown.period !== kept.period && (
        <LinkButton href={paths.insight(slug, id)} variant="quiet">
          Reset
        </LinkButton>
      )}
      {isPending && <Spinner size="sm" />}
    </div>
  )
}
