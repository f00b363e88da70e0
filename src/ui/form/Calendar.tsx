'use client'

import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { addDays, addMonths, startOfMonth, weekday, weeksOf, type Day } from '../dates'
import { day as dayWritten, month as monthWritten } from '../format'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Where a key leads from a day. */
const dayMoves: Record<string, (day: Day) => Day> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekday(day)),
  End: (day) => addDays(day, 6 - weekday(day)),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

type CalendarProps = {
  from: Day
  /** Missing while the second end is being chosen. */
  to?: Day
  today: Day
  /** No day after this one can be chosen. */
  max?: Day
  onPick: (day: Day) => void
}

/** A month of days to choose from. One Tab stop; arrows move by day and week, Page keys by month. */
export function Calendar({ from, to, today, max, onPick }: CalendarProps) {
  const [reached, setReached] = useState(to ?? from)
  const grid = useRef<HTMLTableElement>(null)

  const moveByKey = (event: KeyboardEvent) => {
    const move = dayMoves[event.key]
    if (!move) return
    event.preventDefault()
    const next = move(reached)
    // Drawn at once, so that the day to be focused is there.
    flushSync(() => setReached(max && next > max ? max : next))
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }

  return (
    <div className="flex w-62 flex-col gap-2">
      <MonthSwitch month={reached} max={max} onSwitch={setReached} />
      <table
        ref={grid}
        // ARIA's own pattern for choosing a date: a table whose cells are moved between by arrow keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label={monthWritten(reached)}
        onKeyDown={moveByKey}
        className="border-separate border-spacing-y-0.5"
      >
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name} className="h-7 text-2xs font-medium text-faint">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(reached).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  {...dayStateOf(day, { from, to, today, max, reached })}
                  onPick={() => onPick(day)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MonthSwitch({ month, max, onSwitch }: { month: Day; max?: Day; onSwitch: (day: Day) => void }) {
  const next = startOfMonth(addMonths(month, 1))
  return (
    <div className="flex items-center justify-between">
      <IconButton
        size="sm"
        label="Previous month"
        icon={<Icon of={ChevronLeft} />}
        onClick={() => onSwitch(addMonths(month, -1))}
      />
      <span aria-live="polite" className="font-medium">
        {monthWritten(month)}
      </span>
      <IconButton
        size="sm"
        label="Next month"
        icon={<Icon of={ChevronRight} />}
        disabledReason={max && next > max ? 'This date is in the future' : undefined}
        onClick={() => onSwitch(next)}
      />
    </div>
  )
}

type DayState = {
  day: Day
  isReached: boolean
  isEnd: boolean
  isInside: boolean
  isToday: boolean
  isOtherMonth: boolean
  isOut: boolean
}

function dayStateOf(
  day: Day,
  { from, to = from, today, max, reached }: Omit<CalendarProps, 'onPick'> & { reached: Day },
): DayState {
  return {
    day,
    isReached: day === reached,
    isEnd: day === from || day === to,
    isInside: day > from && day < to,
    isToday: day === today,
    isOtherMonth: startOfMonth(day) !== startOfMonth(reached),
    isOut: max !== undefined && day > max,
  }
}

function DayCell({
  day,
  isReached,
  isEnd,
  isInside,
  isToday,
  isOtherMonth,
  isOut,
  onPick,
}: DayState & { onPick: () => void }) {
  return (
    <td aria-selected={isEnd || isInside} className={clsx('p-0', isInside && 'bg-accent-soft')}>
      <button
        type="button"
        tabIndex={isReached ? 0 : -1}
        disabled={isOut}
        aria-label={dayWritten(day)}
        aria-current={isToday ? 'date' : undefined}
        onClick={onPick}
        className={clsx(
          'relative grid h-8 w-full place-items-center rounded-md text-xs tabular-nums focus-visible:z-1',
          isEnd ? 'bg-accent font-semibold text-on-accent' : 'hover:not-disabled:bg-hover',
          !isEnd && (isOtherMonth || isOut) && 'text-faint',
          isOut && 'opacity-50',
          isToday &&
            'font-semibold after:absolute after:bottom-1 after:size-1 after:rounded-full after:bg-current',
        )}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  )
}
