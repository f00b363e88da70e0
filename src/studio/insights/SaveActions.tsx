'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { deferred, nearnessOf } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { LinkButton } from '#ui/LinkButton'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { changeInsight } from './changes'
import type { SavedInsightFields } from './InsightFields'
import type { SavingChoices } from './saving-choices'
import type { KindQuery } from './use-query-draft'

const savingDialog = deferred(async () => (await import('./SaveInsight')).SaveInsight)

export interface SaveProps extends SavingChoices {
  slug: string
  query: KindQuery
  saved?: SavedInsightFields
  /** The address that discards the changes. */
  cancelHref?: string
  whyNot?: string
}

/** Keeps the query: as it was called, or under a new name. */
export function SaveActions(props: SaveProps) {
  const { slug, query, saved, cancelHref, whyNot } = props
  const router = useNavigation()
  const showToast = useToast()
  const { make, question: password } = useDirectChange()
  const [isPending, startTransition] = useTransition()
  const [isNaming, setNaming] = useState(false)

  const change = (id: string) =>
    startTransition(async () => {
      const failed = await make(() => changeInsight(slug, id, { question: query }), {
        saved: 'Insight saved',
      })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
      else router.push(paths.insight(slug, id))
    })

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {cancelHref !== undefined && (
        <span data-discards>
          <LinkButton href={cancelHref}>Cancel</LinkButton>
        </span>
      )}
      <Button
        variant={saved ? 'secondary' : 'primary'}
        aria-haspopup="dialog"
        disabledReason={whyNot}
        onClick={() => setNaming(true)}
        {...nearnessOf(savingDialog)}
      >
        {saved ? 'Save as new…' : 'Save…'}
      </Button>
      <WhenOpened isOpen={isNaming} load={savingDialog} onFailure={() => setNaming(false)}>
        {(SaveInsight) => <SaveInsight {...props} open={isNaming} onClose={() => setNaming(false)} />}
      </WhenOpened>
      {saved && (
        <Button variant="primary" onClick={() => change(saved.id)} busy={isPending} disabledReason={whyNot}>
          Save changes
        </Button>
      )}
      {password}
    </div>
  )
}
