'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { DashboardChoice, usePlacedToast } from '#studio/card-placement/AddToDashboard'
import { saveInsight } from './changes'
import { InsightFields } from './InsightFields'
import { titleFor } from './kinds'
import type { SaveProps } from './SaveActions'

interface SaveInsightProps extends SaveProps {
  open: boolean
  onClose: () => void
}

/** The dialog in which a query is saved under a name. */
export function SaveInsight({
  slug,
  query,
  saved,
  folders,
  tags,
  dashboards,
  open,
  onClose,
}: SaveInsightProps) {
  const router = useNavigation()
  const showToast = useToast()
  const showPlaced = usePlacedToast(slug)

  return (
    <ChangeDialog
      title="Save insight"
      open={open}
      onClose={onClose}
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
