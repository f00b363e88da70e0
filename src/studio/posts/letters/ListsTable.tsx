'use client'

import { Plus } from 'lucide-react'
import type { ListReport } from '#letters/subscribers/subscriptions'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Switch } from '#ui/form/Switch'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { number } from '#ui/format'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { createList, setListOpen } from './actions'

interface ListsTableProps {
  slug: string
  lists: readonly ListReport[]
  whyNot: string | undefined
}

const columns: TableColumn<ListReport>[] = [
  { key: 'name', header: 'List', truncate: true, cell: ({ name }) => name },
  {
    key: 'key',
    header: 'Key',
    wideOnly: true,
    cell: ({ key }) => <span className="font-mono text-xs">{key}</span>,
  },
  { key: 'confirmed', header: 'Confirmed', numeric: true, cell: ({ counts }) => number(counts.confirmed) },
  { key: 'pending', header: 'Pending', numeric: true, cell: ({ counts }) => number(counts.pending) },
  {
    key: 'unsubscribed',
    header: 'Unsubscribed',
    numeric: true,
    wideOnly: true,
    cell: ({ counts }) => number(counts.unsubscribed + counts.complained),
  },
  {
    key: 'bounced',
    header: 'Bounced',
    numeric: true,
    wideOnly: true,
    cell: ({ counts }) => number(counts.bounced),
  },
]

export function ListsTable({ slug, lists, whyNot }: ListsTableProps) {
  return (
    <>
      <Table
        caption="Lists"
        columns={columns}
        rows={lists}
        rowKey={({ key }) => key}
        rowHref={({ key }) => paths.subscribers(slug, key)}
        empty="No lists yet"
        actions={actionsFor(slug, whyNot)}
      />
      <div className="p-4">
        <ChangeDialog
          title="New list"
          description="Use its key as the name of a sign-up form."
          trigger={
            <Button icon={<Icon of={Plus} />} disabledReason={whyNot}>
              New list…
            </Button>
          }
          change={(form) => createList(slug, form)}
          saved="List created"
          submit="Create list"
        >
          <Field label="Name" name="name">
            <TextInput autoComplete="off" placeholder="Weekly news" />
          </Field>
          <Field label="Key" name="key" hint="The name in :::signup{name=…}. It cannot be changed.">
            <TextInput mono autoComplete="off" placeholder="weekly" />
          </Field>
        </ChangeDialog>
      </div>
    </>
  )
}

const actionsFor = (slug: string, whyNot: string | undefined) => (list: ListReport) => (
  <OpenSwitch slug={slug} list={list} whyNot={whyNot} />
)

function OpenSwitch({ slug, list, whyNot }: { slug: string; list: ListReport; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  return (
    <>
      <Switch
        label={`Sign-ups to ${list.name}`}
        labelHidden
        checked={list.isOpen}
        disabled={whyNot !== undefined}
        onChange={(isOpen) =>
          void make(() => setListOpen(slug, list.key, isOpen), {
            saved: isOpen ? `${list.name} takes sign-ups` : `${list.name} takes no sign-ups`,
          })
        }
      />
      {question}
    </>
  )
}
