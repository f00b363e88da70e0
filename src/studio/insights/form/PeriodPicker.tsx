'use client'

import { CalendarDays, ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Icon } from '#ui/Icon'
import { Popover } from '#ui/overlay/Popover'
import { periodWords } from '#insights/calendar/period-words'
import { usePeriodKeys } from '#studio/parts/period-keys'

/** Its dates need the program of fields, which many pages do without. */
const periodChoices = deferred(async () => (await import('./PeriodChoices')).PeriodChoices)

/** Picks the period of a query: a named one such as the last 30 days, or from one day to another. */
export function PeriodPicker({
  value,
  onChange,
  label = 'Date range',
  isOfPage = false,
}: {
  value: string
  onChange: (period: string) => void
  label?: string
  /** Whether it is the period of all that the page shows: its keys work anywhere on the page. */
  isOfPage?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const choose = (period: string) => {
    setOpen(false)
    onChange(period)
  }

  return (
    <>
      {isOfPage && <PageKeys onChoose={choose} onChooseDays={() => isOpen || button.current?.click()} />}
      <Popover
        label={label}
        labelHidden
        flush
        open={isOpen}
        onOpenChange={setOpen}
        content={periodChoices}
        trigger={
          <Button
            ref={button}
            aria-label={`${label}: ${periodWords(value)}`}
            icon={<Icon of={CalendarDays} className="text-faint" />}
            iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
          >
            {periodWords(value)}
          </Button>
        }
      >
        <WhenOpened isOpen={isOpen} load={periodChoices} onFailure={() => setOpen(false)}>
          {(PeriodChoices) => <PeriodChoices value={value} hasKeys={isOfPage} onChoose={choose} />}
        </WhenOpened>
      </Popover>
    </>
  )
}

interface PageKeysProps {
  onChoose: (period: string) => void
  onChooseDays: () => void
}

function PageKeys({ onChoose, onChooseDays }: PageKeysProps) {
  usePeriodKeys(onChoose, onChooseDays)
  return null
}
