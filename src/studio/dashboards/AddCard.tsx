'use client'

import { ChartSpline, FlaskConical, MessageSquareText, Plus, Sparkles } from 'lucide-react'
import { use, useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { useDirectChange } from '#studio/parts/Change'
import { CardDialog } from './CardDialog'
import { addCard } from './changes'
import { CardChoices } from './card-choices'

type AddedCardKind = 'insight' | 'question' | 'experiment' | 'text'

export function AddCard({ slug, dashboard }: { slug: string; dashboard: string }) {
  const [kind, setKind] = useState<AddedCardKind>()
  const close = () => setKind(undefined)
  const dialogProps = { slug, dashboard, onClose: close }

  return (
    <>
      <Menu
        trigger={
          <Button size="sm" icon={<Icon of={Plus} />}>
            Add card
          </Button>
        }
        entries={[
          { label: 'Saved insight…', icon: <Icon of={ChartSpline} />, onSelect: () => setKind('insight') },
          { label: 'New insight…', icon: <Icon of={Sparkles} />, onSelect: () => setKind('question') },
          {
            label: 'Result of an experiment…',
            icon: <Icon of={FlaskConical} />,
            onSelect: () => setKind('experiment'),
          },
          { label: 'Text…', icon: <Icon of={MessageSquareText} />, onSelect: () => setKind('text') },
        ]}
      />
      <InsightDialog {...dialogProps} open={kind === 'insight'} />
      {kind === 'text' && <CardDialog {...dialogProps} start={{ type: 'text', text: '' }} open />}
      {kind === 'experiment' && (
        <CardDialog {...dialogProps} start={{ type: 'experiment', experiment: '' }} open />
      )}
      {kind === 'question' && (
        <CardDialog
          {...dialogProps}
          start={{ type: 'question', title: '', question: { kind: 'trend' } }}
          open
        />
      )}
    </>
  )
}

function InsightDialog({
  slug,
  dashboard,
  open,
  onClose,
}: {
  slug: string
  dashboard: string
  open: boolean
  onClose: () => void
}) {
  const { insights } = use(CardChoices)
  const [insight, setInsight] = useState<string | null>(null)
  const [trouble, setTrouble] = useState<string>()
  const [isSaving, startSaving] = useTransition()
  const { make } = useDirectChange()
  const add = () =>
    startSaving(async () => {
      const failed = await make(() => addCard(slug, dashboard, { type: 'insight', insight: insight ?? '' }), {
        saved: 'Card added',
        onDone: onClose,
      })
      setTrouble(failed?.error)
    })

  return (
    <Dialog
      title="Add saved insight"
      open={open}
      onOpenChange={(next) => !next && onClose()}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            busy={isSaving}
            disabledReason={insight === null ? 'Choose an insight' : undefined}
            onClick={add}
          >
            Add card
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {trouble && <FormError title={trouble} />}
        <Field label="Insight">
          <Combobox
            options={insights.map(({ id, name }) => ({ value: id, label: name }))}
            value={insight}
            onChange={setInsight}
            placeholder="Search insights"
            nothingFound="No insight matches."
          />
        </Field>
      </div>
    </Dialog>
  )
}
