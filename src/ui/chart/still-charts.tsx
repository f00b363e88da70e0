'use client'

import { createContext, type ReactNode, use } from 'react'

const StillContext = createContext(false)

/** Around charts in a document without their scripts: they are drawn without the parts that only a script answers. */
export const StillCharts = ({ children }: { children: ReactNode }) => (
  <StillContext value={true}>{children}</StillContext>
)

/** Whether no script follows the pointer and the keys. */
export const useIsStill = (): boolean => use(StillContext)
