'use client'

import { BellPlus, Copy, Ellipsis, FolderPen, LayoutDashboard, Pencil } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { archiveEntry } from '#studio/parts/archive-entry'
import { useDirectChange } from '#studio/parts/Change'
import { insightCard, whyNotPlaced } from '#studio/card-placement/insight-card'
import { archiveInsight, duplicateInsight, restoreInsight } from './changes'
import type { SavingChoices } from './saving-choices'

const renameDialog = deferred(async () => (await import('./RenameInsight')).RenameInsight)
const placeDialog = deferred(
  async () => (await import('#studio/card-placement/AddToDashboard')).AddToDashboard,
)

interface InsightMenuProps {
  slug: string
  insight: {
    id: string
    name: string
    description: string
    folder: string
    tags: string[]
    archivedAt?: Date | undefined
  }
  choices: SavingChoices
  /** The query in the address, such as one about another period. */
  q?: string
  whyNot?: string
}

export function InsightMenu(props: InsightMenuProps) {
  const { slug, insight, q, whyNot } = props
  const { id, name, archivedAt } = insight
  const router = useNavigation()
  const [opened, setOpened] = useState<OpenedDialog>()
  const act = useActions(props)

  const entries: MenuEntry[] = [
    {
      kind: 'link',
      label: 'Edit',
      icon: <Icon of={Pencil} />,
      href: paths.insight(slug, id, { q, edit: 'yes' }),
    },
    {
      label: 'Rename, move, tag…',
      icon: <Icon of={FolderPen} />,
      onSelect: () => setOpened('rename'),
      disabledReason: whyNot,
    },
    {
      label: 'Add to dashboard…',
      icon: <Icon of={LayoutDashboard} />,
      onSelect: () => setOpened('place'),
      disabledReason: whyNotPlaced(insight, whyNot),
    },
    {
      label: 'Duplicate',
      icon: <Icon of={Copy} />,
      onSelect: () => act.duplicate((copy) => router.push(paths.insight(slug, copy))),
      disabledReason: whyNot,
    },
    {
      kind: 'link',
      label: 'Alert me…',
      icon: <Icon of={BellPlus} />,
      href: paths.newAlert(slug, { insight: id }),
    },
    { kind: 'separator' },
    archiveEntry({
      isArchived: archivedAt !== undefined,
      archive: act.archive,
      restore: act.restore,
      whyNot,
    }),
  ]
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${name}`} icon={<Icon of={Ellipsis} />} />}
        entries={entries}
      />
      <InsightDialogs {...props} opened={opened} onClose={() => setOpened(undefined)} />
      {act.dialog}
    </>
  )
}

type OpenedDialog = 'rename' | 'place' | undefined

interface InsightDialogsProps extends InsightMenuProps {
  opened: OpenedDialog
  onClose: () => void
}

const InsightDialogs = ({ opened, onClose, ...props }: InsightDialogsProps) => (
  <>
    <WhenOpened isOpen={opened === 'rename'} load={renameDialog} onFailure={onClose}>
      {(Rename) => <Rename {...props} open={opened === 'rename'} onClose={onClose} />}
    </WhenOpened>
    <WhenOpened isOpen={opened === 'place'} load={placeDialog} onFailure={onClose}>
      {(AddToDashboard) => (
        <AddToDashboard
          slug={props.slug}
          {...insightCard(props.insight)}
          dashboards={props.choices.dashboards}
          open={opened === 'place'}
          onClose={onClose}
        />
      )}
    </WhenOpened>
  </>
)

/** Archiving can be undone; what is shown elsewhere asks first. */
function useActions({ slug, insight: { id, name } }: InsightMenuProps) {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  const [uses, setUses] = useState<string>()
  const showFailure = (failed: { error: string } | undefined) =>
    failed && showToast({ title: failed.error, tone: 'danger' })

  const restore = async () =>
    showFailure(await make(() => restoreInsight(slug, id), { saved: `${name} restored`, leavesList: true }))
  const putAway = (anyway: boolean) =>
    make(() => archiveInsight(slug, id, anyway), {
      saved: `${name} archived`,
      undo: () => void restore(),
      leavesList: true,
    })

  return {
    restore: () => void restore(),
    archive: () => void putAway(false).then((failed) => setUses(failed?.error)),
    duplicate: (open: (id: string) => void) =>
      void make(() => duplicateInsight(slug, id), {
        saved: 'Insight duplicated',
        onDone: (done) => open(done.id),
      }).then(showFailure),
    dialog: (
      <>
        <AlertDialog
          title={`Archive ${name} anyway?`}
          body={uses}
          confirmLabel="Archive anyway"
          open={uses !== undefined}
          onOpenChange={(open) => !open && setUses(undefined)}
          onConfirm={() => putAway(true)}
        />
        {question}
      </>
    ),
  }
}
