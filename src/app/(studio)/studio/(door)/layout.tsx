import type { ReactNode } from 'react'
import { Door } from './Door'

export default function DoorLayout({ children }: { children: ReactNode }) {
  return <Door>{children}</Door>
}
