'use client'

import { Copy, Ellipsis, FolderPen, House, Mail, MessageSquarePlus, Pencil } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { TextInput } from '#ui/form/TextInput'
import { Textarea } from '#ui/form/Textarea'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { archiveEntry } from '#studio/parts/archive-entry'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import {
  archiveDashboard,
  chooseHome,
  duplicateDashboard,
  renameDashboard,
  restoreDashboard,
} from './changes'
import { useAddress } from '#studio/parts/use-address'

export interface MenuDashboard {
  id: string
  name: string
  description: string
  isHome: boolean
  isArchived: boolean
}

interface DashboardMenuProps {
  slug: string
  dashboard: MenuDashboard
  whyNot?: string
}

export function DashboardMenu({ slug, dashboard, whyNot }: DashboardMenuProps) {
  const { id, name, isHome, isArchived } = dashboard
  const [isRenaming, setRenaming] = useState(false)
  const act = useActions(slug, dashboard)
  const entries: MenuEntry[] = [
    {
      label: 'Rename…',
      icon: <Icon of={FolderPen} />,
      onSelect: () => setRenaming(true),
      disabledReason: whyNot,
    },
    { label: 'Duplicate', icon: <Icon of={Copy} />, onSelect: act.duplicate, disabledReason: whyNot },
    {
      label: isHome ? 'Remove from Home' : 'Set as Home',
      icon: <Icon of={House} />,
      onSelect: act.home,
      disabledReason: whyNot,
    },
    {
      kind: 'link',
      label: 'Send by e-mail…',
      icon: <Icon of={Mail} />,
      href: paths.newReport(slug, { dashboard: id }),
    },
    { kind: 'separator' },
    archiveEntry({ isArchived, archive: act.archive, restore: act.restore, whyNot }),
  ]
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${name}`} icon={<Icon of={Ellipsis} />} />}
        entries={entries}
      />
      <Rename slug={slug} dashboard={dashboard} open={isRenaming} onClose={() => setRenaming(false)} />
    </>
  )
}

function useActions(slug: string, { id, name, isHome }: MenuDashboard) {
  const showToast = useToast()
  const router = useNavigation()
  const { make } = useDirectChange()
  const showFailure = (failed: { error: string } | undefined) =>
    failed && showToast({ title: failed.error, tone: 'danger' })
  const restore = async () =>
    showFailure(await make(() => restoreDashboard(slug, id), { saved: `${name} restored`, leavesList: true }))

  return {
    restore: () => void restore(),
    archive: () =>
      void make(() => archiveDashboard(slug, id), {
        saved: `${name} archived`,
        leavesList: true,
        undo: () => void restore(),
      }).then(showFailure),
    duplicate: () =>
      void make(() => duplicateDashboard(slug, id), {
        saved: 'Dashboard duplicated',
        onDone: (copy) => router.push(paths.dashboard(slug, copy.id)),
      }).then(showFailure),
    home: () =>
      void make(() => chooseHome(slug, isHome ? '' : id), {
        saved: isHome ? 'Removed from Home' : `${name} is set as Home`,
      }).then(showFailure),
  }
}

function Rename({
  slug,
  dashboard,
  open,
  onClose,
}: DashboardMenuProps & { open: boolean; onClose: () => void }) {
  return (
    <ChangeDialog
      title={`Rename ${dashboard.name}`}
      open={open}
      onClose={onClose}
      change={(formData) => renameDashboard(slug, dashboard.id, formData)}
      saved="Dashboard saved"
      submit="Save"
    >
      <Field label="Name" name="name">
        <TextInput defaultValue={dashboard.name} autoComplete="off" />
      </Field>
      <Field label="Description" name="description" optional>
        <Textarea name="description" defaultValue={dashboard.description} />
      </Field>
    </ChangeDialog>
  )
}

/** Moving cards, and writing on charts: both change what a press on a card does. */
export function Modes({
  isEditing,
  isAnnotating,
  whyNot,
}: {
  isEditing: boolean
  isAnnotating: boolean
  whyNot?: string
}) {
  const { ask, isPending } = useAddress()
  return (
    <>
      <Button
        icon={<Icon of={MessageSquarePlus} />}
        aria-pressed={isAnnotating}
        disabledReason={whyNot}
        onClick={() => ask({ annotate: isAnnotating ? undefined : 'yes', edit: undefined })}
      >
        {isAnnotating ? 'Done annotating' : 'Annotate'}
      </Button>
      <Button
        icon={<Icon of={Pencil} />}
        aria-pressed={isEditing}
        busy={isPending}
        disabledReason={whyNot}
        onClick={() => ask({ edit: isEditing ? undefined : 'yes', annotate: undefined })}
      >
        {isEditing ? 'Done' : 'Edit'}
      </Button>
    </>
  )
}
