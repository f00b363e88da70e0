'use client'

import { useMemo } from 'react'
import { deferred } from '#ui/deferral/deferred'
import { MarkMenu } from '#ui/overlay/MarkMenu'
import { isNumberAddress } from './number-address'

/** The menu at every number of the page whose link is the list of the persons behind it. */
export function NumberMenu({ actions }: { actions: readonly string[] }) {
  const names = actions.join(' ')
  const contentOf = useMemo(
    () =>
      deferred(async () => {
        const { numberMenuContent } = await import('./number-menu-content')
        return numberMenuContent(names.split(' '))
      }),
    [names],
  )
  return <MarkMenu isMark={isNumberAddress} contentOf={contentOf} />
}
