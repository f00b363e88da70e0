'use client'

import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { lazyPanel } from '#studio/parts/lazy-panel'
import { columnsCookie, columnsText, usualColumns } from './columns'

const LazyColumnFields = lazyPanel(async () => (await import('./ColumnFields')).ColumnFields, 'h-64')

const yearSeconds = 365 * 24 * 60 * 60

/** Chooses the columns of the list and their order. This browser remembers them. */
export function ColumnPicker({
  slug,
  columns,
  onChoose,
}: {
  slug: string
  columns: readonly string[]
  onChoose: (columns: readonly string[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(columns)

  function show(next: boolean) {
    if (next) setDraft(columns)
    setOpen(next)
  }
  function apply() {
    document.cookie = `${columnsCookie}=${encodeURIComponent(columnsText(draft))}; path=/studio/${slug}/people; max-age=${yearSeconds}; samesite=lax`
    setOpen(false)
    onChoose(draft)
  }

  return (
    <Dialog
      title="Columns"
      size="sm"
      open={isOpen}
      onOpenChange={show}
      trigger={<Button icon={<Icon of={Columns3} />}>Columns</Button>}
      footer={
        <>
          <Button variant="quiet" onClick={() => setDraft(usualColumns)}>
            Reset
          </Button>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            onClick={apply}
            disabledReason={draft.length === 0 ? 'Choose a column first.' : undefined}
          >
            Apply
          </Button>
        </>
      }
    >
      <LazyColumnFields slug={slug} columns={draft} onChange={setDraft} />
    </Dialog>
  )
}
