'use client'

import { Copy, MoreHorizontal } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import type { ActionResult } from '#app/(studio)/action-result'
import { archiveEntry } from '#app/(studio)/archive-entry'
import { useDirectChange } from '#app/(studio)/Change'
import { paths } from '#app/paths'
import { archiveSurvey, duplicateSurvey, restoreSurvey } from './actions'

interface SurveyMenuProps {
  slug: string
  id: string
  name: string
  isArchived: boolean
  whyNot: string | undefined
}

/** What can be done with a survey as a whole. */
export function SurveyMenu({ slug, id, name, isArchived, whyNot }: SurveyMenuProps) {
  const router = useRouter()
  const showToast = useToast()
  const { make, question } = useDirectChange()

  async function run<Done>(
    change: () => Promise<ActionResult<Done>>,
    then: { saved: string; undo?: () => void; onDone?: (done: Done) => void },
  ) {
    const failed = await make(change, then)
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  const restore = () => void run(() => restoreSurvey(slug, id), { saved: `${name} is back` })
  const archive = () =>
    void run(() => archiveSurvey(slug, id), { saved: `${name} is archived`, undo: restore })
  const duplicate = () =>
    void run(() => duplicateSurvey(slug, id), {
      saved: `${name} is duplicated`,
      onDone: ({ id: copy }) => router.push(paths.survey(slug, copy)),
    })

  return (
    <>
      {question}
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${name}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={[
          { label: 'Duplicate', icon: <Icon of={Copy} />, onSelect: duplicate, disabledReason: whyNot },
          { kind: 'separator' },
          archiveEntry({ isArchived, archive, restore, whyNot }),
        ]}
      />
    </>
  )
}
