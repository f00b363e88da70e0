import { Tilth } from '@tilth/next/server'
import type { ReactNode } from 'react'

/** Pages below know their visitor; those beside them are static. */
export default function VisitLayout({ children }: { children: ReactNode }) {
  return <Tilth>{children}</Tilth>
}
