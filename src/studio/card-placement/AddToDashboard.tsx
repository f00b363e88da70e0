'use client'

import { LayoutDashboard } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { CardContent } from '#dashboards/dashboard'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { useNavigation } from '#ui/navigation/Navigation'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { addToDashboard } from './add-to-dashboard'
import { insightCard, whyNotPlaced } from './insight-card'

type ListedBoard = { id: string; name: string }

interface AddToDashboardProps {
  slug: string
  name: string
  content: CardContent
  dashboards: readonly ListedBoard[]
  /** Opens the dialog; where there is none, `open` does. */
  trigger?: ReactElement
  open?: boolean
  onClose?: () => void
}

/** Adds a card to a dashboard, or to a new one. */
export function AddToDashboard({
  slug,
  name,
  content,
  dashboards,
  trigger,
  open,
  onClose,
}: AddToDashboardProps) {
  const [isOpen, setOpen] = useState(false)
  const close = onClose ?? (() => setOpen(false))
  const showPlaced = usePlacedToast(slug)
  return (
    <ChangeDialog
      title={`Add ${name} to a dashboard`}
      trigger={trigger}
      open={open ?? isOpen}
      onOpen={() => setOpen(true)}
      onClose={close}
      change={(formData) => addToDashboard(slug, content, formData)}
      onDone={({ dashboard }) => {
        close()
        showPlaced(dashboard)
      }}
      submit="Add"
    >
      <DashboardChoice label="Dashboard" dashboards={dashboards} required />
    </ChangeDialog>
  )
}

export const AddToDashboardButton = ({
  insight,
  whyNot,
  ...props
}: Pick<AddToDashboardProps, 'slug' | 'dashboards'> & {
  insight: { id: string; name: string; archivedAt?: Date | undefined }
  whyNot: string | undefined
}) => (
  <AddToDashboard
    {...props}
    {...insightCard(insight)}
    trigger={
      <Button icon={<Icon of={LayoutDashboard} />} disabledReason={whyNotPlaced(insight, whyNot)}>
        Add to dashboard…
      </Button>
    }
  />
)

/** Adds the result of an experiment to a dashboard. */
export const AddResultToDashboard = ({
  experiment,
  whyNot,
  ...props
}: Pick<AddToDashboardProps, 'slug' | 'name' | 'dashboards'> & {
  experiment: string
  whyNot: string | undefined
}) => (
  <AddToDashboard
    {...props}
    content={{ type: 'experiment', experiment }}
    trigger={
      <Button size="sm" icon={<Icon of={LayoutDashboard} />} disabledReason={whyNot}>
        Add to dashboard…
      </Button>
    }
  />
)

/** Says where a card was added, with the way there. */
export function usePlacedToast(slug: string) {
  const showToast = useToast()
  const { push } = useNavigation()
  return ({ id, name }: ListedBoard) =>
    showToast({
      title: `Added to ${name}`,
      tone: 'success',
      action: { label: 'Open dashboard', onSelect: () => push(paths.dashboard(slug, id)) },
    })
}

/** The fields that choose a dashboard, within a form. */
export function DashboardChoice({
  label,
  dashboards,
  required = false,
}: {
  label: string
  dashboards: readonly ListedBoard[]
  required?: boolean
}) {
  const [chosen, setChosen] = useState(required ? (dashboards[0]?.id ?? 'new') : '')
  return (
    <>
      <Field label={label} name="dashboard" optional={!required}>
        <Select
          options={[
            ...(required ? [] : [{ value: '', label: 'None' }]),
            ...dashboards.map(({ id, name }) => ({ value: id, label: name })),
            { value: 'new', label: 'New dashboard' },
          ]}
          value={chosen}
          onChange={setChosen}
        />
      </Field>
      {chosen === 'new' && (
        <Field label="Name of the new dashboard" name="dashboardName">
          <TextInput autoComplete="off" maxLength={80} />
        </Field>
      )}
    </>
  )
}
