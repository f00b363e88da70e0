'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useTransition } from 'react'
import { Button } from '#ui/Button'
import { LinkButton } from '#ui/LinkButton'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { DashboardChoice, usePlacedToast } from '#studio/card-placement/AddToDashboard'
import { changeInsight, saveInsight } from './changes'
import { InsightFields, type SavedInsightFields } from './InsightFields'
import type { SavingChoices } from './saving-choices'
import { titleFor } from './kinds'
import type { KindQuery } from './use-query-draft'

interface SaveProps extends SavingChoices {
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
      <SaveAs {...props} />
      {saved && (
        <Button variant="primary" onClick={() => change(saved.id)} busy={isPending} disabledReason={whyNot}>
          Save changes
        </Button>
      )}
      {password}
    </div>
  )
}

function SaveAs({ slug, query, saved, folders, tags, dashboards, whyNot }: SaveProps) {
  const router = useNavigation()
  const showToast = useToast()
  const showPlaced = usePlacedToast(slug)

  return (
    <ChangeDialog
      title="Save insight"
      trigger={
        <Button variant={saved ? 'secondary' : 'primary'} disabledReason={whyNot}>
          {saved ? 'Save as new…' : 'Save…'}
        </Button>
      }
      change={(formData) => saveInsight(slug, query, formData)}
      saved="Insight saved"
      onDone={({ id, dashboard, notPlaced }) => {
        if (dashboard) showPlaced(dashboard)
        if (notPlaced !== undefined)
          showToast({ title: `Not added to the dashboard. ${notPlaced}`, tone: 'danger' })
        router.push(paths.insight(slug, id))
      }}
      submit="Save"
    >
      <InsightFields
        start={{ name: titleFor(query), description: '', folder: saved?.folder ?? '', tags: [] }}
        folders={folders}
        tags={tags}
      />
      <DashboardChoice label="Add to dashboard" dashboards={dashboards} />
    </ChangeDialog>
  )
}
