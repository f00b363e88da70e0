'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '#ui/Button'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import type { ActionResult } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { eventFacts } from './actions'

/** An event that fetches its properties when it is opened: a page of them all would be large. */
export function EventDetails({
  slug,
  uuid,
  at,
  children,
}: {
  slug: string
  uuid: string
  at: string
  children: ReactNode
}) {
  const [answer, setAnswer] = useState<ActionResult<{ facts: ReactNode }>>()
  const [isAsked, setAsked] = useState(false)

  async function ask() {
    setAsked(true)
    setAnswer(undefined)
    setAnswer(await withNetworkErrors(() => eventFacts(slug, { uuid, at })))
  }

  return (
    <details className="group" onToggle={({ currentTarget }) => currentTarget.open && !isAsked && void ask()}>
      {children}
      <div className="border-t border-line bg-sunken px-3 py-1">
        {isAsked && answer === undefined && (
          <Loading label="Loading properties">
            <Skeleton className="my-2 h-16 w-full" />
          </Loading>
        )}
        {answer?.done && answer.facts}
        {answer && !answer.done && (
          <p className="flex flex-wrap items-center gap-3 py-2" role="alert">
            {answer.problems.map(({ message }) => message).join(' ')}
            <Button size="sm" onClick={() => void ask()}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </details>
  )
}
