'use client'

import { type ComponentProps, createContext, use, useOptimistic } from 'react'

const HideContext = createContext<(() => void) | undefined>(undefined)

/** A row that can be hidden before the server has taken it out of the list. */
export function OptimisticRow(props: ComponentProps<'tr'>) {
  const [isHidden, setHidden] = useOptimistic(false)
  return (
    <HideContext value={() => setHidden(true)}>
      <tr {...props} hidden={isHidden} />
    </HideContext>
  )
}

/** Hides the row around the caller for as long as the transition it is called in takes. */
export const useHideRow = (): (() => void) | undefined => use(HideContext)
