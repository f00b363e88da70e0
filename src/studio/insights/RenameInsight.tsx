'use client'

import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { renameInsight } from './changes'
import { InsightFields } from './InsightFields'
import type { SavingChoices } from './saving-choices'

interface RenameInsightProps {
  slug: string
  insight: { id: string; name: string; description: string; folder: string; tags: string[] }
  choices: SavingChoices
  open: boolean
  onClose: () => void
}

/** The dialog in which an insight gets another name, description, folder or tags. */
export const RenameInsight = ({
  slug,
  insight,
  choices: { folders, tags },
  open,
  onClose,
}: RenameInsightProps) => (
  <ChangeDialog
    title={`Rename ${insight.name}`}
    open={open}
    onClose={onClose}
    change={(formData) => renameInsight(slug, insight.id, formData)}
    saved="Insight saved"
    submit="Save"
  >
    <InsightFields start={insight} folders={folders} tags={tags} />
  </ChangeDialog>
)
